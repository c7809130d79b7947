extension FutureImage.Loader {
  /// Requests nothing of a host for a time, because its server wants no requests. Transfers of other hosts get the slots meanwhile.
  func hold(host lane: String?, for time: Duration) {
    guard let lane else { return }
    state.withLock { $0.transfers.hold(lane: lane) }
    _ = Scheduling.task("a hold of a host") { [weak self, clock = configuration.clock] in
      try? await clock.sleep(for: time)
      self?.change { state in
        let started = state.transfers.release(lane: lane)
        state.effects.note(started)
      }
    }
  }
}
