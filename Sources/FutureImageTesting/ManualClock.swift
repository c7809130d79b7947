import FutureImage

/// A clock that stands still until a test moves it.
///
///     let clock = ManualClock()
///     configuration.clock = clock
///     await clock.waitForSleepers()
///     clock.advance(by: .seconds(1))
public final class ManualClock: Clock, Sendable {
  public struct Instant: InstantProtocol {
    fileprivate var offset = Swift.Duration.zero

    public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct State {
    var now = Instant()
    var sleepers: [UInt64: Sleeper] = [:]
    var lastSleeper: UInt64 = 0
  }

  private struct Sleeper: Sendable {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state = Observed(State())

  public init() {}

  public var now: Instant { state.read { $0.now } }

  public var minimumResolution: Swift.Duration { .zero }

  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let id = state.update { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.update { state in
          // The task's flag is set before `onCancel` runs: either that finds the sleeper, or the flag is seen here.
          if deadline <= state.now || Task.isCancelled { return true }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.update { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
    }
    try Task.checkCancellation()
  }

  /// Wakes all whose time has come, in any order.
  public func advance(by duration: Swift.Duration) {
    let woken = state.update { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// How long the sleepers have to sleep still, shortest first.
  public var waits: [Swift.Duration] {
    state.read { state in state.sleepers.values.map { state.now.duration(to: $0.deadline) }.sorted() }
  }

  /// Returns when so many sleep.
  public func waitForSleepers(_ count: Int = 1) async {
    await state.wait { $0.sleepers.count >= count }
  }
}
