/// Work for the main actor in the order it came: one hop for all that is there, but no more than a few milliseconds a turn, so that
/// frames are drawn in between.
final class MainQueue: Sendable {
  typealias Work = @MainActor @Sendable () -> Void

  private struct State {
    var waiting: [Work] = []
    var isScheduled = false
    var longest = Duration.zero
  }

  private let budget: Duration
  private let clock: any Clock<Duration>
  private let state = Lock(State())

  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller is on the main thread, or on whatever thread serves the main queue: a program may have given its first thread up.
  static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true }

  init(budget: Duration = .milliseconds(4), clock: any Clock<Duration> = ContinuousClock()) {
    self.budget = budget
    self.clock = clock
  }

  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty && !$0.isScheduled } }

  var longestStretch: Duration { state.withLock { $0.longest } }

  func add(_ work: @escaping Work) {
    let mustSchedule = state.withLock { state in
      state.waiting.append(work)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { schedule() }
  }

  private func schedule() {
    DispatchQueue.main.async {
      // The main dispatch queue is the main actor's executor.
      MainActor.assumeIsolated { self.runTurn() }
    }
  }

  @MainActor private func runTurn() {
    let turn = Stopwatch(clock)
    var taken: ArraySlice<Work> = []
    repeat {
      if taken.isEmpty {
        taken = state.withLock { state in
          defer { state.waiting = [] }
          if state.waiting.isEmpty { state.isScheduled = false }
          return state.waiting[...]
        }
      }
      guard let work = taken.popFirst() else {
        note(turn.elapsed)
        return
      }
      work()
    } while turn.elapsed < budget
    note(turn.elapsed)
    state.withLock { $0.waiting.insert(contentsOf: taken, at: 0) }
    schedule()
  }

  private func note(_ stretch: Duration) {
    state.withLock { $0.longest = max($0.longest, stretch) }
  }
}
