extension FutureImage {
  /// Returns the current phase and all later phases. The stream retains the future. Any thread may call this method.
  ///
  ///     for await phase in photo.phases(fitting: .full) { show(phase) }
  ///
  /// - Parameter fitting: a box in pixels, or nil. With a box, iterating requests the image, as ``value(fitting:confirmed:)`` does, and
  ///   ending the iteration withdraws the request. The last phase is `.failed`, or `.ready` with an image that has at least the pixels that
  ///   the box shows. As with ``value``, the last phase may arrive a little before ``image`` and the views have the image.
  ///
  ///   Without a box, iterating requests nothing, and the stream ends when the future has nothing more to do. If no view shows the image
  ///   and no task awaits it, the image is never decoded, so the last phase is `.fetched`.
  public func phases(fitting: Fitting? = nil) -> AsyncStream<Phase> {
    let future = root
    return if let fitting { future.requestedPhases(fitting) } else { future.observedPhases() }
  }

  private func observedPhases() -> AsyncStream<Phase> {
    makeStream(endingWith: \.isSettled) { continuation in
      let known = withReader { reader -> (id: UInt64?, phase: Phase) in
        let phase = reader.phase
        // After a reload, a new phase may be about to replace this one. The next commit, which makes changes of the image visible, yields
        // the new phase.
        if phase.isSettled, reader.pendingCommit == .none { return (nil, phase) }
        // The phase is yielded inside the lock, so that no later phase can precede it.
        if !phase.isSettled { continuation.yield(phase) }
        return (watching(reader).streams.insert(continuation, requestsPixels: false), phase)
      }
      guard let known else { return continuation.finish() }
      guard let id = known.id else { return continuation.end(with: reader?.applyingAppearance(to: known.phase) ?? known.phase) }
      continuation.onTermination = { [self] _ in removeStream(id) }
    }
  }

  private func requestedPhases(_ fitting: Fitting) -> AsyncStream<Phase> {
    makeStream(endingWith: \.isFinal) { continuation in
      let known = withReader { reader -> (id: UInt64, phase: Phase) in
        let phase = reader.phase
        if !phase.isFinal { continuation.yield(phase) }
        return (watching(reader).streams.insert(continuation, requestsPixels: true), phase)
      }
      guard let id = known?.id else { return continuation.finish() }
      let waiter = WaiterID()
      continuation.onTermination = { [self] _ in
        leave(waiter)
        removeStream(id)
      }
      wait(fitting, waiter) { result in
        switch result {
        case .success(let image): continuation.end(with: .ready(image))
        case .failure(let failure): continuation.end(with: .failed(failure))
        }
      }
    }
  }

  private func makeStream(
    endingWith isLast: @escaping @Sendable (Phase) -> Bool, _ begin: (AsyncStream<Phase>.Continuation) -> Void
  ) -> AsyncStream<Phase> {
    guard descriptor != nil else { return AsyncStream { $0.end(with: phase) } }
    start()
    return AsyncStream(endingWith: isLast, begin)
  }

  private func removeStream(_ id: UInt64) {
    // The continuation is released outside the lock.
    let removed = withReader { $0.observers?.streams.remove(id) }
    withExtendedLifetime(removed) {}
  }
}

extension AsyncStream<FutureImage.Phase> {
  /// Creates a stream of the phases that are yielded to its continuation.
  /// - Parameter isLast: whether a phase is the last phase of the stream. The stream does not deliver phases that are yielded after it.
  ///   There may be such phases, because a continuation cannot yield the last phase and finish in one step, so another thread may yield in
  ///   between.
  init(endingWith isLast: @escaping @Sendable (Element) -> Bool, _ begin: (Continuation) -> Void) {
    let (phases, hasEnded) = (AsyncStream(bufferingPolicy: .unbounded, begin), Lock(false))
    self.init {
      // A new iterator continues where the former one stopped, because all iterators of a stream share one sequence of phases.
      var iterator = phases.makeAsyncIterator()
      // Without the check for cancellation, a canceled task would also get phases that were yielded after its cancellation. For example, if
      // code cancels a task and then the future, the task would get the phase of the canceled future.
      guard let phase = await iterator.next(), !Task.isCancelled, !hasEnded.withLock({ $0 }) else { return nil }
      if isLast(phase) { hasEnded.withLock { $0 = true } }
      return phase
    }
  }
}
