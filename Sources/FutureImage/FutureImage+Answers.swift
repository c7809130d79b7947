/// The handling of the loader's answers, on any thread.
extension FutureImage {
  /// Handles the answer to a request. Ignores an answer to a canceled request.
  func take(_ answer: Answer, for request: LoadRequest) {
    guard let descriptor else { return }
    switch answer {
    case .later: break
    case .progress(let fraction): change { $0.advance(to: fraction) }
    case .bytes(let encoded): takeBytes(encoded, descriptor) { $0.receive(encoded, for: request) }
    case .substitute(let encoded): receiveSubstitute(encoded, for: request, descriptor)
    case .confirmation(let encoded): takeBytes(encoded, descriptor) { $0.confirm(encoded, for: request) }
    case .image(let image):
      if let key = request.pixels { adopt(image, at: key.variant.revision, for: descriptor) { $0.endPixels(request) } }
    case .failure(let refusal) where request.pixels == nil: fail(refusal.of(descriptor.source), for: request, descriptor)
    case .failure(let refusal): change { $0.failPixels(refusal.of(descriptor.source), for: request, descriptor) }
    case .refusal(let refusal, _) where refusal.holds: fail(refusal.of(descriptor.source), for: request, descriptor)
    case .refusal(_, let number): descriptor.loader.requestBytes(request, of: self, descriptor, forgetting: number)
    case .undecodable: change { $0.requestBetterBytes(than: request, of: self) }
    case .notCached: miss(request, descriptor)
    }
  }

  /// Adopts a decoded image: makes it visible to views and observers, stores the largest one in the policy's memory tier, then calls the
  /// waiters.
  /// - Returns: whether the image was adopted. It is not if another image has replaced it since.
  @discardableResult func adopt(
    _ image: UIImage, at revision: UInt32, for descriptor: Descriptor, if isWanted: (inout State) -> Bool = { _ in true }
  ) -> Bool {
    let share = room(for: image, descriptor)
    let adopted = withImages { state -> (told: [Waiter], isBest: Bool, mustCommit: Bool)? in
      // Race: an older picture adopted over a newer one.
      guard state.revision == revision, isWanted(&state) else { return nil }
      let (told, mustCommit) = state.adopt(image, share)
      return (told, state.best === image && !state.isSubstitute, mustCommit)
    }
    guard let adopted else { return false }
    if adopted.mustCommit { scheduleCommit(descriptor) }
    passOn(image, at: revision, isBest: adopted.isBest, to: adopted.told, descriptor)
    return true
  }

  /// Stores the largest image in the policy's memory tier, then calls the waiters.
  private func passOn(_ image: UIImage, at revision: UInt32, isBest: Bool, to waiters: [Waiter], _ descriptor: Descriptor) {
    assertNoLockIsHeld()
    if isBest, let tier = descriptor.policy.memory { descriptor.loader.store(image, at: revision, of: descriptor.key, in: tier) }
    for waiter in waiters { waiter.tell(.success(image)) }
  }

  /// The room to retain an image until it is shown; nil if there is none, or nothing watches the image.
  private func room(for image: UIImage, _ descriptor: Descriptor) -> ArrivedBytes.Share? {
    state.withLock { $0.watched > .nothing } ? descriptor.loader.arrivedBytes.share(of: image.byteCount) : nil
  }

  /// Replaces the image with a new one. The old image stays where it is shown until the new one can be shown.
  /// - Parameters:
  ///   - decoded: the only pixels that were needed of the old image, made of the new one. Views of this future show them without measuring
  ///     again, if the image has not changed its size: then they need the same step of it.
  ///   - answered: the requests that this answers. A later request, a reload of the new image, continues.
  func replace(by encoded: Encoded, decoded: PixelPool.Living? = nil, answering answered: Set<LoadRequest>) {
    guard let descriptor else { return }
    let pixels = decoded.flatMap { $0.key.variant == descriptor.variant(encoded.revision) ? $0.image : nil }
    takeBytes(encoded, descriptor, decoded: pixels) { $0.replace(by: encoded, answering: answered) }
  }

