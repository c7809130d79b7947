/// The answers of the loader to a future, taken on any thread.
extension FutureImage {
  /// Takes the answer to a request. One to a request that was given up is not heard.
  func take(_ answer: Answer, for request: LoadRequest) {
    guard let descriptor else { return }
    switch answer {
    case .progress(let fraction): change { $0.advance(to: fraction) }
    case .bytes(let encoded): take(encoded, descriptor) { $0.receive(encoded, for: request) }
    case .substitute(let encoded): receiveSubstitute(encoded, for: request, descriptor)
    case .confirmation(let encoded): take(encoded, descriptor) { $0.confirm(encoded, for: request) }
    case .image(let image):
      if let key = request.pixels { adopt(image, key.variant.revision, descriptor) { $0.endPixels(request) } }
    case .failure(let refusal) where request.pixels == nil: fail(refusal, for: request, descriptor)
    case .failure(let refusal): change { $0.failPixels(refusal, for: request, descriptor) }
    case .undecodable: change { $0.requestBetterBytes(than: request, of: self) }
    case .notCached: miss(request, descriptor)
    }
  }

  /// Takes in a picture that is there: views and observers learn of it, the policy's memory tier is given the largest, then those who
  /// waited are told.
  /// - Returns: whether it was taken: not if the picture has been replaced by another since.
  @discardableResult func adopt(
    _ image: UIImage, _ revision: UInt32, _ descriptor: Descriptor, if isWanted: (inout State) -> Bool = { _ in true }
  ) -> Bool {
    let share = state.withLock({ $0.watched > .nothing }) ? descriptor.loader.arrivedBytes.share(of: image.byteCount) : nil
    let adopted = withImages { state -> (told: [Waiter], isBest: Bool, mustCommit: Bool)? in
      guard state.revision == revision, isWanted(&state) else { return nil }
      let (told, mustCommit) = state.adopt(image, share)
      return (told, state.best === image && !state.isSubstitute, mustCommit)
    }
    guard let adopted else { return false }
    if adopted.mustCommit { scheduleCommit(descriptor) }
    assertNoLockIsHeld()
    if adopted.isBest, let memory = descriptor.policy.memory { descriptor.loader.store(image, revision, descriptor.key, in: memory) }
    for waiter in adopted.told { waiter.tell(.success(image)) }
    return true
  }

  /// Another picture came in place of the one that there was: that one stays where it is shown until the new one can be.
  /// - Parameter answered: the requests that this answers. One that came later, a reload of the new picture, goes on.
  func replace(by encoded: Encoded, answering answered: Set<LoadRequest>) {
    if let descriptor { take(encoded, descriptor) { $0.replace(by: encoded, answering: answered) } }
  }

  /// The bytes came for others, after this future's own request for them had failed.
  func recover(with encoded: Encoded) {
    if let descriptor { take(encoded, descriptor) { $0.recover(with: encoded) } }
  }

  /// The disk tier does not take the bytes.
  func keep(_ encoded: Encoded) {
    var kept = encoded
    kept.isStored = false
    if state.withLock({ $0.keep(kept) }) { descriptor?.loader.hold(kept) }
  }

  /// The loader's futures hold too many bytes.
  func letGo(of share: HeldBytes.Share) {
    let bytes = state.withLock { state -> Encoded? in
      guard let bytes = state.encoded, bytes.share === share else { return nil }
      state.encoded = nil
      return bytes
    }
    // Not inside the lock.
    withExtendedLifetime(bytes) {}
  }

  // MARK: Bytes

  /// It takes no picture's place that is here already.
  private func receiveSubstitute(_ encoded: Encoded, for request: LoadRequest, _ descriptor: Descriptor) {
    guard let revision = state.withLock({ $0.natural == nil || $0.isSubstitute ? $0.revision : nil }) else {
      let failure = Failure(.transport(.avoidedNetwork), source: descriptor.key.text)
      return take(.failure(Refusals.Refusal(passing: failure)), for: request)
    }
    var encoded = encoded
    encoded.revision = revision
    take(encoded, descriptor) { $0.receive(encoded, for: request) }
  }

  /// Takes in bytes.
  private func take(_ encoded: Encoded, _ descriptor: Descriptor, how: (inout State) -> State.Taking) {
    let (taking, effects, isHeld) = state.withLock { state -> (State.Taking, Effects, Bool) in
      let taking = how(&state)
      switch taking {
      case .refused: return (taking, Effects(), false)
      case .answered:
        state.stage = .fetched
        // A reader that came while the request was still there counts on its answer.
        return (taking, Effects(next: .pursuit, mustCommit: state.mustCommit()), false)
      case .taken(let steps): return (taking, state.take(encoded, for: steps, of: self, descriptor), state.hasBytes)
      case .replaced: return (taking, state.take(encoded, for: [], of: self, descriptor), state.hasBytes)
      }
    }
    if isHeld { descriptor.loader.hold(encoded) }
    perform(effects)
    // Only then: else the newer one may be in the tier by now.
    if case .replaced = taking { descriptor.policy.memory?.remove(forKey: descriptor.key.text) }
  }

