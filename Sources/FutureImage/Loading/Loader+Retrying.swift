extension FutureImage.Loader {
  /// Tries again at once what failed, and what waits to be tried again: for an app that learns that the network is back, or that its user
  /// has logged in. Permanent failures are tried again as well, since a network that wants a login first answers with pages of its own.
  /// What was cancelled stays as it is.
  ///
  /// Any thread may call it.
  public func retryFailed() {
    // A few at a time: there may be thousands, and others need the lock meanwhile.
    var parked = state.withLock { $0.transfers.takeParked() }
    while !parked.isEmpty {
      let some = parked.prefix(32)
      change { state in for key in some { state.unparkTransfer(key) } }
      for key in some { parked.remove(key) }
    }
    state.withLock { $0.refusals.removeAll() }
    for part in 0..<Pictures.partCount {
      for key in state.withLock({ $0.pictures.keys(inPart: part) }) { forEachFuture(of: key) { $0.retry() } }
    }
  }
}
