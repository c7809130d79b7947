@testable import FutureImage

/// Views, subscriptions, and models that are no longer used and are released on any thread.
final class ReleaseQueue: Sendable {
  private struct Box: @unchecked Sendable {
    // The object is never called, only released.
    let object: AnyObject
  }

  private let boxes = Lock<[Box]>([], rank: .testing)

  @MainActor func add(_ object: AnyObject) { boxes.withLock { $0.append(Box(object: object)) } }

  func release() {
    let gone = boxes.withLock { boxes in
      defer { boxes = [] }
      return boxes
    }
    withExtendedLifetime(gone) {}
  }
}