  /// Takes bytes that arrived for other futures after this future's own request for them had failed.
  func recover(with encoded: Encoded) {
    if let descriptor { takeBytes(encoded, descriptor) { $0.recover(with: encoded) } }
  }

  /// Retains bytes that the disk tier does not store.
  func keep(_ encoded: Encoded) {
    var kept = encoded
    kept.isStored = false
    if state.withLock({ $0.keep(kept) }) { descriptor?.loader.hold(kept) }
  }

  /// Releases bytes beyond the loader's byte limit.
  func letGo(of share: HeldBytes.Share) {
    let bytes = state.withLock { state -> Encoded? in
      guard let bytes = state.encoded, bytes.share === share else { return nil }
      state.encoded = nil
      return bytes
    }
    // Released outside the lock.
    withExtendedLifetime(bytes) {}
  }

  // MARK: Bytes

  /// Receives a substitute, unless the image itself has arrived.
  private func receiveSubstitute(_ encoded: Encoded, for request: LoadRequest, _ descriptor: Descriptor) {
    guard let revision = state.withLock({ $0.natural == nil || $0.isSubstitute ? $0.revision : nil }) else {
      let failure = failure(.transport(.avoidedNetwork))
      return take(.failure(Refusals.Refusal(passing: failure)), for: request)
    }
    var encoded = encoded
    encoded.revision = revision
    takeBytes(encoded, descriptor) { $0.receive(encoded, for: request) }
  }

  /// Takes bytes that arrived.
  /// - Parameter decoded: the pixels that views need of the bytes if these replace an image of the same size.
  private func takeBytes(_ encoded: Encoded, _ descriptor: Descriptor, decoded: UIImage? = nil, how: (inout State) -> State.Taking) {
    let share = decoded.flatMap { room(for: $0, descriptor) }
    let (taking, effects, isHeld, adopted) = withImages { state -> (State.Taking, Effects, Bool, (image: UIImage, told: [Waiter])?) in
      let former = state.natural
      let taking = how(&state)
      let steps: Set<Step>
      switch taking {
      case .refused: return (taking, Effects(), false, nil)
      case .answered:
        state.stage = .fetched
        // A reader that registered while the request was pending relies on its answer.
        // Race: a wish that came while an outdated answer was told.
        return (taking, Effects(next: .pursuit, mustCommit: state.mustCommit()), false, nil)
      // Views that are gone need no pixels.
      case .taken(let needed): steps = state.isBound ? needed : []
      case .replaced: steps = []
      }
      if state.wish == .none { state.stage = .fetched }
      // Uses the future's own variant: steps are those of the transformed image, and views are measured against it.
      let whole = descriptor.variant(encoded.revision).plan(for: encoded.size).whole
      state.size = encoded.isSubstitute ? .substitute(whole) : .whole(whole)
      let isFirst = state.mustCommit()
      // In the same step: a commit in between would measure the views, and search for their pixels.
      let adopted = state.isBound && former == whole ? decoded.map { ($0, state.adopt($0, share).told) } : nil
      let requests = state.requestPixels(state.missingPixels(steps, descriptor), of: self)
      state.encoded = state.isBound || !encoded.isStored || descriptor.disk == nil ? encoded : nil
      let next: Effects.Next = requests.isEmpty ? .nothing : .pixels(requests, from: encoded)
      return (taking, Effects(next: next, mustCommit: isFirst), state.hasBytes, adopted)
    }
    if isHeld { descriptor.loader.hold(encoded) }
    perform(effects)
    // Only in this case: otherwise the tier may already have the newer image.
    // Race: a memory tier emptied for an older picture.
    if case .replaced = taking { descriptor.policy.memory?.remove(forKey: descriptor.key.text) }
    if let adopted { passOn(adopted.image, at: encoded.revision, isBest: true, to: adopted.told, descriptor) }
  }

