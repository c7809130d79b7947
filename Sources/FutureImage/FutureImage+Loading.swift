/// The future's side of loading: its requests to the loader, on any thread.
extension FutureImage {
  func begin(_ descriptor: Descriptor) {
    begin(descriptor, descriptor.loader.register(self, descriptor))
  }

  /// - Parameter revision: the generation of the image when the future was registered.
  func begin(_ descriptor: Descriptor, _ revision: UInt32) {
    let loader = descriptor.loader
    assertNoLockIsHeld()
    // Unless the server requires revalidation before the image is shown.
    if let image = imageInTier(descriptor) ?? loader.pool.largest(descriptor.variant(revision)),
      case let standing = loader.standing(inMemory: descriptor.source), standing != .unconfirmed
    {
      state.withLock { state in
        guard state.revision <= revision, state.natural == nil else { return }
        state.revision = revision
        state.stage = .fetched
      }
      if adopt(image, at: revision, for: descriptor) { loader.countPoolHit() }
      if standing == .stale { revalidate() }
      return
    }
    if state.withLock({ $0.enqueue(revision) }) { loader.requestBytesInTurn(of: self, descriptor) }
  }

  /// Whether a failed future tries again.
  enum Retrying {
    case no
    /// Retries, unless a permanent failure still applies to the source.
    case unlessRefused
    /// Retries: the permanent failure is known to have expired.
    case always
  }

  /// Gets the pixels that are needed and missing: from the pool, from bytes in memory, or by a request for bytes.
  /// - Parameters:
  ///   - steps: the steps that views need, in addition to those of waiters.
  ///   - onlyIfAwaited: whether to do nothing without waiters, which may all have their results by now.
  func pursue(_ steps: Set<Step> = [], retrying: Retrying, onlyIfAwaited: Bool = false) {
    guard let descriptor else { return }
    change { state in
      if onlyIfAwaited, !state.hasWaiters { return Effects() }
      if retrying == .no, state.hasFailed { return Effects() }
      // The age of the failure is read outside the lock.
      if retrying != .always, let refusal = state.refusal { return Effects(next: .restart(refusal, steps, onlyIfAwaited: onlyIfAwaited)) }
      let missing = state.missingPixels(steps, descriptor)
      if !missing.isEmpty {
        if let encoded = state.encoded {
          state.stage = .fetched
          return Effects(next: .pixels(state.requestPixels(missing, of: self), from: encoded), mustCommit: state.mustCommitStage())
        }
        if state.wish == .none {
          state.stage = .fetched
          return Effects(next: .pooled(missing), mustCommit: state.mustCommitStage())
        }
        state.wish.request?.steps.formUnion(missing.map(\.step))
      }
      guard state.wish.request == nil else { return Effects(next: .promotion(state.urgency)) }
      // A future in the backlog leaves it.
      guard state.natural == nil || state.wish == .queued else { return Effects() }
      state.stage = .waiting
      let request = LoadRequest(.bytes, of: self)
      state.wish = .requested(request)
      return Effects(next: .bytes(request, state.urgency), mustCommit: state.mustCommitStage())
    }
  }

  /// Asks the source whether the image is still valid. A visible change follows only if it is not.
  func revalidate() {
    guard let descriptor, descriptor.policy.asksSource else { return }
    let request = LoadRequest(.bytes, of: self)
    let former = state.withLock { state in
      defer { state.revalidation = request }
      return state.revalidation
    }
    descriptor.loader.revalidate(request, descriptor)
    // Two reads may both find the entry stale. Only one request may stay registered, because `deinit` cancels one.
    if let former { descriptor.loader.cancel([former], descriptor) }
  }

  /// The reason why the bytes are needed now, for the queue.
  var urgency: Rank.Reason { state.withLock { $0.urgency } }

  /// Whether the future has ever had the image. An image that must be revalidated before it is shown was revalidated then, and a view may
  /// continue to show it, as a page does with its images: HTML, section 4.8.4.3.5, "The list of available images".
  var hasHadPicture: Bool { state.withLock { $0.natural != nil && !$0.isSubstitute } }

  /// The bytes, if this future has them.
  var keptBytes: Encoded? { state.withLock { $0.encoded } }

  /// Returns the bytes of the other future's generation, not of an earlier or later one.
  func keptBytes(like other: FutureImage) -> Encoded? {
    let revision = other.state.withLock { $0.revision }
    return state.withLock { $0.revision == revision && !$0.isSubstitute ? $0.encoded : nil }
  }

  /// Calls the closure with the lock held. Retains the images that the state references weakly until the lock is free: otherwise, their
  /// last release might be inside it.
  func withImages<Result>(_ body: (inout State) -> Result) -> Result {
    // Race: pictures released inside a future's lock.
    let (result, images) = state.withLock { state in
      let images = (state.best, state.visible)
      return (body(&state), images)
    }
    withExtendedLifetime(images) {}
    return result
  }
}

extension FutureImage.State {
  /// Enqueues a new future in the backlog.
  /// - Returns: false if there is nothing to wait for: a reload may already have delivered a newer image, and two threads may use a
  ///   deferred future at once.
  fileprivate mutating func enqueue(_ revision: UInt32) -> Bool {
    guard self.revision <= revision, natural == nil, case .waiting = stage, wish == .none else { return false }
    self.revision = revision
    wish = .queued
    return true
  }

  fileprivate var hasFailed: Bool {
    if let request = wish.request { return request.pixelsHaveFailed }
    return if case .failed = stage { wish == .none } else { false }
  }

  /// The failure in which the future ended. Whether it still applies is read outside the lock.
  var refusal: Refusals.Refusal? {
    guard wish == .none, case .failed(let refusal) = stage, refusal.answers else { return nil }
    return refusal
  }

  /// Returns the pixels that waiters and views need of an image whose size is known, and that are not requested yet.
  /// The smallest is first, because it is decoded soonest and a view can show it in the meantime.
  /// - Parameter steps: the steps that views need.
  func missingPixels(_ steps: Set<Step>, _ descriptor: Descriptor) -> [PixelPool.Key] {
    guard let natural, !steps.isEmpty || hasWaiters else { return [] }
    let steps = steps.union(waiters.map { Step(showing: natural, $0.fitting) })
    let variant = descriptor.variant(revision, isSubstitute: isSubstitute)
    let keys = steps.sorted().map { PixelPool.Key(variant: variant, step: $0) }
    return pixelRequests.isEmpty ? keys : keys.filter { key in !pixelRequests.contains { $0.pixels == key } }
  }

  /// Records requests for pixels of the image, whose bytes are in memory.
  mutating func requestPixels(_ keys: [PixelPool.Key], of future: FutureImage) -> [LoadRequest] {
    if keys.isEmpty { return [] }
    let requests = keys.map { LoadRequest(.pixels($0), of: future) }
    pixelRequests += requests
    return requests
  }

  /// Requests bytes to decode at these steps.
  mutating func requestBytes(for steps: Set<Step>, of future: FutureImage) -> FutureImage.Effects {
    if let request = wish.request {
      request.steps.formUnion(steps)
      return FutureImage.Effects()
    }
    guard wish == .none else { return FutureImage.Effects() }
    let request = LoadRequest(.bytes, of: future, for: steps)
    wish = .requested(request)
    return FutureImage.Effects(next: .bytes(request, urgency))
  }
}
