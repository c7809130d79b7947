extension FutureImage.Loader {
  /// Retries at once all images that have failed or wait for their next attempt. Call it when the app learns that the network is back, or
  /// that its user has logged in. Permanent failures are retried as well, because a network that requires a login first answers with pages
  /// of its own. Canceled futures stay as they are.
  ///
  /// Any thread may call it.
  public func retryFailed() {
    endWaits()
    state.withLock { $0.refusals.removeAll() }
    forEachFuture { $0.retry() }
  }

  /// Retries at once the images that wait for their next attempt, and those that somebody waits for and that failed for a reason that may
  /// have passed.
  func retryAwaited() {
    endWaits()
    state.withLock { $0.refusals.removeTransient() }
    forEachFuture { $0.retryIfAwaited() }
  }

  private func endWaits() {
    // A few at a time: there may be thousands, and other threads need the lock meanwhile.
    var parked = state.withLock { $0.transfers.takeParked() }
    while !parked.isEmpty {
      let some = parked.prefix(32)
      change { state in for key in some { state.unparkTransfer(key) } }
      for key in some { parked.remove(key) }
    }
  }

  private func forEachFuture(_ body: (FutureImage) -> Void) {
    for part in 0..<Pictures.partCount {
      for key in state.withLock({ $0.pictures.keys(inPart: part) }) { forEachFuture(of: key, body) }
    }
  }
}
