extension FutureImage {
  /// The current phase and those that follow, until the future has nothing more to do: the last one is `.fetched`, `.ready`, or `.failed`.
  ///
  /// Iterating requests nothing. An image that no view shows and no task awaits is never decoded, so its last phase is `.fetched`.
  /// ``phases(fitting:)`` also requests its pixels. The iteration retains the future. ``Loader/settled()`` waits until a loop has handled
  /// the phases so far. Any thread may call it.
  public var phases: AsyncStream<Phase> {
    let future = root
    return future.makeStream(endingWith: \.isSettled) { feed in
      let known = future.withReader { reader -> (id: UInt64?, phase: Phase) in
        let phase = reader.phase
        // After a reload, a last phase may be about to give way to another, which the next commit yields.
        if phase.isSettled, reader.pendingCommit == .none { return (nil, phase) }
        // Inside the lock, so that no later phase can precede this one.
        if !phase.isSettled { feed.yield(phase) }
        return (future.watching(reader).streams.insert(feed, requestsPixels: false), phase)
      }
      guard let known else { return feed.finish() }
      guard let id = known.id else { return feed.end(with: future.reader?.applyingAppearance(to: known.phase) ?? known.phase) }
      feed.onTermination { future.removeStream(id) }
    }
  }

  /// Returns the current phase and those that follow. The last one is `.failed`, or `.ready` with an image that has at least the pixels
  /// that a box of that size shows.
  ///
  /// Iterating requests the image, as ``value(fitting:)`` does, and ending the iteration withdraws the request. As with ``value``, the last
  /// phase may arrive a little before ``image`` and the views have the image. The iteration retains the future. ``Loader/settled()`` waits
  /// until a loop has handled the phases so far. Any thread may call it.
  public func phases(fitting: Fitting) -> AsyncStream<Phase> {
    let future = root
    return future.makeStream(endingWith: \.isFinal) { feed in
      let known = future.withReader { reader -> (id: UInt64, phase: Phase) in
        let phase = reader.phase
        if !phase.isFinal { feed.yield(phase) }
        return (future.watching(reader).streams.insert(feed, requestsPixels: true), phase)
      }
      guard let id = known?.id else { return feed.finish() }
      let waiter = WaiterID()
      feed.onTermination {
        future.leave(waiter)
        future.removeStream(id)
      }
      future.wait(fitting, waiter) { result in
        switch result {
        case .success(let image): feed.end(with: .ready(image))
        case .failure(let failure): feed.end(with: .failed(failure))
        }
      }
    }
  }

  private func makeStream(
    endingWith isLast: @escaping @Sendable (Phase) -> Bool, _ begin: (PhaseReading.Feed) -> Void
  ) -> AsyncStream<Phase> {
    guard let descriptor else {
      return AsyncStream { continuation in
        continuation.yield(phase)
        continuation.finish()
      }
    }
    start()
    let reading = PhaseReading(descriptor.loader, isLast: isLast, begin)
    return AsyncStream { await reading.next() }
  }

  private func removeStream(_ id: UInt64) {
    // Released outside the lock.
    let removed = withReader { $0.observers?.streams.remove(id) }
    withExtendedLifetime(removed) {}
  }
}

/// The streams of a future's phases that have not ended.
struct PhaseStreams {
  private struct Stream {
    let feed: FutureImage.PhaseReading.Feed
    /// Whether the last phase comes from the stream's own request.
    let requestsPixels: Bool
  }

  private var streams: [UInt64: Stream] = [:]
  private var last: UInt64 = 0

  var isEmpty: Bool { streams.isEmpty }
  var count: Int { streams.count }

  fileprivate mutating func insert(_ feed: FutureImage.PhaseReading.Feed, requestsPixels: Bool) -> UInt64 {
    last += 1
    streams[last] = Stream(feed: feed, requestsPixels: requestsPixels)
    return last
  }

  fileprivate mutating func remove(_ id: UInt64) -> FutureImage.PhaseReading.Feed? {
    streams.removeValue(forKey: id)?.feed
  }

  /// Removes the streams that end with the phase.
  /// - Returns: all streams that yield it.
  mutating func take(for phase: FutureImage.Phase) -> PhaseStreams {
    let all = self
    if phase.isSettled { streams = streams.filter(\.value.requestsPixels) }
    return all
  }

  /// Yields the phase outside any lock.
  func pass(_ phase: FutureImage.Phase) {
    for stream in streams.values {
      if stream.requestsPixels {
        if !phase.isFinal { stream.feed.yield(phase) }
      } else if phase.isSettled {
        stream.feed.end(with: phase)
      } else {
        stream.feed.yield(phase)
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

extension FutureImage.PhaseReading.Feed {
  fileprivate func end(with phase: FutureImage.Phase) {
    yield(phase)
    finish()
  }
}
