@testable import FutureImage

/// A queue of views, subscriptions, and futures that are no longer used, and that any thread may release.
final class ReleaseQueue: Sendable {
  private struct Box: @unchecked Sendable {
    // Sendable: no code calls the object. It is only released.
    let object: AnyObject
  }

  private let boxes = Lock<[Box]>([], rank: .testing)

  @MainActor func add(_ object: AnyObject) { boxes.withLock { $0.append(Box(object: object)) } }

  func release() {
    let removed = boxes.withLock { boxes in
      defer { boxes = [] }
      return boxes
    }
    withExtendedLifetime(removed) {}
  }
}