  private func fail(_ refusal: Refusals.Refusal, for request: LoadRequest, _ descriptor: Descriptor) {
    change { $0.failBytes(refusal, for: request) }
    // Another future's bytes may have come before this one had failed, so it was not told of them.
    let mayShow = hasHadPicture || descriptor.loader.standing(inMemory: descriptor.key) != .unconfirmed
    if mayShow, let known = descriptor.loader.knownBytes(of: descriptor.key, besides: self) { recover(with: known) }
  }

  /// No cache has the bytes, and the source is not to be asked. The policy's memory tier may have been filled since.
  private func miss(_ request: LoadRequest, _ descriptor: Descriptor) {
    let loader = descriptor.loader
    let revision = state.withLock { $0.revision }
    if let image = imageInTier(descriptor), loader.standing(inMemory: descriptor.key) != .unconfirmed,
      adopt(image, revision, descriptor, if: { $0.endFetched(request) })
    {
      return loader.countPoolHit()
    }
    fail(notCached, for: request, descriptor)
  }
}

/// The transitions. Each changes the state alone, and returns what follows.
extension FutureImage.State {
  typealias Effects = FutureImage.Effects

  /// The fate of bytes that come.
  enum Taking {
    /// They are the picture's.
    /// - Parameter steps: those that views are known to need.
    case taken(for: Set<Step>)
    /// They are those of another picture, which takes the place of the one there was.
    case replaced
    /// They answer a request, and bring nothing new: newer ones were taken already, or the picture is still the same.
    case answered
    case refused
  }

  /// The transfer runs, or got further.
  fileprivate mutating func advance(to fraction: Double?) -> Effects {
    guard wish != .none else { return Effects() }
    if case .loading(let before?) = stage, before > fraction ?? 0 { return Effects() }
    stage = .loading(fraction)
    return Effects(mustCommit: mustCommitStage())
  }

  fileprivate mutating func receive(_ encoded: Encoded, for request: LoadRequest) -> Taking {
    // Requested before the future has heard that they replace others.
    if revision < encoded.revision { return replace(by: encoded, answering: [request]) }
    guard wish.end(request) else { return .refused }
    // Answered before the picture was replaced and told after: the newer bytes were taken already.
    return encoded.revision < revision ? .answered : .taken(for: request.steps)
  }

  /// The source says that the picture which a cache has is still valid.
  fileprivate mutating func confirm(_ encoded: Encoded, for request: LoadRequest) -> Taking {
    if revalidation == request { revalidation = nil }
    guard natural != nil else { return receive(encoded, for: request) }
    return wish.end(request) ? .answered : .refused
  }

  fileprivate mutating func recover(with encoded: Encoded) -> Taking {
    guard wish == .none, case .failed(let refusal) = stage, !refusal.failure.isOfFuture, revision <= encoded.revision else {
      return .refused
    }
    guard revision < encoded.revision else { return .taken(for: []) }
    // It failed before it could hear of the pictures in between.
    leavePicture(for: encoded.revision)
    return .replaced
  }

  fileprivate mutating func replace(by encoded: Encoded, answering answered: Set<LoadRequest>) -> Taking {
    revalidation = nil
    let isNewer = revision < encoded.revision
    // A future that was in the backlog by then has asked before. Two reloads may be told of in the wrong order.
    let isAnswer = wish.request.map { answered.contains($0) } ?? (isNewer && wish == .queued)
    if isAnswer { wish = .none }
    guard isNewer else { return isAnswer ? .answered : .refused }
    leavePicture(for: encoded.revision)
    return .replaced
  }

  /// Another picture takes the place of the one there is.
  private mutating func leavePicture(for revision: UInt32) {
    self.revision = revision
    best = nil
    depart(arrived)
    arrived = []
    arrivedShares = []
    if pendingCommit == .dueWithoutPicture { pendingCommit = .due }
    pixelRequests = []
  }

  fileprivate mutating func take(
    _ encoded: Encoded, for steps: Set<Step>, of future: FutureImage, _ descriptor: Descriptor
  ) -> Effects {
    if wish == .none { stage = .fetched }
    // By the future's own variant: a step is one of the picture that comes out, and so are views measured against it.
    let whole = descriptor.variant(encoded.revision).plan(for: encoded.size).whole
    size = encoded.isSubstitute ? .substitute(whole) : .whole(whole)
    // Views that are gone need none.
    let requests = requestPixels(missingPixels(isBound ? steps : [], descriptor), of: future)
    self.encoded = isBound || !encoded.isStored || descriptor.disk == nil ? encoded : nil
    return Effects(next: requests.isEmpty ? .nothing : .pixels(requests, from: encoded), mustCommit: mustCommit())
  }

