extension FutureImage {
  /// One stream of phases, registered with the loader's ``PhaseReaders``. It ends when its stream is released.
  final class PhaseReading: Sendable {
    /// The end of the stream at which phases are added.
    struct Feed {
      private let continuation: AsyncStream<Phase>.Continuation
      private let readers: PhaseReaders
      private let id: UInt64

      fileprivate init(_ continuation: AsyncStream<Phase>.Continuation, readers: PhaseReaders, id: UInt64) {
        (self.continuation, self.readers, self.id) = (continuation, readers, id)
      }

      func yield(_ phase: Phase) {
        readers.give(id)
        continuation.yield(phase)
      }

      func finish() { continuation.finish() }

      /// Sets a closure that is called once, when the stream is finished, canceled or released.
      func onTermination(_ body: @escaping @Sendable () -> Void) {
        continuation.onTermination = { _ in body() }
      }
    }

    private let stream: AsyncStream<Phase>
    private let loader: Loader
    private let id: UInt64
    private let isLast: @Sendable (Phase) -> Bool
    private let isOver = Lock(false)

    /// - Parameter isLast: whether the stream ends with the phase. A phase that another thread adds after it is never delivered: a stream
    ///   cannot take its last element and end in one step.
    init(_ loader: Loader, isLast: @escaping @Sendable (Phase) -> Bool, _ begin: (Feed) -> Void) {
      let id = loader.phaseReaders.add()
      (self.loader, self.id, self.isLast) = (loader, id, isLast)
      stream = AsyncStream(bufferingPolicy: .unbounded) { begin(Feed($0, readers: loader.phaseReaders, id: id)) }
    }

    deinit { end() }

    /// The next phase, or nil at the end and once the task is canceled. The stream alone would still deliver phases added since then, such
    /// as the phase of a future that was canceled after its reader.
    func next() async -> Phase? {
      loader.phaseReaders.beginWaiting(id, .current)
      loader.lookWhatMayBegin()
      // All iterators of a stream take from the same phases.
      var iterator = stream.makeAsyncIterator()
      guard !isOver.withLock({ $0 }), let phase = await iterator.next(), !Task.isCancelled, !isOver.withLock({ $0 }) else {
        end()
        return nil
      }
      if isLast(phase) { isOver.withLock { $0 = true } }
      loader.phaseReaders.beginHandling(id)
      return phase
    }

    private func end() {
      loader.phaseReaders.remove(id)
      loader.lookWhatMayBegin()
    }
  }
}
