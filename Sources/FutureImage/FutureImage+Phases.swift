extension FutureImage {
  /// The current phase and all later phases, until the future has nothing more to do. The last phase is `.fetched`, `.ready`, or `.failed`.
  ///
  /// Iterating requests nothing. An image that no view shows and no task awaits is never decoded, so its last phase is `.fetched`. To
  /// request the pixels as well, use ``phases(fitting:)``. The iteration retains the future. Any thread may read this property.
  public var phases: AsyncStream<Phase> {
    let future = root
    return future.makeStream(endingWith: \.isSettled) { continuation in
      let known = future.withReader { reader -> (id: UInt64?, phase: Phase) in
        let phase = reader.phase
        // After a reload, a new phase may be about to replace this one. The next commit yields the new phase.
        if phase.isSettled, reader.pendingCommit == .none { return (nil, phase) }
        // The phase is yielded inside the lock, so that no later phase can precede it.
        if !phase.isSettled { continuation.yield(phase) }
        return (future.watching(reader).streams.insert(continuation, requestsPixels: false), phase)
      }
      guard let known else { return continuation.finish() }
      guard let id = known.id else { return continuation.end(with: future.reader?.applyingAppearance(to: known.phase) ?? known.phase) }
      continuation.onTermination = { _ in future.removeStream(id) }
    }
  }

  /// Returns the current phase and all later phases. The last phase is `.failed`, or `.ready` with an image that has at least the pixels
  /// that a box of the given size shows.
  ///
  /// Iterating requests the image, as ``value(fitting:)`` does, and ending the iteration withdraws the request. As with ``value``, the last
  /// phase may arrive a little before ``image`` and the views have the image. The iteration retains the future. Any thread may call this
  /// method.
  public func phases(fitting: Fitting) -> AsyncStream<Phase> {
    let future = root
    return future.makeStream(endingWith: \.isFinal) { continuation in
      let known = future.withReader { reader -> (id: UInt64, phase: Phase) in
        let phase = reader.phase
        if !phase.isFinal { continuation.yield(phase) }
        return (future.watching(reader).streams.insert(continuation, requestsPixels: true), phase)
      }
      guard let id = known?.id else { return continuation.finish() }
      let waiter = WaiterID()
      continuation.onTermination = { _ in
        future.leave(waiter)
        future.removeStream(id)
      }
      future.wait(fitting, waiter) { result in
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

/// The streams of a future's phases that have not ended.
struct PhaseStreams {
  private struct Stream {
    let continuation: AsyncStream<FutureImage.Phase>.Continuation
    /// Whether the last phase comes from the stream's own request.
    let requestsPixels: Bool
  }

  private var streams: [UInt64: Stream] = [:]
  private var last: UInt64 = 0

  var isEmpty: Bool { streams.isEmpty }
  var count: Int { streams.count }

  fileprivate mutating func insert(_ continuation: AsyncStream<FutureImage.Phase>.Continuation, requestsPixels: Bool) -> UInt64 {
    last += 1
    streams[last] = Stream(continuation: continuation, requestsPixels: requestsPixels)
    return last
  }

  fileprivate mutating func remove(_ id: UInt64) -> AsyncStream<FutureImage.Phase>.Continuation? {
    streams.removeValue(forKey: id)?.continuation
  }

  /// Removes the streams that end with the phase.
  /// - Returns: all streams that yield the phase, including the removed ones.
  mutating func take(for phase: FutureImage.Phase) -> PhaseStreams {
    let all = self
    if phase.isSettled { streams = streams.filter(\.value.requestsPixels) }
    return all
  }

  /// Yields the phase. Call this method outside any lock.
  func pass(_ phase: FutureImage.Phase) {
    for stream in streams.values {
      if stream.requestsPixels {
        if !phase.isFinal { stream.continuation.yield(phase) }
      } else if phase.isSettled {
        stream.continuation.end(with: phase)
      } else {
        stream.continuation.yield(phase)
      }
    }
  }
}

extension FutureImage.Phase {
  /// Whether the phase changes only after a new request.
  fileprivate var isSettled: Bool {
    if case .fetched = self { true } else { isFinal }
  }
}

extension AsyncStream<FutureImage.Phase> {
  /// Creates a stream of the phases that are yielded to its continuation.
  /// - Parameter isLast: whether a phase is the last one of the stream. The stream never delivers a phase that another thread yields after
  ///   the last one, although a continuation cannot yield its last phase and finish in one step.
  init(endingWith isLast: @escaping @Sendable (Element) -> Bool, _ begin: (Continuation) -> Void) {
    let (phases, isOver) = (AsyncStream(bufferingPolicy: .unbounded, begin), Lock(false))
    self.init {
      // All iterators of a stream share one sequence of phases.
      var iterator = phases.makeAsyncIterator()
      // Without the check for cancellation, a canceled task would also get phases that were yielded after its cancellation. An example is
      // the phase of a future that was canceled after its loop.
      guard let phase = await iterator.next(), !Task.isCancelled, !isOver.withLock({ $0 }) else { return nil }
      if isLast(phase) { isOver.withLock { $0 = true } }
      return phase
    }
  }
}

extension AsyncStream<FutureImage.Phase>.Continuation {
  fileprivate func end(with phase: FutureImage.Phase) {
    yield(phase)
    finish()
  }
}
