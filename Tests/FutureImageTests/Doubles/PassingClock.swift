@testable import FutureImage

/// A clock on which every wait ends at once, and which records the waits. A wait for an instant that has passed is not recorded, as for
/// example that of a transfer whose host has waited for the same instant.
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
