/// The loops over phases of a loader's futures, and which of them have phases to handle: ``FutureImage/Loader/settled()`` waits for those.
final class PhaseReaders: Sendable {
  private struct Reader {
    /// Phases that were given and not taken.
    var untaken = 0
    /// The task that took a phase and has not come back for the next one.
    var handler: TaskIdentity?
    var isHandling = false
    /// Whether the stream was ever iterated; until then nothing waits for it.
    var hasBegun = false

    var isBusy: Bool { hasBegun && (untaken > 0 || isHandling) }
  }

  private struct State {
    var readers: [UInt64: Reader] = [:]
    var last: UInt64 = 0
  }

  private let state = Lock(State())

  func add() -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.readers[state.last] = Reader()
      return state.last
    }
  }

  func remove(_ id: UInt64) {
    state.withLock { _ = $0.readers.removeValue(forKey: id) }
  }

  /// A phase is there for the reader. To be called before it can be taken.
  func give(_ id: UInt64) {
    state.withLock { $0.readers[id]?.untaken += 1 }
  }

  /// The reader's task comes for the next phase.
  func beginWaiting(_ id: UInt64, _ task: TaskIdentity?) {
    state.withLock { state in
      state.readers[id]?.hasBegun = true
      state.readers[id]?.isHandling = false
      state.readers[id]?.handler = task
    }
  }

  /// The reader's task goes off with a phase.
  func beginHandling(_ id: UInt64) {
    state.withLock { state in
      state.readers[id]?.untaken -= 1
      state.readers[id]?.isHandling = true
    }
  }

  /// Whether no reader has phases to handle, but for those of a task.
  func areIdle(besides task: TaskIdentity?) -> Bool {
    state.withLock { state in !state.readers.values.contains { $0.isBusy && (task == nil || $0.handler != task) } }
  }

  /// How many readers have phases to handle.
  var busyCount: Int { state.withLock { state in state.readers.values.count { $0.isBusy } } }
}
