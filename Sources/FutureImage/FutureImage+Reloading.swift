/// Methods that wait for the answers to reloads.
extension FutureImage {
  private struct ReloadAnswers {
    var failures: [Failure?]
    /// The number of reloads that have not ended.
    var awaited: Int
    /// Called with true when the last reload has ended.
    var end: (@Sendable (Bool) -> Void)?
  }

  /// One image to reload: the main image of a future, or its image for dark mode.
  struct Reload {
    let future: FutureImage
    /// The reader of the image; nil for a future without a source.
    let reader: Reader?
    fileprivate let id = WaiterID()

    /// Begins the reload. Calls `end` once the source has answered, with the failure, or with nil after a success.
    func callAsFunction(_ end: @escaping @Sendable (Failure?) -> Void) {
      guard let reader else { return end(future.inertFailure) }
      reader.withLock { if $0.future == nil { $0.future = future } }
      reader.descriptor.loader.reload(reader, ReloadWaiter(id: ObjectIdentifier(id), end: end))
    }

    fileprivate func leave() {
      let waiter = reader.flatMap { reader in reader.withLock { $0.observers?.takeReload(ObjectIdentifier(id)) } }
      waiter?.end(cancelled)
    }

    fileprivate var cancelled: Failure { reader?.failure(.cancelled) ?? future.failure(.cancelled) }
  }

  /// Reloads several images, and returns when each source has answered. The reloads begin before this method first suspends.
  /// - Returns: the failure of each reload; nil if a new image arrived, or the old image is still valid.
  fileprivate nonisolated(nonsending) static func reload(_ reloads: [Reload]) async -> [Failure?] {
    guard !Task.isCancelled else { return reloads.map(\.cancelled) }
    let answers = Lock(ReloadAnswers(failures: Array(repeating: nil, count: reloads.count), awaited: reloads.count))
    // The reloads begin outside the handler below, because a task may suspend before it runs the handler's operation.
    for (index, reload) in reloads.enumerated() {
      reload { failure in
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
      Scheduling.uninterrupted { for reload in reloads { reload.leave() } }
    }
    return answers.withLock { $0.failures }
  }

  /// The reloads of this future's images that are in use. A future without a source has one reload without a reader.
  fileprivate var reloads: [Reload] {
    let readers = readersInUse
    return readers.isEmpty ? [Reload(future: self, reader: nil)] : readers.map { Reload(future: self, reader: $0) }
  }
}

extension Collection where Element == FutureImage, Self: Sendable {
  /// Reloads all the images, and returns when each source has answered.
  ///
  /// Each image is reloaded in the same way as by ``FutureImage/FutureImage/reload()``. All reloads begin before this method first
  /// suspends. An existing image stays where it is shown until a changed image has arrived and is decoded. Transient failures are retried
  /// before this method returns. If the task is canceled, this method returns at once, and the reloads continue. To wait for the pixels as
  /// well, use ``FutureImage/FutureImage/Loader/waitUntilIdle()``.
  ///
  /// For a feed that people pull to refresh, use ``Swift/Sequence/reload(_:)``, which requests only images that are in use.
  /// - Returns: the failure of each future, in the same order; nil if a new image arrived or the old image is still valid.
  @discardableResult public nonisolated(nonsending) func reload() async -> [FutureImage.Failure?] {
    let reloads = enumerated().flatMap { offset, future in future.root.reloads.map { (offset, $0) } }
    var failures = [FutureImage.Failure?](repeating: nil, count: count)
    for (reload, failure) in zip(reloads, await FutureImage.reload(reloads.map(\.1))) { failures[reload.0] = failures[reload.0] ?? failure }
    return failures
  }
}
