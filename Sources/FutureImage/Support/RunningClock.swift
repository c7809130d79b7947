/// A clock for deadlines of transfers: it stops while the process is suspended, so that no transfer has run out of time at the resume.
///
/// It notices a suspension only between ``beginWatching()`` and ``endWatching()``, and only one that is longer than a second or two; see
/// ``RunningTime``. While somebody watches, a task wakes once per second.
final class RunningClock: Clock, Sendable {
  /// Running time since the clock was made.
  struct Instant: InstantProtocol {
    fileprivate var offset = Swift.Duration.zero

    func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct State {
    var time = RunningTime()
    var isBeating = false
  }

  /// The process has one.
  static let shared = RunningClock()

  private let clock: any Clock<Swift.Duration>
  private let passed: Stopwatch
  private let state = Lock(State(), rank: .clock)

  /// - Parameter clock: A clock that goes on while the process is suspended.
  init(_ clock: any Clock<Swift.Duration> = Scheduling.clock) {
    self.clock = clock
    passed = Stopwatch(clock)
  }

  // The time is read inside the lock: a thread that was held up in between would otherwise bring an older time than the last look's.
  var now: Instant { state.withLock { Instant(offset: $0.time.look(at: passed.elapsed)) } }

  var minimumResolution: Swift.Duration { .zero }

  /// How often the process was suspended, as far as somebody watched.
  var suspensions: Int {
    state.withLock { state in
      _ = state.time.look(at: passed.elapsed)
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

  /// To be followed by ``endWatching()``.
  func beginWatching() {
    let mustBeat = state.withLock { state in
      state.time.beginWatching(at: passed.elapsed)
      defer { state.isBeating = true }
      return !state.isBeating
    }
    if mustBeat { _ = Scheduling.task("the running clock", priority: .utility) { await self.beat() } }
  }

  func endWatching() {
    // The task that beats ends by itself: most transfers are shorter than the interval, and the next one need not start another.
    state.withLock { $0.time.endWatching() }
  }

  private func beat() async {
    repeat {
      // Nobody cancels this task.
      try? await clock.sleep(for: RunningTime.interval)
    } while beats()
  }

  private func beats() -> Bool {
    state.withLock { state in
      _ = state.time.look(at: passed.elapsed)
      state.isBeating = state.time.watchers > 0
      return state.isBeating
    }
  }
}
