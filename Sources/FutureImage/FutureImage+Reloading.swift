/// Waiting for the answers to reloads.
extension FutureImage {
  /// A task that waits until the source has answered a reload.
  struct ReloadWaiter: Sendable {
    let id: ObjectIdentifier
    /// The request whose answer counts. It changes if the future is reloaded again in the meantime.
    var request: LoadRequest?
    var failure: Failure?
    /// Called once, on any thread.
    let end: @Sendable (Failure?) -> Void
  }

  /// Reloads the single image of this future, and returns when the source has answered.
  /// - Returns: the failure; nil if a new image arrived, or the old one is still valid.
  fileprivate func answerToReload() async -> Failure? {
    guard descriptor != nil else { return inertFailure }
    let cancelled = Failure(.cancelled, source: key ?? "")
    if Task.isCancelled { return cancelled }
    let id = WaiterID()
    return await withTaskCancellationHandler {
      await handedOver { end in
        reload(ReloadWaiter(id: ObjectIdentifier(id), end: end))
        // The handler below may have run before there was anything to leave.
        if Task.isCancelled { leaveReload(id, cancelled) }
      }
    } onCancel: {
      Scheduling.uninterrupted { leaveReload(id, cancelled) }
    }
  }

  private func leaveReload(_ id: WaiterID, _ failure: Failure) {
    let waiter = state.withLock { $0.observers?.takeReload(ObjectIdentifier(id)) }
    waiter?.end(failure)
  }
}

extension Collection where Element == FutureImage, Self: Sendable {
  /// Reloads all the images, and returns when each source has answered, for a screen that people pull to refresh.
  ///
  ///     let failures = await products.map(\.photo).reload().compactMap(\.self)
  ///     refreshControl.endRefreshing()
  ///
  /// ``FutureImage/FutureImage/reload()`` reloads each: the existing image stays where it is shown until a changed one has arrived and is
  /// decoded. Transient failures are retried before this returns. If the task is canceled, this returns at once, and the reloads continue.
  /// ``FutureImage/FutureImage/Loader/settled()`` also waits for the pixels.
  /// - Returns: the failure of each future, in the same order; nil if a new image arrived or the old one is still valid.
  @discardableResult public func reload() async -> [FutureImage.Failure?] {
    await withTaskGroup(of: (Int, FutureImage.Failure?).self) { group in
      for (offset, future) in enumerated() {
        for picture in future.root.picturesInUse { group.addTask { (offset, await picture.answerToReload()) } }
      }
      var failures = [FutureImage.Failure?](repeating: nil, count: count)
      for await (offset, failure) in group { failures[offset] = failures[offset] ?? failure }
      return failures
    }
  }
}

// The waiters are part of the observers, because each end of a reload becomes visible to those.
extension FutureImage.State {
  /// - Parameter former: the request for bytes that the reload replaces.
  mutating func awaitReload(_ waiter: FutureImage.ReloadWaiter?, _ request: LoadRequest, insteadOf former: LoadRequest?) {
    if let observers, let former { observers.passReloads(from: former, to: request) }
    guard var waiter else { return }
    waiter.request = request
    watching().reloads.append(waiter)
  }

  /// Records that the reload is about to end without a new image.
  func noteReload(_ request: LoadRequest, failedWith failure: FutureImage.Failure) {
    observers?.noteReload(request, failedWith: failure)
  }

  /// - Returns: the waiters whose reload has ended, to be called outside the lock.
  mutating func takeEndedReloads() -> [FutureImage.ReloadWaiter] {
    guard let observers, !observers.reloads.isEmpty else { return [] }
    let ended = observers.reloads.filter { $0.request != wish.request }
    if !ended.isEmpty { observers.reloads.removeAll { $0.request != wish.request } }
    return ended
  }
}

extension FutureImage.Observers {
  fileprivate func passReloads(from former: LoadRequest, to request: LoadRequest) {
    for index in reloads.indices where reloads[index].request == former { reloads[index].request = request }
  }

  fileprivate func noteReload(_ request: LoadRequest, failedWith failure: FutureImage.Failure) {
    for index in reloads.indices where reloads[index].request == request { reloads[index].failure = failure }
  }

  fileprivate func takeReload(_ id: ObjectIdentifier) -> FutureImage.ReloadWaiter? {
    reloads.firstIndex { $0.id == id }.map { reloads.remove(at: $0) }
  }
}
