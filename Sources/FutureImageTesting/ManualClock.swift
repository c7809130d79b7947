import FutureImage

/// A clock that advances only when a test advances it.
///
///     let clock = ManualClock()
///     configuration.clock = clock
///     try await clock.waitForSleepers()
///     clock.advance(by: .seconds(1))
public final class ManualClock: Clock, Sendable {
  /// An instant of the clock, which starts at 0.
  public struct Instant: InstantProtocol {
    fileprivate var offset = Swift.Duration.zero

    /// Returns the instant that is later by the duration.
    public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration to the other instant.
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct State {
    var now = Instant()
    var deadlines: [UInt64: Instant] = [:]
    var last: UInt64 = 0
    var hasEnded = false
  }

  private let state = Observed(State())

  public init() {}

  /// The current instant. It changes only through `advance(by:)`.
  public var now: Instant { state.read { $0.now } }

  /// Zero, because any duration is exact.
  public var minimumResolution: Swift.Duration { .zero }

  /// Returns when the clock reaches the deadline, or at once if the clock has already reached it.
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let id = state.update { state in
      state.last += 1
      if deadline > state.now { state.deadlines[state.last] = deadline }
      return state.last
    }
    await state.wait { deadline <= $0.now || $0.hasEnded }
    let hasEnded = state.update { state in
      state.deadlines[id] = nil
      return state.hasEnded
    }
    guard hasEnded else { return try Task.checkCancellation() }
    // A caller may sleep in a loop until other work is done. Yielding lets that work use the thread.
    await Task.yield()
    throw CancellationError()
  }

  /// Advances the clock, and resumes the sleepers whose deadline has passed, in any order.
  public func advance(by duration: Swift.Duration) {
    state.update { state in
      state.now = state.now.advanced(by: duration)
      state.deadlines = state.deadlines.filter { $0.value > state.now }
    }
  }

  /// Ends all current and later sleeps, as cancellation does.
  func end() {
    state.update { $0.hasEnded = true }
  }

  /// The remaining times of the sleepers, shortest first.
  public var waits: [Swift.Duration] {
    state.read { state in state.deadlines.values.map { state.now.duration(to: $0) }.sorted() }
  }

  /// Returns when `count` tasks sleep.
  /// - Throws: ``WaitTimedOut`` when the limit passes first, and `CancellationError`.
  public func waitForSleepers(
    _ count: Int = 1, within limit: WaitLimit = .standard, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await state.wait(LimitedWait(limit, CallSite(fileID, line), "for \(count.of("sleeper"))")) {
      $0.deadlines.count >= count
    } insteadOf: { state in
      let waits = state.deadlines.values.sorted().map { "\(state.now.duration(to: $0))" }
      return "The clock is at \(state.now.offset). Sleepers: \(listed(waits))."
    }
  }
}
