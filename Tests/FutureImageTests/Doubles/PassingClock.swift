@testable import FutureImage

/// A clock on which every wait ends at once. It records each wait, unless the instant that ends the wait has already passed. For example,
/// if two transfers of a host wait until the same instant, the clock records only the first wait.
final class PassingClock: Clock {
  struct Instant: InstantProtocol {
    fileprivate var offset = Swift.Duration.zero

    func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let state = Lock((now: Instant(), waits: [Swift.Duration]()))

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Swift.Duration { .zero }

  /// All waits so far, in order.
  var waits: [Swift.Duration] { state.withLock { $0.waits } }

  func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      guard state.now < deadline else { return }
      state.waits.append(state.now.duration(to: deadline))
      state.now = deadline
    }
  }
}
