/// A clock for deadlines of transfers. It stops while the process is suspended, so that no transfer has timed out when the process resumes.
///
/// The clock notices a suspension only between ``beginWatching()`` and ``endWatching()``. Between these calls, a task wakes once per second.
/// A suspension is noticed only if it is longer than a second or two: see ``RunningTime``.
final class RunningClock: Clock, Sendable {
  /// The running time since the clock was created.
  struct Instant: InstantProtocol {
    fileprivate var offset = Swift.Duration.zero

    func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct State {
    var time = RunningTime()
    var isPolling = false
  }

  /// The clock of the process.
  static let shared = RunningClock()

  private let clock: any Clock<Swift.Duration>
  private let noticesSuspensions: Bool
  private let passed: Stopwatch
  private let state = Lock(State(), rank: .clock)

  /// - Parameters:
  ///   - clock: a clock that continues while the process is suspended.
  ///   - noticesSuspensions: whether the clock looks for suspensions. A process that gets no processor for two seconds looks suspended.
  init(_ clock: any Clock<Swift.Duration> = Scheduling.clock, noticesSuspensions: Bool = true) {
    self.clock = clock
    self.noticesSuspensions = noticesSuspensions
    passed = Stopwatch(clock)
  }

  // The time is read inside the lock. Otherwise, a thread that is delayed after it has read the time could record this time after another
  // thread has recorded a later time.
  var now: Instant { state.withLock { Instant(offset: $0.time.read(at: passed.elapsed)) } }

  var minimumResolution: Swift.Duration { .zero }

  /// The number of times that the process was suspended while the clock was watching.
  var suspensions: Int {
    state.withLock { state in
      _ = state.time.read(at: passed.elapsed)
      return state.time.suspensions
    }
  }

  func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    while true {
      let rest = now.duration(to: deadline)
      guard rest > .zero else { return }
      try await clock.sleep(for: rest, tolerance: tolerance)
    }
  }

  /// Begins to watch for suspensions. Balance each call with a call of ``endWatching()``.
  func beginWatching() {
    guard noticesSuspensions else { return }
    let mustPoll = state.withLock { state in
      state.time.beginWatching(at: passed.elapsed)
      defer { state.isPolling = true }
      return !state.isPolling
    }
    if mustPoll { _ = Scheduling.task("the running clock", priority: .utility) { await self.poll() } }
  }

  func endWatching() {
    guard noticesSuspensions else { return }
    // The task that runs `poll()` ends by itself. Most transfers are shorter than the interval, and the next transfer need not start
    // another task.
    state.withLock { $0.time.endWatching() }
  }

  private func poll() async {
    repeat {
      // This task is never canceled.
      try? await clock.sleep(for: RunningTime.interval)
    } while pollOnce()
  }

  /// - Returns: whether the clock is still watched, so that polling must continue.
  private func pollOnce() -> Bool {
    state.withLock { state in
      _ = state.time.read(at: passed.elapsed)
      state.isPolling = state.time.watchers > 0
      return state.isPolling
    }
  }
}
