extension FutureImage {
  /// Makes all that happened since the last time visible: observers, then views, then those who asked to be called.
  @MainActor func commit() {
    let observers = state.withLock { $0.observers }
    if let observers {
      observers.registrar.willSet(self, keyPath: \.phase)
      observers.registrar.willSet(self, keyPath: \.image)
    }
    let (arrived, revision, stage, calls, progress, parts, streams, phase) = state.withLock { state in
      state.isCommitDue = false
      let arrived = state.makeVisible()
      let phase = state.phase
      let streams = state.observers.map { Array($0.streams.values) } ?? []
      defer {
        if !state.calls.isEmpty { state.calls = [] }
        if phase.isFinal, let observers = state.observers { observers.streams = [:] }
      }
      let parts = state.observers?.parts.compactMap(\.progress) ?? []
      return (arrived, state.revision, state.stage, state.calls, state.observers?.progress, parts, streams, phase)
    }
    if let observers {
      observers.registrar.didSet(self, keyPath: \.image)
      observers.registrar.didSet(self, keyPath: \.phase)
      progress?.show(stage)
      for part in parts { part.show(stage, isPart: true) }
      for stream in streams {
        stream.yield(phase)
        if phase.isFinal { stream.finish() }
      }
    }
    for image in arrived { show(image, revision) }
    pursueForViews()
    present(phase)
    for call in calls { call() }
  }
}
