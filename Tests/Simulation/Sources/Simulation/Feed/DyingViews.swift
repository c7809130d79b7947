@testable import FutureImage

/// Views that are shown no more, which end on any thread.
final class DyingViews: Sendable {
  private struct Box: @unchecked Sendable {
    // Nobody calls the view: it is only let go.
    let view: UIImageView
  }

  private let boxes = Lock<[Box]>([], rank: .testing)

  @MainActor func add(_ view: UIImageView) { boxes.withLock { $0.append(Box(view: view)) } }

  func letGo() {
    let gone = boxes.withLock { boxes in
      defer { boxes = [] }
      return boxes
    }
    withExtendedLifetime(gone) {}
  }
}
