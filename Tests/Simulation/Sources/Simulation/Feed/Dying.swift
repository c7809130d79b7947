@testable import FutureImage

/// Views, leases and models that are used no more, which end on any thread.
final class Dying: Sendable {
  private struct Box: @unchecked Sendable {
    // Nobody calls the object: it is only let go.
    let object: AnyObject
  }

  private let boxes = Lock<[Box]>([], rank: .testing)

  @MainActor func add(_ object: AnyObject) { boxes.withLock { $0.append(Box(object: object)) } }

  func letGo() {
    let gone = boxes.withLock { boxes in
      defer { boxes = [] }
      return boxes
    }
    withExtendedLifetime(gone) {}
  }
}
