/// Finds the runs that reported nothing between two polls.
struct StallDetector {
  /// The runs that wait for the app and not for a server.
  var callouts: Set<UInt64> = []
  private var suspects: Set<UInt64> = []
  /// Whether a task polls the runs once per interval.
  private(set) var isWatched = false

  /// - Parameter runs: the runs under way.
  mutating func beginWatching(_ runs: [UInt64]) {
    isWatched = true
    suspects = Set(runs)
  }

  mutating func endWatching() {
    isWatched = false
    suspects = []
  }

  mutating func noteActivity(_ run: UInt64) {
    if !suspects.isEmpty { suspects.remove(run) }
  }

  /// - Parameter runs: the runs under way.
  /// - Returns: the runs that have reported nothing since the last poll.
  mutating func poll(_ runs: [UInt64]) -> [UInt64] {
    let silent = runs.filter { suspects.contains($0) }
    suspects = Set(runs)
    return silent
  }
}

/// Limits the harm of transfers that hang. If a host, a fetcher, or a closure of the app does not answer, only its own transfers are
/// delayed.
///
/// A transfer has a slot among all transfers, and a slot in its lane. A lane consists of the transfers that share the limit of one host. A
/// transfer that has been silent for a second or two (``Configuration/silence``) yields both slots, and continues to wait. So a few URLs
/// that never answer do not block the other images of their host.
///
/// The number of transfers that have yielded their slots is at most three times the limit on all transfers. In each lane, it is at most
/// three times the lane's limit. A silent transfer that would exceed a maximum retains its slot. So a host that does not answer at all has
/// at most four times as many transfers as its limit. A transfer that waits for the app and not for the host always yields both slots, and
/// does not count for the maximums. A canceled transfer that has not ended does not count for the maximum of its lane.
extension FutureImage.Loader {
  /// Polls once per interval, as long as any transfer waits for a slot. May be called inside the lock, because creating a task does not run
  /// it.
  func watchSilenceIfCrowded(_ state: inout State) {
    guard !state.stallDetector.isWatched, state.fetches.waitingCount > 0, let interval = configuration.silence else { return }
    state.stallDetector.beginWatching(state.fetches.runsWithSlots)
    // The task is detached, like those of transfers, because it is unrelated to the task that made it necessary.
    _ = Scheduling.task("a look at silent transfers") { [weak self, clock = configuration.runningClock] in
      repeat {
        try? await clock.sleep(for: interval)
      } while self?.change { $0.freeSilentSlots() } ?? false
    }
  }
}

extension FutureImage.Loader.State {
  /// Records activity of the run.
  mutating func noteActivity(_ run: UInt64) {
    stallDetector.noteActivity(run)
    fetches.takeSlot(of: run)
  }

  /// - Returns: whether any transfer still waits for a slot.
  fileprivate mutating func freeSilentSlots() -> Bool {
    // `inLane` is true if the run waits for the app. Such a run yields both slots, whatever the maximums. Any other run yields both slots
    // as far as the maximums permit.
    for run in stallDetector.poll(fetches.runsWithSlots) { fetches.yieldSlot(of: run, inLane: stallDetector.callouts.contains(run)) }
    if fetches.waitingCount == 0 { stallDetector.endWatching() }
    return stallDetector.isWatched
  }
}
