import Observation

extension FutureImage {
  /// The observers of a future's properties, progress, phases, and reloads. A future that nothing observes has no such object.
  final class Observers: @unchecked Sendable {
    // Sendable: the loader's lock guards the fields.

    let registrar = ObservationRegistrar()
    var progress: Progress?
    /// The parts of the progress of collections. Each collection has its own part, because a progress can have only one parent.
    var parts: [Part] = []
    var streams = PhaseStreams()
    /// The waiters for the current reload.
    var reloads: [ReloadWaiter] = []
    /// The waiters whose reload has ended. The next commit calls them.
    private var endedReloads: [ReloadWaiter] = []

    /// Records that the reload has ended.
    /// - Parameter failure: the reason why it failed; nil if a new image arrived, or the former image is still valid.
    func endReloads(_ failure: Failure?) {
      for var waiter in reloads {
        waiter.failure = failure
        endedReloads.append(waiter)
      }
      reloads = []
    }

    func takeEndedReloads() -> [ReloadWaiter] {
      let ended = endedReloads
      if !ended.isEmpty { endedReloads = [] }
      return ended
    }

    var hasReloads: Bool { !reloads.isEmpty || !endedReloads.isEmpty }

    /// Removes and returns a waiter that stops waiting.
    func takeReload(_ id: ObjectIdentifier) -> ReloadWaiter? {
      reloads.firstIndex { $0.id == id }.map { reloads.remove(at: $0) }
        ?? endedReloads.firstIndex { $0.id == id }.map { endedReloads.remove(at: $0) }
    }
  }

  /// A part of the progress of a collection.
  struct Part {
    weak var progress: Progress?
  }

  /// A task that waits until the source has answered a reload.
  struct ReloadWaiter: Sendable {
    let id: ObjectIdentifier
    var failure: Failure?
    /// Called once, on any thread.
    let end: @Sendable (Failure?) -> Void
  }
}

extension Reader {
  /// Returns the observers, and creates them if there are none.
  func watching() -> FutureImage.Observers {
    watch(.phase)
    if let observers { return observers }
    let made = FutureImage.Observers()
    observers = made
    return made
  }

  /// Records that something watches these changes of the reader.
  func watch(_ part: Watched) {
    guard watched < part else { return }
    // From now on, the visible stage changes only with a commit.
    if part == .phase { visibleStage = stage }
    watched = part
  }
}

/// The streams of a future's phases that have not ended.
struct PhaseStreams {
  private struct Stream {
    let continuation: AsyncStream<FutureImage.Phase>.Continuation
    /// Whether the stream has requested pixels. If so, its last phase is the result of that request.
    let requestsPixels: Bool
  }

  private var streams: [UInt64: Stream] = [:]
  private var last: UInt64 = 0

  var isEmpty: Bool { streams.isEmpty }
  var count: Int { streams.count }

  mutating func insert(_ continuation: AsyncStream<FutureImage.Phase>.Continuation, requestsPixels: Bool) -> UInt64 {
    last += 1
    streams[last] = Stream(continuation: continuation, requestsPixels: requestsPixels)
    return last
  }

  mutating func remove(_ id: UInt64) -> AsyncStream<FutureImage.Phase>.Continuation? {
    streams.removeValue(forKey: id)?.continuation
  }

  /// Removes the streams that end with the phase.
  /// - Returns: all streams, including the removed ones.
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

extension AsyncStream<FutureImage.Phase>.Continuation {
  func end(with phase: FutureImage.Phase) {
    yield(phase)
    finish()
  }
}
