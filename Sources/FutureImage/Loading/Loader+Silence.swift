/// Transfers that hang: a host, fetcher, or closure of the app that does not answer slows only itself.
///
/// A transfer that has been silent for a second or two (``Configuration/silence``) gives up its slots, in total and of its host, and
/// continues to wait. So a few URLs that never answer do not block the other images of their host. A host that does not answer at all gets
/// at most four times its limit of transfers. Transfers that wait for the app and not for the host, and those that were canceled and have
/// not ended, do not count against that.
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
