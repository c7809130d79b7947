/// The loops over the phases of a loader's futures. ``FutureImage/Loader/settled()`` waits for the loops that have phases to handle.
final class PhaseReaders: Sendable {
  private struct Reader {
    /// The number of phases that were added and not taken.
    var untaken = 0
    /// The task that requested a phase last.
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

  /// Notes that a phase was added for the reader. Call it before the phase can be taken.
  func give(_ id: UInt64) {
    state.withLock { $0.readers[id]?.untaken += 1 }
  }

  /// Notes that the reader's task requests the next phase.
  func beginWaiting(_ id: UInt64, _ task: TaskIdentity?) {
    state.withLock { state in
      state.readers[id]?.hasBegun = true
      state.readers[id]?.isHandling = false
      state.readers[id]?.handler = task
    }
  }

  /// Notes that the reader's task took a phase.
  func beginHandling(_ id: UInt64) {
    state.withLock { state in
      state.readers[id]?.untaken -= 1
      state.readers[id]?.isHandling = true
    }
  }

  /// Whether no reader has phases to handle, apart from the readers of a task.
  func areIdle(besides task: TaskIdentity?) -> Bool {
    state.withLock { state in !state.readers.values.contains { $0.isBusy && (task == nil || $0.handler != task) } }
  }

  /// The number of readers that have phases to handle.
  var busyCount: Int { state.withLock { state in state.readers.values.count { $0.isBusy } } }
}
