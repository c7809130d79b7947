extension FutureImage.Loader {
  /// The pending work of the loader, grouped by what the work waits for. Simulations use these numbers, and know how much of this work they
  /// delay themselves.
  package struct Activity: Sendable {
    /// The number of transfers, lookups, decodes, and writes that have started and not ended, including canceled ones.
    package var runs = 0
    /// The number of transfers that wait for the time of their next attempt.
    package var parked = 0
    /// The number of deliveries that wait for the main queue.
    package var deliveries = 0
    /// The amount of work that continues by itself, such as answers to waiters, and writes that are about to start.
    package var work = 0
  }

  @MainActor package var activity: Activity {
    let deliveries = main.count
    return state.withLock { state in
      let waiting = configuration.writes.waitingCount(of: self)
      let writes = writeCount - waiting
      // If a write is running in the same tier, the other writes wait for its end, so they are not due.
      let due = state.isQuiet && writes == 0 ? waiting : 0
      return Activity(
        runs: state.fetches.runCount + state.lookups.runCount + state.decodes.runCount + writes, parked: state.fetches.parkedCount,
        deliveries: deliveries, work: state.work.pending - deliveries + due)
    }
  }
}

extension FutureImage.Loader {
  /// The use of the slots for transfers. A test's fetcher that delays requests reads these numbers.
  package struct Slots: Sendable {
    /// The number of transfers that have a slot.
    package var taken: Int
    /// The number of transfers that wait for a slot.
    package var waiting: Int
    /// The limit that all waiting transfers have reached, which is the limit of one host or the total limit; nil if they wait for something
    /// else.
    package var limit: (isPerHost: Bool, value: Int)?
    /// Whether no transfer will start until another transfer ends or a future is created.
    package var isStill: Bool
  }

  package var slots: Slots {
    state.withLock { state in
      let limit = state.fetches.reachedLimit.map { (isPerHost: $0.isOfLane, value: $0.value) }
      let waiting = state.fetches.waitingCount
      return Slots(
        taken: state.fetches.runsWithSlots.count, waiting: waiting, limit: limit,
        isStill: state.isQuiet && state.fetches.parkedCount == 0 && (limit != nil || waiting == 0))
    }
  }
}

extension FutureImage.Loader.Configuration {
  /// Configures a loader for a test in which nothing happens until the test permits it.
  /// - Parameters:
  ///   - turns: a function that replaces the main dispatch queue. It gets each turn of the main queue, and must run it on the main actor at
  ///     some time.
  ///   - clock: the clock for the time that writes wait while the loader is busy.
  ///   - deadlines: the clock for the deadlines of transfers. A gap in its time counts as a suspension of the process.
  ///   - chance: the source of random numbers from 0 to 1.
  package mutating func control(
    turns: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, clock: any Clock<Duration>,
    deadlines: any Clock<Duration>, chance: @escaping @Sendable () -> Double
  ) {
    silence = nil
    mainTurns = turns
    writes = WriteBehind(clock: clock)
    runningClock = RunningClock(deadlines)
    self.chance = chance
  }

  /// Prevents the loader from repeating requests after a suspension of the process. On a busy machine, a process can look suspended, and
  /// a test does not expect the additional request.
  package mutating func ignoreSuspensions() { runningClock = RunningClock(noticesSuspensions: false) }
}
