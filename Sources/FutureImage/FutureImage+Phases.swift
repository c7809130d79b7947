extension FutureImage {
  /// The current phase and those that follow, until the future has nothing more to do: the last one is `.fetched`, `.ready` or `.failed`.
  ///
  /// Iterating requests nothing. A picture that no view shows and nobody awaits is never decoded, so its last phase is `.fetched`;
  /// ``phases(fitting:)`` requests its pixels, too. The future lives as long as the iteration. Any thread.
  public var phases: AsyncStream<Phase> {
    let future = root
    return future.makeStream { continuation in
      let (id, phase) = future.state.withLock { state in
        let phase = state.phase
        // Inside the lock, so that no later phase can come before this one.
        if !phase.isSettled { continuation.yield(phase) }
        return (phase.isSettled ? nil : state.watching().streams.insert(continuation, requestsPixels: false), phase)
      }
      guard let id else { return continuation.end(with: future.applyingAppearance(to: phase)) }
      continuation.onTermination = { _ in future.removeStream(id) }
    }
  }

  /// The current phase and those that follow, until the picture with at least the pixels that a box of that size shows: the last one is
  /// `.ready` with that picture, or `.failed`.
  ///
  /// Iterating requests the picture, as ``value(fitting:)`` does, and ending the iteration withdraws the request. The future lives as long
  /// as the iteration. Any thread.
  public func phases(fitting: Fitting) -> AsyncStream<Phase> {
    let future = root
    return future.makeStream { continuation in
      let id = future.state.withLock { state in
        if !state.phase.isFinal { continuation.yield(state.phase) }
        return state.watching().streams.insert(continuation, requestsPixels: true)
      }
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

  private func makeStream(_ begin: (AsyncStream<Phase>.Continuation) -> Void) -> AsyncStream<Phase> {
    AsyncStream(bufferingPolicy: .unbounded) { continuation in
      if descriptor == nil { continuation.end(with: phase) } else { begin(continuation) }
    }
  }

  private func removeStream(_ id: UInt64) {
    // Released outside of the lock.
    let removed = state.withLock { $0.observers?.streams.remove(id) }
    withExtendedLifetime(removed) {}
  }
}

/// The streams of a future's phases that have not ended.
struct PhaseStreams {
  private struct Stream {
    let continuation: AsyncStream<FutureImage.Phase>.Continuation
    /// Its last phase comes from the request that it made.
    let requestsPixels: Bool
  }

  private var streams: [UInt64: Stream] = [:]
  private var last: UInt64 = 0

  var isEmpty: Bool { streams.isEmpty }

  fileprivate mutating func insert(_ continuation: AsyncStream<FutureImage.Phase>.Continuation, requestsPixels: Bool) -> UInt64 {
    last += 1
    streams[last] = Stream(continuation: continuation, requestsPixels: requestsPixels)
    return last
  }

  fileprivate mutating func remove(_ id: UInt64) -> AsyncStream<FutureImage.Phase>.Continuation? {
    streams.removeValue(forKey: id)?.continuation
  }

  /// Removes the streams that end with the phase.
  /// - Returns: all that are to pass it on.
  mutating func take(for phase: FutureImage.Phase) -> PhaseStreams {
    let all = self
    if phase.isSettled { streams = streams.filter(\.value.requestsPixels) }
    return all
  }

  /// Not inside a lock.
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
  /// Whether nothing more happens unless somebody asks.
  fileprivate var isSettled: Bool {
    if case .fetched = self { true } else { isFinal }
  }
}

extension AsyncStream<FutureImage.Phase>.Continuation {
  fileprivate func end(with phase: FutureImage.Phase) {
    yield(phase)
    finish()
  }
}
