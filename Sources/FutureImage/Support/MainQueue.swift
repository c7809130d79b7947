/// A queue of work for the main actor. Work runs in the order in which it was added. One turn, which is one block on the main dispatch
/// queue, runs all waiting work. But a turn starts no more work after half a millisecond, so that other code can run on the main thread
/// between turns, and frames are drawn.
///
/// After a turn that left no work, the next turn waits until two milliseconds (an eighth of a frame) have passed. Waking the main thread
/// for each of many images would cost more than the work itself. Work that is added after a longer pause runs at once.
final class MainQueue: Sendable {
  typealias Work = @MainActor @Sendable () -> Void
  /// Runs a closure on the main queue after some time.
  typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  /// Runs a closure on the main queue at some later time.
  typealias Turns = @Sendable (@escaping @Sendable () -> Void) -> Void

  private struct State {
    var waiting = FIFO<Work>()
    var isScheduled = false
    /// The time since a turn left no work.
    var pause: Stopwatch?
    var longest = Duration.zero
    var longestWork = Duration.zero
  }

  private let budget: Duration
  private let pause: Duration
  private let clock: any Clock<Duration>
  private let timer: Timer
  private let turns: Turns
  private let state = Lock(State())
  /// The work that was removed from the lock's value and has not run yet.
  @MainActor private(set) var taken = FIFO<Work>()

  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller is on the main thread, or on the thread that serves the main queue. These can differ, because a program may have
  /// given up its first thread.
  static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true }

  init(
    budget: Duration = .microseconds(500), pause: Duration = .milliseconds(2), clock: any Clock<Duration> = Scheduling.clock,
    timer: @escaping Timer = { Scheduling.onMain(after: $0, $1) }, turns: @escaping Turns = { Scheduling.onMain($0) }
  ) {
    self.budget = budget
    self.pause = pause
    self.clock = clock
    self.timer = timer
    self.turns = turns
  }

  /// Creates a queue for a simulation, which provides the turns. There is one turn for each piece of work, and one turn that finds no work
  /// left.
  convenience init(_ turns: @escaping Turns) {
    self.init(budget: .zero, pause: .zero, timer: { turns($1) }, turns: turns)
  }

  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty && !$0.isScheduled } }

  /// The number of pieces of work that wait or are about to run.
  @MainActor var count: Int { taken.count + state.withLock { $0.waiting.count } }

  /// The duration of the longest turn by wall clock. `longestWork` is the longest duration by processor time.
  var longestStretch: Duration { state.withLock { $0.longest } }
  var longestWork: Duration { state.withLock { $0.longestWork } }

  func add(_ work: @escaping Work) {
    let (mustSchedule, since) = state.withLock { state in
      state.waiting.append(work)
      defer { state.isScheduled = true }
      return (!state.isScheduled, state.pause)
    }
    guard mustSchedule else { return }
    let rest = since.map { pause - $0.elapsed } ?? .zero
    if rest > .zero { timer(rest) { self.turn() } } else { schedule() }
  }

  private func schedule() { turns { self.turn() } }

  // The main dispatch queue is the main actor's executor.
  private func turn() { MainActor.assumeIsolated { runTurn() } }

  @MainActor private func runTurn() {
    let turn = Stopwatch(clock)
    let work = ThreadTime()
    defer { note(turn.elapsed, work.used) }
    repeat {
      guard let next = next() else { return }
      next()
    } while turn.elapsed < budget
    schedule()
  }

  /// Removes and returns the oldest work. Work that a turn does not reach stays in `taken`.
  @MainActor private func next() -> Work? {
    if taken.isEmpty {
      let now = Stopwatch(clock)
      taken = state.withLock { state in
        // Race: work that is added while a turn of the main queue ends.
        if state.waiting.isEmpty { (state.isScheduled, state.pause) = (false, now) }
        defer { state.waiting = FIFO() }
        return state.waiting
      }
    }
    return taken.popFirst()
  }

  private func note(_ stretch: Duration, _ work: Duration) {
    state.withLock { state in
      state.longest = max(state.longest, stretch)
      state.longestWork = max(state.longestWork, work)
    }
  }
}

/// A holder that retains an object, and releases it on the main thread. The object may own user-interface objects, such as a closure of the
/// app that captured a view. The holder itself may be released on any thread, because a loader often has the last reference to a future.
final class OnMain<Object: AnyObject & Sendable>: Sendable {
  // The holder owns one reference to the object, from the initializer to `deinit`.
  private let kept: Unmanaged<Object>

  init(_ object: Object) { kept = .passRetained(object) }

  /// The object, for use on the main thread only. Code that retains it on another thread may be the last to release it.
  var object: Object { kept.takeUnretainedValue() }

  deinit {
    if MainQueue.isCurrent { return kept.release() }
    Scheduling.onMain { [kept] in kept.release() }
  }
}
