@testable import FutureImage

/// One value that several threads may set.
final class LockedValue<Value: Sendable>: Sendable {
  private let guarded = Lock<Value?>(nil)

  var value: Value? {
    get { guarded.withLock { $0 } }
    set { guarded.withLock { $0 = newValue } }
  }
}
