extension FutureImage {
  /// Changes that become visible together.
  struct Change {
    var arrived: [UIImage]
    var revision: UInt32
    var calls: [@MainActor @Sendable () -> Void]
    /// Nil if nothing observes it.
    var phase: Phase?
    /// The waiters whose reload has ended.
    var reloads: [ReloadWaiter]
    /// Whether a reader of `image` still lacks the whole image, which was not retained.
    var mustPursue = false
  }

  /// Makes all changes since the last commit visible: notifies observers, then updates views, then calls the callbacks.
  @MainActor func commit() {
    // Observers, which few futures have, are also notified before the change.
    let change = withImages { $0.observers == nil ? $0.commit() : nil } ?? commitTellingObservers()
    assertNoLockIsHeld()
    for image in change.arrived { show(image, change.revision) }
    pursueForViews()
    if change.mustPursue { pursue(retrying: .no) }
    if let phase = change.phase { present(applyingAppearance(to: phase)) }
    for call in change.calls { call() }
    for reload in change.reloads { reload.end(reload.failure) }
  }

  // A future that has observers once retains them.
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
