/// Waiting for the answers to reloads.
extension FutureImage {
  /// A task that waits until the source has answered a reload.
  struct ReloadWaiter: Sendable {
    let id: ObjectIdentifier
    var failure: Failure?
    /// Called once, on any thread.
    let end: @Sendable (Failure?) -> Void
  }

  private struct ReloadAnswers {
    var failures: [Failure?]
    /// The number of reloads that have not ended.
    var awaited: Int
    /// Called when the last one has ended.
    var end: (@Sendable (Bool) -> Void)?
  }

  /// Reloads several images, each without its dark variant, and returns when each source has answered. The reloads begin
  /// before this first suspends.
  /// - Returns: for each image, the failure; nil if a new image arrived, or the old one is still valid.
  fileprivate nonisolated(nonsending) static func reload(_ futures: [FutureImage]) async -> [Failure?] {
    let reloads = futures.map { (future: $0, id: WaiterID()) }
    guard !Task.isCancelled else { return reloads.map { $0.future.cancelledReload } }
    let answers = Lock(ReloadAnswers(failures: Array(repeating: nil, count: reloads.count), awaited: reloads.count))
    // Not inside the handler below: a task may suspend on the way into it.
    for (index, reload) in reloads.enumerated() {
      reload.future.reload(id: reload.id) { failure in
        let end = answers.withLock { answers in
          answers.failures[index] = failure
          answers.awaited -= 1
          return answers.awaited == 0 ? answers.end.take() : nil
        }
        end?(true)
      }
    }
    _ = await withTaskCancellationHandler {
      await handedOver { (end: @escaping @Sendable (Bool) -> Void) in
        let haveEnded = answers.withLock { answers in
          if answers.awaited > 0 { answers.end = end }
          return answers.awaited == 0
        }
        // Race: reloads that end before their task waits for them.
        if haveEnded { end(true) }
      }
    } onCancel: {
      Scheduling.uninterrupted { for reload in reloads { reload.future.leaveReload(reload.id) } }
    }
    return answers.withLock { $0.failures }
  }

  private func reload(id: WaiterID, end: @escaping @Sendable (Failure?) -> Void) {
    guard descriptor != nil else { return end(inertFailure) }
    reload(ReloadWaiter(id: ObjectIdentifier(id), end: end))
  }

  private var cancelledReload: Failure { failure(.cancelled) }

  private func leaveReload(_ id: WaiterID) {
    let waiter = withReader { $0.observers?.takeReload(ObjectIdentifier(id)) }
    waiter??.end(cancelledReload)
  }
}

extension Collection where Element == FutureImage {
  /// Reloads all the images, and returns when each source has answered.
  ///
  /// ``FutureImage/FutureImage/reload()`` reloads each, before this first suspends: the existing image stays where it is shown until a
  /// changed one has arrived and is decoded. Transient failures are retried before this returns. If the task is canceled, this returns at
  /// once, and the reloads continue. ``FutureImage/FutureImage/Loader/settled()`` also waits for the pixels.
  ///
  /// For a feed that people pull to refresh, use ``Swift/Sequence/reload(_:)``, which requests nothing that nobody has seen.
  /// - Returns: the failure of each future, in the same order; nil if a new image arrived or the old one is still valid.
  @discardableResult public nonisolated(nonsending) func reload() async -> [FutureImage.Failure?] {
    let images = enumerated().flatMap { offset, future in future.root.picturesInUse.map { (offset, $0) } }
    var failures = [FutureImage.Failure?](repeating: nil, count: count)
    for (image, failure) in zip(images, await FutureImage.reload(images.map(\.1))) { failures[image.0] = failures[image.0] ?? failure }
    return failures
  }
}
