extension FutureImage.Loader {
  /// The pending work, by what it waits for. For simulations, which know how much of it they hold back themselves.
  package struct Activity: Sendable {
    /// Transfers, lookups, decodes, and writes that have started and not ended, including canceled ones.
    package var runs = 0
    /// Transfers that wait for the clock.
    package var parked = 0
    /// Deliveries that wait for the main queue.
    package var deliveries = 0
    /// Work that continues by itself: answers, and writes that are about to start.
    package var work = 0
  }

  @MainActor package var activity: Activity {
    let deliveries = main.count
    return state.withLock { state in
      let waiting = configuration.writes.waitingCount(of: self)
      let writes = writeCount - waiting
      // Behind a running write in the same tier, they wait for its end.
      let due = state.isQuiet && writes == 0 ? waiting : 0
      return Activity(
        runs: state.fetches.runCount + state.lookups.runCount + state.decodes.runCount + writes, parked: state.fetches.parkedCount,
        deliveries: deliveries, work: state.work.pending - deliveries + due)
    }
  }
}

extension FutureImage.Loader {
  /// The slots for transfers, for fetchers of tests, which hold requests.
  package struct Slots: Sendable {
    /// The number of transfers that have a slot.
    package var taken: Int
    /// The number of transfers that wait for one.
    package var waiting: Int
    /// The limit for which all of them wait: that of one host, or the total one; nil if they wait for something else.
    package var limit: (isPerHost: Bool, value: Int)?
    /// Whether no transfer starts before another ends or a future is created.
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
  /// Prepares tests in which nothing happens by itself.
  /// - Parameters:
  ///   - turns: the function that gets each turn of the main queue, to run it on the main actor at some time, in place of the main dispatch
  ///     queue.
  ///   - clock: the clock for the time that writes wait while the loader is busy.
  ///   - deadlines: the clock for the deadlines of transfers. A gap in its time counts as a suspension of the process.
  ///   - chance: the source of random numbers from 0 ... 1.
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
}
