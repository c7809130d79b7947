/// The future's side of loading: what it requests from the loader, on any thread.
extension FutureImage {
  func begin(_ descriptor: Descriptor) {
    begin(descriptor, descriptor.loader.register(self, descriptor))
  }

  /// - Parameter revision: the picture's when the loader got to know the future.
  func begin(_ descriptor: Descriptor, _ revision: UInt32) {
    let loader = descriptor.loader
    assertNoLockIsHeld()
    // Unless the server wants to be asked before anything of it is shown.
    if let image = imageInTier(descriptor) ?? loader.pool.largest(descriptor.variant(revision)),
      case let standing = loader.standing(inMemory: descriptor.key), standing != .unconfirmed
    {
      state.withLock { state in
        guard state.revision <= revision, state.natural == nil else { return }
        state.revision = revision
        state.stage = .fetched
      }
      if adopt(image, revision, descriptor) { loader.countPoolHit() }
      if standing == .stale { revalidate() }
      return
    }
    if state.withLock({ $0.enqueue(revision) }) { loader.requestBytesInTurn(of: self, descriptor) }
  }

  /// Whether a future that has failed tries again.
  enum Retrying {
    case no
    /// Unless a permanent failure still answers for the source.
    case unlessRefused
    /// The memory of the failure is known to be over.
    case always
  }

  /// Goes after the pixels that are needed and not here: from the pool, from bytes at hand, else by a request for bytes.
  /// - Parameters:
  ///   - steps: what views need, besides what waiters do.
  ///   - onlyIfAwaited: whether it is done for waiters alone: they may all have been told since they came.
  func pursue(_ steps: Set<Step> = [], retrying: Retrying, onlyIfAwaited: Bool = false) {
    guard let descriptor else { return }
    change { state in
      if onlyIfAwaited, !state.hasWaiters { return Effects() }
      if retrying == .no, state.hasFailed { return Effects() }
      // Its age is asked outside of the lock.
      if retrying != .always, let refusal = state.refusal { return Effects(next: .restart(refusal, steps, onlyIfAwaited: onlyIfAwaited)) }
      return state.requestMissing(steps, of: self, descriptor)
    }
  }

  /// Asks whether the picture that is here still holds; what comes of it is seen only if it does not.
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

  /// Why its bytes are wanted now, for the queue.
  var urgency: Rank.Reason { state.withLock { $0.urgency } }

  /// Whether it has had the picture in its life. What must be asked about before it is shown was asked about then, and a view may go on
  /// showing it, like a page its images: HTML, section 4.8.4.3.5, "The list of available images".
  var hasHadPicture: Bool { state.withLock { $0.natural != nil && !$0.isSubstitute } }

  /// The bytes, if this future has them.
  var keptBytes: Encoded? { state.withLock { $0.encoded } }

  /// The bytes of the same picture, not of one that it replaced or was replaced by.
  func keptBytes(like other: FutureImage) -> Encoded? {
    let revision = other.state.withLock { $0.revision }
    return state.withLock { $0.revision == revision && !$0.isSubstitute ? $0.encoded : nil }
  }

  /// Runs with the lock. The images that the state knows weakly live until the lock is free again: read inside of it, they might be released
  /// there last.
  func withImages<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, images) = state.withLock { state in
      let images = (state.best, state.visible)
      return (body(&state), images)
    }
    withExtendedLifetime(images) {}
    return result
  }
}

extension FutureImage.State {
  /// Puts a new future into the backlog.
  /// - Returns: false if there is nothing to wait for: a reload may have told of a newer picture already, and two threads may use a deferred
  ///   future at once.
  fileprivate mutating func enqueue(_ revision: UInt32) -> Bool {
    guard self.revision <= revision, natural == nil, case .waiting = stage, wish == .none else { return false }
    self.revision = revision
    wish = .queued
    return true
  }

  fileprivate var hasFailed: Bool {
    if case .failed = stage { wish == .none } else { false }
  }

  /// The permanent failure that the future has ended in. Whether it still answers is asked outside of the lock.
  var refusal: Refusals.Refusal? {
    guard wish == .none, case .failed(let refusal) = stage, !refusal.failure.mayPass else { return nil }
    return refusal
  }

  /// Requests what is missing.
  fileprivate mutating func requestMissing(_ steps: Set<Step>, of future: FutureImage, _ descriptor: Descriptor) -> FutureImage.Effects {
    let missing = missingPixels(steps, descriptor)
    if !missing.isEmpty {
      if let encoded {
        stage = .fetched
        return FutureImage.Effects(next: .pixels(requestPixels(missing, of: future), from: encoded), mustCommit: mustCommitStage())
      }
      if wish == .none {
        stage = .fetched
        return FutureImage.Effects(next: .pooled(missing), mustCommit: mustCommitStage())
      }
      wish.request?.steps.formUnion(missing.map(\.step))
    }
    if let request = wish.leaveBacklog(of: future) { return FutureImage.Effects(next: .bytes(request, urgency)) }
    guard wish == .none else { return FutureImage.Effects(next: .promotion(urgency)) }
    guard natural == nil else { return FutureImage.Effects() }
    stage = .waiting
    let request = LoadRequest(.bytes, of: future)
    wish = .requested(request)
    return FutureImage.Effects(next: .bytes(request, urgency), mustCommit: mustCommitStage())
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
