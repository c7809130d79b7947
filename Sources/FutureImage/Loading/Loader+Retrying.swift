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
      let waiting = state.withLock { state in some.compactMap { state.unparkTransfer($0, by: self) } }
      for task in waiting { task.cancel() }
      for key in some { parked.remove(key) }
    }
    state.withLock { $0.refusals.removeAll() }
    // The futures are released outside of the lock, which they take when they go.
    for part in 0..<LiveFutures.partCount {
      for future in state.withLock({ $0.live.futures(inPart: part) }) { future.retry() }
    }
  }
}