  private func fail(_ refusal: Refusals.Refusal, for request: LoadRequest, _ descriptor: Descriptor) {
    change { $0.failBytes(refusal, for: request) }
    // Another future's bytes may have arrived before this future failed. It was not notified of them.
    // Race: a failure told after another's success.
    let mayShow = hasHadPicture || descriptor.loader.standing(inMemory: descriptor.source) != .unconfirmed
    if mayShow, let known = descriptor.loader.knownBytes(of: descriptor.key, besides: self, for: request) { recover(with: known) }
  }

  /// Handles a miss in all caches, where the source must not be asked. The policy's memory tier may have gained the image since.
  private func miss(_ request: LoadRequest, _ descriptor: Descriptor) {
    let loader = descriptor.loader
    let revision = state.withLock { $0.revision }
    if let image = imageInTier(descriptor), loader.standing(inMemory: descriptor.source) != .unconfirmed,
      adopt(image, at: revision, for: descriptor, if: { $0.endFetched(request) })
    {
      return loader.countPoolHit()
    }
    fail(notCached, for: request, descriptor)
  }
}

/// The transitions. Each changes only the state, and returns the effects.
extension FutureImage.State {
  typealias Effects = FutureImage.Effects

  /// The outcome for bytes that arrive.
  enum Taking {
    /// The bytes of the current image.
    /// - Parameter steps: the steps that views are known to need.
    case taken(for: Set<Step>)
    /// The bytes of another image, which replaces the current one.
    case replaced
    /// The bytes answer a request, but bring nothing new: newer ones were taken already, or the image has not changed.
    case answered
    case refused
  }

  /// Records a transfer's start or progress.
  fileprivate mutating func advance(to fraction: Double?) -> Effects {
    guard wish != .none else { return Effects() }
    if case .loading(let before?) = stage, before > fraction ?? 0 { return Effects() }
    stage = .loading(fraction)
    return Effects(mustCommit: mustCommitStage())
  }

  fileprivate mutating func receive(_ encoded: Encoded, for request: LoadRequest) -> Taking {
    // Requested before the future learned that these bytes replace others.
    // Race: an answer told before the future has heard of the newer picture.
    if revision < encoded.revision { return replace(by: encoded, answering: [request]) }
    guard wish.end(request) else { return .refused }
    // Answered before the image was replaced, but delivered afterward: the newer bytes were taken already.
    return encoded.revision < revision ? .answered : .taken(for: request.steps)
  }

