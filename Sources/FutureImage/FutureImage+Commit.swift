extension FutureImage {
  /// What became visible at once.
  struct Change {
    var arrived: [UIImage]
    var revision: UInt32
    var calls: [@MainActor @Sendable () -> Void]
    /// Nil where nobody looks at it.
    var phase: Phase?
    /// Tasks whose reload is over.
    var reloads: [ReloadWaiter]
    /// A reader of `image` still lacks the whole picture, which nobody held.
    var mustPursue = false
  }

  /// Makes all that happened since the last time visible: observers, then views, then those who asked to be called.
  @MainActor func commit() {
    // Observers, which few futures have, are told before it changes, too.
    let change = withImages { $0.observers == nil ? $0.commit() : nil } ?? commitTellingObservers()
    assertNoLockIsHeld()
    for image in change.arrived { show(image, change.revision) }
    pursueForViews()
    if change.mustPursue { pursue(retrying: .no) }
    if let phase = change.phase { present(applyingAppearance(to: phase)) }
    for call in change.calls { call() }
    for reload in change.reloads { reload.end(reload.failure) }
  }

  // Whoever has observers once keeps them.
  @MainActor private func commitTellingObservers() -> Change {
    let observers = state.withLock { $0.watching() }
    observers.registrar.willSet(self, keyPath: \.phase)
    observers.registrar.willSet(self, keyPath: \.image)
    let (change, stage, progress, parts, streams) = withImages { state in
      let change = state.commit()
      let streams = change.phase.map { observers.streams.take(for: $0) }
      return (change, state.stage, observers.progress, observers.parts.compactMap(\.progress), streams)
    }
    observers.registrar.didSet(self, keyPath: \.image)
    observers.registrar.didSet(self, keyPath: \.phase)
    progress?.show(stage)
    for part in parts { part.show(stage, isPart: true) }
    if let phase = change.phase { streams?.pass(applyingAppearance(to: phase)) }
    return change
  }
}

extension FutureImage.State {
  fileprivate mutating func commit() -> FutureImage.Change {
    let lacksPicture = pendingCommit == .dueWithoutPicture
    let arrived = makeVisible()
    pendingCommit = .none
    defer { if !calls.isEmpty { calls = [] } }
    return FutureImage.Change(
      arrived: arrived, revision: revision, calls: calls, phase: watched == .phase ? phase : nil,
      reloads: takeEndedReloads(), mustPursue: lacksPicture && reader.waitsForPixels)
  }
}
