/// Transfers that hang: a host, fetcher, or closure of the app that does not answer slows only itself.
///
/// A transfer that has been silent for a second or two (``Configuration/silence``) gives up its slot in the total limit, and continues to
/// wait with its host's. If it waits for the app and not for the host, or was canceled and has not ended, it gives up that slot, too.
extension FutureImage.Loader {
  /// Checks once per interval, while any transfer waits for a slot.
  fileprivate func watchSilence(every interval: Duration) {
    // Detached, like the transfers: it is unrelated to the task that made it necessary.
    _ = Scheduling.task("a look at silent transfers") { [weak self, clock = configuration.runningClock] in
      repeat {
        try? await clock.sleep(for: interval)
      } while self?.freeSilentSlots() ?? false
    }
  }

  /// - Returns: whether any transfer still waits for a slot.
  private func freeSilentSlots() -> Bool {
    change { $0.freeSilentSlots() }
  }
}

extension FutureImage.Loader.State {
  /// Notes activity of the run.
  mutating func heard(_ run: UInt64) {
    silence.heard(run)
    transfers.takeSlot(of: run)
  }

  /// Watches as long as any transfer waits. Called inside the lock: creating a task does not run it.
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