  /// A reload found nothing.
  fileprivate mutating func endUnchanged(_ request: LoadRequest) -> Effects {
    // Readers that came to wait meanwhile.
    endFetched(request) ? Effects(next: .pursuit, mustCommit: mustCommit()) : Effects()
  }

  /// Keeps bytes that no disk tier has.
  /// - Returns: whether they are those of the future's picture.
  fileprivate mutating func keep(_ unstored: Encoded) -> Bool {
    guard revision == unstored.revision, natural != nil else { return false }
    if encoded == nil { encoded = unstored } else { encoded?.isStored = false }
    return true
  }

  fileprivate mutating func endFetched(_ request: LoadRequest) -> Bool {
    guard wish.end(request) else { return false }
    stage = .fetched
    return true
  }

  // MARK: Failures

  /// A reload that failed takes nothing away: those who wait for the picture get the one there was.
  fileprivate mutating func failBytes(_ refusal: Refusals.Refusal, for request: LoadRequest) -> Effects {
    noteReload(request, failedWith: refusal.failure)
    if wish == .reloading(request), natural != nil { return endUnchanged(request) }
    guard wish.request == request else { return Effects() }
    fail(refusal)
    wish = .none
    return tell(refusal.failure)
  }

  fileprivate mutating func failPixels(_ refusal: Refusals.Refusal, for request: LoadRequest, _ descriptor: Descriptor) -> Effects {
    guard endPixels(request) else { return Effects() }
    // A transform that failed, or a lack of memory, says nothing of the bytes, which nobody else may have.
    if refusal.failure.isOfBytes || descriptor.disk != nil && !hasUnstoredBytes { encoded = nil }
    fail(refusal)
    return tell(refusal.failure)
  }

  mutating func fail(_ refusal: Refusals.Refusal) {
    // A reload that failed takes nothing away from the picture there was.
    stage = wish.isReload && natural != nil ? .fetched : .failed(refusal)
    if reader.waitsForPixels { reader = .none }
  }

  /// Tells all who wait why nothing comes.
  mutating func tell(_ failure: FutureImage.Failure) -> Effects {
    let told = takeWaiters()
    return Effects(mustCommit: mustCommit(), told: told, result: .failure(failure))
  }

  /// - Returns: whether the future still had the request.
  fileprivate mutating func endPixels(_ request: LoadRequest) -> Bool {
    guard let index = pixelRequests.firstIndex(of: request) else { return false }
    pixelRequests.remove(at: index)
    return true
  }

  /// The bytes of a disk tier gave no pixels.
  fileprivate mutating func requestBetterBytes(than request: LoadRequest, of future: FutureImage) -> Effects {
    guard pixelRequests.contains(request) else { return Effects() }
    // Other sizes would come of the same bytes.
    let steps = Set(pixelRequests.compactMap(\.pixels?.step))
    var effects = Effects(canceled: pixelRequests.filter { $0 != request })
    pixelRequests = []
    // They may have come for another size in the meantime.
    let better = encoded.flatMap { $0.isFromDisk ? nil : $0 }
    encoded = better
    guard wish == .none else { return effects }
    if let better {
      effects.next = .pixels(requestPixels(variantKeys(steps, like: request), of: future), from: better)
    } else {
      let bytes = LoadRequest(.bytes, of: future, for: steps)
      wish = .requested(bytes)
      effects.next = .bytes(bytes, urgency, isForBetter: true)
    }
    return effects
  }

  private func variantKeys(_ steps: Set<Step>, like request: LoadRequest) -> [PixelPool.Key] {
    guard let variant = request.pixels?.variant else { return [] }
    return steps.sorted().map { PixelPool.Key(variant: variant, step: $0) }
  }
}

extension FutureImage.Failure {
  /// Whether whoever asks anew is worth trying again for. A look into the caches costs no request.
  var mayPass: Bool { isTransient || isCancelled || reason == .notCached }

  /// Whether the bytes may be at fault, where their decode fails.
  var isOfBytes: Bool {
    switch reason {
    case .cancelled, .transformFailed, .outOfMemory: false
    default: true
    }
  }

  /// Whether it came of the future itself, and others' success changes nothing about it.
  fileprivate var isOfFuture: Bool {
    switch reason {
    case .cancelled, .transformFailed: true
    default: false
    }
  }
}
