/// The only way out of a future's lock. A transition of ``State`` changes the state and returns its effects; ``perform(_:)`` performs them.
/// A change that is visible waits for a turn of the main actor, in which ``commit()`` shows it.
extension FutureImage {
  /// The consequences of a change of the state.
  struct Effects {
    /// The requests to cancel.
    var canceled: [LoadRequest] = []
    var next = Next.nothing
    /// Whether the main actor has to make the change visible.
    var mustCommit = false
    /// The waiters to call, and the result that they get.
    var told: [Waiter] = []
    var result: Result<UIImage, Failure>?

    /// The next thing that the future needs.
    enum Next {
      case nothing
      /// Bytes that are already requested.
      case promotion(Rank.Reason)
      /// Bytes, for which to register this request.
      case bytes(LoadRequest, Rank.Reason)
      /// Pixels, for which to register these requests.
      case pixels([LoadRequest], from: Encoded)
      /// Pixels from the pool, otherwise bytes to decode.
      case pooled([PixelPool.Key])
      /// Another search for missing pixels, if the permanent failure no longer applies to the source.
      case restart(Refusals.Refusal, Set<Step>, onlyIfAwaited: Bool)
      /// Another search for missing pixels.
      case pursuit
    }
  }

  /// Changes the state, and performs the effects before this returns.
  func change(_ body: (inout State) -> Effects) { perform(state.withLock(body)) }

  func perform(_ effects: Effects) {
    guard let descriptor else { return }
    let loader = descriptor.loader
    if !effects.canceled.isEmpty { loader.cancel(effects.canceled, descriptor) }
    switch effects.next {
    case .nothing, .pursuit: break
    case .restart(let refusal, let steps, let onlyIfAwaited):
      if !refusal.holds { pursue(steps, retrying: .always, onlyIfAwaited: onlyIfAwaited) }
    case .promotion(let urgency): loader.promoteBytes(descriptor, reason: urgency)
    case .bytes(let request, let urgency): loader.requestBytes(request, of: self, descriptor, reason: urgency)
    case .pixels(let requests, let encoded): loader.requestPixels(requests, of: self, descriptor, from: encoded)
    case .pooled(let keys): takeFromPool(keys, descriptor)
    }
    if effects.mustCommit { scheduleCommit(descriptor) }
    if let result = effects.result, !effects.told.isEmpty {
      assertNoLockIsHeld()
      for waiter in effects.told { waiter.tell(result) }
    }
    if case .pursuit = effects.next { pursue(retrying: .no) }
  }

  /// Takes pixels from the pool, without bytes in memory. Pixels missing there are decoded when bytes arrive.
  private func takeFromPool(_ keys: [PixelPool.Key], _ descriptor: Descriptor) {
    var missing: Set<Step> = []
    for key in keys {
      guard let image = descriptor.loader.pooled(key) else {
        missing.insert(key.step)
        continue
      }
      adopt(image, at: key.variant.revision, for: descriptor)
    }
    if !missing.isEmpty { change { $0.requestBytes(for: missing, of: self) } }
  }

  func scheduleCommit(_ descriptor: Descriptor) {
    descriptor.loader.deliver { self.commit() }
  }
}

/// Visible changes, on the main actor.
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

    /// Removes from the state what has changed since the last commit.
    fileprivate init(takenFrom state: inout State) {
      arrived = state.makeVisible()
      state.pendingCommit = .none
      (revision, calls) = (state.revision, state.calls)
      if !calls.isEmpty { state.calls = [] }
      phase = state.watched == .phase ? state.phase : nil
      reloads = state.takeEndedReloads()
    }
  }

  /// Makes all changes since the last commit visible: notifies observers, then updates views, then calls the callbacks.
  @MainActor func commit() {
    let signpost = Signpost("commit", key)
    defer { signpost.end() }
    // Observers, which few futures have, are also notified before the change.
    let change = withImages { $0.observers == nil ? Change(takenFrom: &$0) : nil } ?? commitTellingObservers()
    assertNoLockIsHeld()
    for image in change.arrived { show(image, change.revision) }
    pursueForViews()
    showFailureInLeases()
    if let phase = change.phase { present(applyingAppearance(to: phase)) }
    for call in change.calls { call() }
    for reload in change.reloads { reload.end(reload.failure) }
  }

  // A future that has observers once retains them.
  @MainActor private func commitTellingObservers() -> Change {
    let (observers, changesImage) = withImages { ($0.watching(), $0.changesImage) }
    observers.registrar.willSet(self, keyPath: \.phase)
    if changesImage { observers.registrar.willSet(self, keyPath: \.image) }
    let (change, stage, progress, parts, streams) = withImages { state in
      let change = Change(takenFrom: &state)
      let streams = change.phase.map { observers.streams.take(for: $0) }
      return (change, state.stage, observers.progress, observers.parts.compactMap(\.progress), streams)
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

extension FutureImage.State {
  /// Makes a change visible: at once if nothing watches the image.
  /// - Returns: whether the caller must have the main actor do it.
  mutating func mustCommit(_ commit: PendingCommit = .due) -> Bool {
    guard watched > .nothing else {
      makeVisible()
      return false
    }
    let isFirst = pendingCommit == .none
    if pendingCommit != .dueWithoutPicture { pendingCommit = commit }
    return isFirst
  }

  /// Makes a change visible if only the stage has changed, which a view without a presentation does not show.
  mutating func mustCommitStage() -> Bool {
    guard watched < .phase else { return mustCommit() }
    visibleStage = stage
    return false
  }

  /// Whether ``makeVisible()`` may change the visible image.
  fileprivate var changesImage: Bool {
    !arrived.isEmpty || pendingCommit == .dueWithoutPicture && best != nil || isDeleted && visible != nil
  }

  /// - Returns: the images that arrived.
  @discardableResult mutating func makeVisible() -> [UIImage] {
    visibleStage = stage
    takeMissed()
    if isDeleted { visible = nil }
    guard !arrived.isEmpty else { return [] }
    defer {
      arrived = []
      arrivedShares = []
    }
    if let largest = arrived.max(by: { $0.step < $1.step }), visibleRevision != revision || visible.map({ $0.step <= largest.step }) ?? true
    {
      visible = largest
      visibleRevision = revision
    }
    return arrived
  }

  /// Shows an image that was not retained, if it still exists. Otherwise, views that lack it request it again.
  private mutating func takeMissed() {
    guard pendingCommit == .dueWithoutPicture else { return }
    pendingCommit = .due
    guard let best else { return }
    // This may be its last reference.
    depart([best])
    arrived.append(best)
  }
}