  /// Handles the source's confirmation that a cached image is still valid.
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
    // The future failed before it could learn of the images in between.
    leavePicture(for: encoded.revision)
    return .replaced
  }

  fileprivate mutating func replace(by encoded: Encoded, answering answered: Set<LoadRequest>) -> Taking {
    revalidation = nil
    let isNewer = revision < encoded.revision
    // The bytes also answer a future in the backlog, which asked before. Two reloads may be delivered in the wrong order.
    let isAnswer = wish.request.map { answered.contains($0) } ?? (isNewer && wish == .queued)
    if isAnswer { wish = .none }
    // Race: two reloads told of in the wrong order.
    guard isNewer else { return isAnswer ? .answered : .refused }
    leavePicture(for: encoded.revision)
    return .replaced
  }

  /// Removes the current image, which another one replaces.
  mutating func leavePicture(for revision: UInt32) {
    self.revision = revision
    best = nil
    depart(arrived)
    arrived = []
    arrivedShares = []
    if pendingCommit == .dueWithoutPicture { pendingCommit = .due }
    pixelRequests = []
    wish.request?.pixelsHaveFailed = false
  }

  /// Adopts a decoded image, and makes it visible.
  /// - Parameter share: the room to retain it until it is shown; nil if there is none, or nothing watches the image.
  /// - Returns: the waiters for it, and whether the caller must have the main actor make it visible.
  fileprivate mutating func adopt(_ image: UIImage, _ share: ArrivedBytes.Share?) -> (told: [FutureImage.Waiter], mustCommit: Bool) {
    let natural = self.natural ?? image.naturalSize
    if case .unknown = size { size = .whole(natural) }
    if best.map({ $0.step < image.step }) ?? true { best = image }
    let isHeld = share != nil || watched == .nothing
    if isHeld {
      arrived.append(image)
      if let share { arrivedShares.append(share) }
    }
    let mustCommit = mustCommit(isHeld ? .due : .dueWithoutPicture)
    guard hasWaiters else { return ([], mustCommit) }
    let told = waiters.filter { Step(showing: natural, $0.fitting) <= image.step }
    waiters.removeAll { Step(showing: natural, $0.fitting) <= image.step }
    return (told, mustCommit)
  }

  /// Ends a reload that found nothing.
  fileprivate mutating func endUnchanged(_ request: LoadRequest) -> Effects {
    // Readers may have registered in the meantime.
    // Race: a wait that came while a reload found nothing new.
    endFetched(request) ? Effects(next: .pursuit, mustCommit: mustCommit()) : Effects()
  }

  /// Retains bytes that no disk tier has.
  /// - Returns: whether they belong to the future's current image.
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

  /// Handles a failed request for bytes. A failed reload removes nothing: waiters get the existing image.
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
    // A failed transform, or a lack of memory, says nothing about the bytes, which may exist nowhere else.
    if refusal.failure.isOfBytes || descriptor.disk != nil && !hasUnstoredBytes { encoded = nil }
    fail(refusal)
    wish.request?.pixelsHaveFailed = true
    return tell(refusal.failure)
  }

  mutating func fail(_ refusal: Refusals.Refusal) {
    // A failed reload does not affect the existing image.
    stage = wish.isReload && natural != nil ? .fetched : .failed(refusal)
  }

  /// Delivers the failure to all waiters.
  mutating func tell(_ failure: FutureImage.Failure) -> Effects {
    // Race: a waiter told inside the future's lock.
    let told = takeWaiters()
    return Effects(mustCommit: mustCommit(), told: told, result: .failure(failure))
  }

  /// - Returns: whether the future still had the request.
  fileprivate mutating func endPixels(_ request: LoadRequest) -> Bool {
    guard let index = pixelRequests.firstIndex(of: request) else { return false }
    pixelRequests.remove(at: index)
    return true
  }

  /// Handles a disk tier's bytes that cannot be decoded.
  fileprivate mutating func requestBetterBytes(than request: LoadRequest, of future: FutureImage) -> Effects {
    guard pixelRequests.contains(request) else { return Effects() }
    // Other sizes would be decoded from the same bytes.
    let steps = Set(pixelRequests.compactMap(\.pixels?.step))
    var effects = Effects(canceled: pixelRequests.filter { $0 != request })
    pixelRequests = []
    // Better bytes may have arrived for another size in the meantime.
    let better = encoded.flatMap { $0.isFromDisk ? nil : $0 }
    encoded = better
    guard wish == .none else { return effects }
    if let better {
      effects.next = .pixels(requestPixels(variantKeys(steps, like: request), of: future), from: better)
    } else {
      let bytes = LoadRequest(.betterBytes, of: future, for: steps)
      wish = .requested(bytes)
      effects.next = .bytes(bytes, urgency)
    }
    return effects
  }

  private func variantKeys(_ steps: Set<Step>, like request: LoadRequest) -> [PixelPool.Key] {
    guard let variant = request.pixels?.variant else { return [] }
    return steps.sorted().map { PixelPool.Key(variant: variant, step: $0) }
  }
}

extension FutureImage.Failure {
  /// Whether a retry is worthwhile when the image is requested again. A lookup in the caches costs no request.
  var mayPass: Bool { isTransient || isCancelled || reason == .notCached }

  /// Whether the bytes may be the reason why their decode failed.
  var isOfBytes: Bool {
    switch reason {
    case .cancelled, .transformFailed, .outOfMemory: false
    default: true
    }
  }

  /// Whether the future itself caused the failure, so that the success of others does not change it.
  fileprivate var isOfFuture: Bool {
    switch reason {
    case .cancelled, .transformFailed: true
    default: false
    }
  }
}
