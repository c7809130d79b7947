/// Transfers that hang: one host, fetcher or closure of the app's that does not answer slows itself only.
///
/// A transfer that was not heard of for a second or two (``Configuration/silence``) gives its slot among all to others, and goes on waiting
/// with its host's. Where it waits for the app and not for the host, or was cancelled and has not ended, it gives up that slot, too.
extension FutureImage.Loader {
  /// Looks once per interval, while anything waits for a slot.
  fileprivate func watchSilence(every interval: Duration) {
    // Detached, like the transfers: whoever made it necessary has nothing to do with it.
    _ = Scheduling.task("a look at silent transfers") { [weak self, clock = configuration.runningClock] in
      repeat {
        try? await clock.sleep(for: interval)
      } while self?.freeSilentSlots() ?? false
    }
  }

  /// - Returns: whether anything still waits for a slot.
  private func freeSilentSlots() -> Bool {
    change { $0.freeSilentSlots() }
  }
}

extension FutureImage.Loader.State {
  /// Something came of the run.
  mutating func heard(_ run: UInt64) {
    silence.heard(run)
    transfers.takeSlot(of: run)
  }

  /// Watches as long as anything waits. Inside the lock: to make a task is to write it down, not to run it.
  mutating func watchSilenceIfCrowded(by loader: Loader) {
    guard !silence.isWatched, transfers.waitingCount > 0, let interval = loader.configuration.silence else { return }
    silence.beginWatching(transfers.runsWithSlots)
    loader.watchSilence(every: interval)
  }

  fileprivate mutating func freeSilentSlots() -> Bool {
    for run in silence.look(at: transfers.runsWithSlots) {
      effects.note(transfers.yieldSlot(of: run, inLane: callouts.contains(run)))
    }
    effects.note(.slot)
    if transfers.waitingCount == 0 { silence.endWatching() }
    return silence.isWatched
  }
}
