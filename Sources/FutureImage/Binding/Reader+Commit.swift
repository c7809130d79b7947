/// Visible changes, which happen on the main actor. Each change waits for a turn of the main actor, in which ``commit(_:)`` makes it
/// visible.
extension Reader {
  /// Changes that become visible together.
  private struct Change {
    let arrived: [BaseImage]
    let revision: UInt32
    let calls: [@MainActor @Sendable () -> Void]
    /// The phase; nil if nothing observes it.
    let phase: FutureImage.Phase?
    /// The waiters whose reload has ended.
    let reloads: [FutureImage.ReloadWaiter]

    /// Removes the changes since the last commit from the reader.
    init(takenFrom reader: Reader, _ state: inout FutureImage.Loader.State) {
      arrived = state.makeVisible(reader)
      reader.pendingCommit = .none
      revision = reader.revision
      calls = reader.calls
      if !calls.isEmpty { reader.calls = [] }
      phase = reader.watched == .phase ? reader.phase : nil
      reloads = reader.observers?.takeEndedReloads() ?? []
    }
  }

  /// Makes all changes since the last commit visible: notifies observers, then updates views, then calls the callbacks.
  /// - Parameter owner: the future; nil if it is gone.
  @MainActor func commit(_ owner: Owner?) {
    let future = Self.future(owner)
    let signpost = Signpost("commit", descriptor.key.text)
    defer { signpost.end() }
    let change = takeChange(of: future)
    assertNoLockIsHeld()
    for image in change.arrived { show(image, of: future, change.revision) }
    measureViews()
    let phase = change.phase.map { applyingAppearance(to: $0) }
    for binding in bindings {
      if binding.isOfSubscription {
        showFailure(inSubscriptionOf: binding)
      } else if let phase {
        present(phase, of: future, in: binding)
      }
    }
    for call in change.calls { call() }
    for reload in change.reloads { reload.end(reload.failure?.of(descriptor.source)) }
  }

  /// Removes the changes since the last commit from the reader. Notifies the observers, which few futures have, before and after the
  /// removal.
  @MainActor private func takeChange(of future: FutureImage?) -> Change {
    let loader = descriptor.loader
    guard let future else { return loader.state.withLock { Change(takenFrom: self, &$0) } }
    // Race: a change that an observer added meanwhile never gets.
    if let change = loader.state.withLock({ self.observers == nil ? Change(takenFrom: self, &$0) : nil }) { return change }
    let (observers, changesImage) = loader.state.withLock { (watching(), $0.changesImage(self)) }
    observers.registrar.willSet(future, keyPath: \.phase)
    if changesImage { observers.registrar.willSet(future, keyPath: \.image) }
    let (change, stage, progress, parts, streams) = loader.state.withLock { state in
      let change = Change(takenFrom: self, &state)
      let streams = change.phase.map { observers.streams.take(for: $0) }
      return (change, self.stage, observers.progress, observers.parts.compactMap(\.progress), streams)
    }
    if changesImage {
      observers.registrar.didSet(future, keyPath: \.image)
    } else if !change.arrived.isEmpty {
      // The image arrived after `changesImage` was read.
      observers.registrar.withMutation(of: future, keyPath: \.image) {}
    }
    observers.registrar.didSet(future, keyPath: \.phase)
    progress?.show(stage)
    for part in parts { part.show(stage, isPart: true) }
    if let phase = change.phase { streams?.pass(applyingAppearance(to: phase)) }
    return change
  }
}

extension FutureImage.Loader.State {
  /// Whether ``makeVisible(_:)`` may change the visible image.
  fileprivate mutating func changesImage(_ reader: Reader) -> Bool {
    !reader.arrived.isEmpty || reader.pendingCommit == .dueWithoutImage && retained(reader.largestDecode) != nil
      || reader.isDeleted && retained(reader.visible) != nil
  }
}

extension Reader {
  /// The visible phase.
  var phase: FutureImage.Phase {
    if let visible { return .ready(visible) }
    return switch visibleStage {
    case .waiting: .waiting
    case .loading(let fraction): .loading(fraction)
    case .fetched: .fetched
    case .failed(let remembered): .failed(remembered.failure.of(descriptor.source))
    }
  }
}
