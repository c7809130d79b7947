extension FutureImage.Loader {
  /// Tries again at once what failed for a reason that may have passed, and what waits to be tried again: for an app that learns that the
  /// network is back. What was cancelled or failed for good stays as it is.
  ///
  /// Any thread may call it.
  public func retryFailed() {
    // The futures are let go outside of the lock, which they take when they go.
    let (futures, waiting) = state.withLock { state in
      (state.live.all, state.transfers.keys { _ in true }.compactMap { state.unparkTransfer($0, by: self) })
    }
    for task in waiting { task.cancel() }
    for future in futures { future.retry() }
  }
}
