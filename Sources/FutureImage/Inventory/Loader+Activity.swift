extension FutureImage.Loader {
  /// What is under way, by what it waits for. For simulations, which know how much of that they hold themselves.
  package struct Activity: Sendable {
    /// Transfers, look-ups, decodes and writes that have begun and not ended, canceled ones among them.
    package var runs = 0
    /// Transfers that wait for the clock.
    package var parked = 0
    /// What waits for the main queue.
    package var deliveries = 0
    /// What goes on by itself: answers, writes that are about to begin.
    package var work = 0
  }

  @MainActor package var activity: Activity {
    let deliveries = main.count
    return state.withLock { state in
      let waiting = state.writes.waitingCount(self)
      let writes = state.writesUnderWay - waiting
      // Behind one that has begun in the same tier they wait for its end.
      let due = state.isQuiet && writes == 0 ? waiting : 0
      return Activity(
        runs: state.transfers.runCount + state.lookups.runCount + state.decodes.runCount + writes, parked: state.transfers.parkedCount,
        deliveries: deliveries, work: state.pendingWork - deliveries + due)
    }
  }
}

extension FutureImage.Loader.Configuration {
  /// For tests in which nothing happens by itself.
  /// - Parameters:
  ///   - turns: is given each turn of the main queue, to run it on the main actor at some time, in place of the main dispatch queue.
  ///   - clock: for the time that writes wait while the loader is busy.
  ///   - chance: draws from 0 ... 1.
  package mutating func control(
    turns: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, clock: any Clock<Duration>,
    chance: @escaping @Sendable () -> Double
  ) {
    silence = nil
    mainTurns = turns
    writes = WriteBehind(clock: clock)
    self.chance = chance
  }
}
