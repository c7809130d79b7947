/// Visible changes, on the main actor. A change that is visible waits for a turn of it, in which ``commit()`` shows it.
extension FutureImage {
  /// Changes that become visible together.
  private struct Change {
    let arrived: [UIImage]
    let revision: UInt32
    let calls: [@MainActor @Sendable () -> Void]
    /// Nil if nothing observes it.
    let phase: Phase?
    /// The waiters whose reload has ended.
    let reloads: [ReloadWaiter]

    /// Removes from the reader what has changed since the last commit.
    init(takenFrom reader: Reader, _ state: inout Loader.State) {
      arrived = state.makeVisible(reader)
      reader.pendingCommit = .none
      revision = reader.revision
      calls = reader.takeCalls()
      phase = reader.watched == .phase ? reader.phase : nil
      reloads = reader.observers?.takeEndedReloads() ?? []
    }
  }

  /// Makes all changes since the last commit visible: notifies observers, then updates views, then calls the callbacks.
  @MainActor func commit() {
    guard let reader else { return }
    let signpost = Signpost("commit", key)
    defer { signpost.end() }
    // Observers, which few futures have, are also notified before the change.
    let change =
      reader.descriptor.loader.state.withLock { reader.observers == nil ? Change(takenFrom: reader, &$0) : nil }
      ?? commitTellingObservers(reader)
    assertNoLockIsHeld()
    for image in change.arrived { show(image, change.revision) }
    pursueForViews()
    showFailureInLeases()
    if let phase = change.phase { present(applyingAppearance(to: phase)) }
    for call in change.calls { call() }
    for reload in change.reloads { reload.end(reload.failure?.of(reader.descriptor.source)) }
  }

  // A future that has observers once retains them.
  @MainActor private func commitTellingObservers(_ reader: Reader) -> Change {
    let loader = reader.descriptor.loader
    let (observers, changesImage) = loader.state.withLock { (reader.watching(), $0.changesImage(reader)) }
    observers.registrar.willSet(self, keyPath: \.phase)
    if changesImage { observers.registrar.willSet(self, keyPath: \.image) }
    let (change, stage, progress, parts, streams) = loader.state.withLock { state in
      let change = Change(takenFrom: reader, &state)
      let streams = change.phase.map { observers.streams.take(for: $0) }
      return (change, reader.stage, observers.progress, observers.parts.compactMap(\.progress), streams)
    }
    if changesImage {
      observers.registrar.didSet(self, keyPath: \.image)
    } else if !change.arrived.isEmpty {
      // It arrived in between.
      observers.registrar.withMutation(of: self, keyPath: \.image) {}
    }
    observers.registrar.didSet(self, keyPath: \.phase)
    progress?.show(stage)
    for part in parts { part.show(stage, isPart: true) }
    if let phase = change.phase { streams?.pass(applyingAppearance(to: phase)) }
    return change
  }
}

extension FutureImage.Loader.State {
  /// Whether ``makeVisible(_:)`` may change the visible image.
  fileprivate mutating func changesImage(_ reader: Reader) -> Bool {
    !reader.arrived.isEmpty || reader.pendingCommit == .dueWithoutImage && retained(reader.best) != nil
      || reader.isDeleted && retained(reader.visible) != nil
  }
}

extension Reader {
  /// The phase as it is visible.
  var phase: FutureImage.Phase {
    if let visible { return .ready(visible) }
    return switch visibleStage {
    case .waiting: .waiting
    case .loading(let fraction): .loading(fraction)
    case .fetched: .fetched
    case .failed(let refusal): .failed(refusal.failure.of(descriptor.source))
    }
  }

  /// Removes the calls to make on the main actor.
  fileprivate func takeCalls() -> [@MainActor @Sendable () -> Void] {
    let calls = calls
    if !calls.isEmpty { self.calls = [] }
    return calls
  }
}
