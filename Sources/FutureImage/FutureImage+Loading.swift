/// The future's side of loading: what it asks the loader for, and what it does with the answers. All on any thread.
extension FutureImage {
  func begin(_ descriptor: Descriptor) {
    begin(descriptor, descriptor.loader.welcome(self, descriptor))
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
      if adopt(image, revision, descriptor, if: { _ in true }) { loader.countPoolHit() }
      if standing == .stale { revalidate() }
      return
    }
    let ticket = state.withLock { state -> UInt32? in
      // A reload may have told of a newer picture already, and a deferred future may be used by two threads at once.
      guard state.revision <= revision, state.natural == nil, state.isUntried else { return nil }
      state.revision = revision
      let ticket = state.newTicket()
      state.wish = .putOff(ticket)
      return ticket
    }
    if let ticket { loader.wantBytesInTurn(self, descriptor, ticket) }
  }

  /// Takes in a picture that is there: views and observers learn of it, the policy's memory tier is given the largest, then those who
  /// waited are told.
  /// - Returns: whether it was taken: not if the picture has been replaced by another since.
  @discardableResult func adopt(
    _ image: UIImage, _ revision: UInt32, _ descriptor: Descriptor, if isWanted: (inout State) -> Bool
  ) -> Bool {
    let share = state.withLock({ $0.watched > .nothing }) ? descriptor.loader.arrivedBytes.share(of: image.byteCount) : nil
    let adopted = withImages { state -> (told: [Waiter], isBest: Bool, mustCommit: Bool)? in
      guard state.revision == revision, isWanted(&state) else { return nil }
      let told = state.adopt(image, share)
      return (told, state.best === image && !state.isSubstitute, state.mustCommit())
    }
    guard let adopted else { return false }
    if adopted.mustCommit { scheduleCommit(descriptor) }
    assertNoLockIsHeld()
    if adopted.isBest, let memory = descriptor.policy.memory {
      memory.store(image, forKey: descriptor.key.text)
      // Replaced in the meantime: what the replacing took out of the tier must not come back.
      if state.withLock({ $0.revision != revision }) { memory.remove(forKey: descriptor.key.text) }
    }
    for waiter in adopted.told { waiter.tell(.success(image)) }
    return true
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

  /// Why its bytes are wanted now, for the queue.
  var urgency: Rank.Reason { state.withLock { $0.urgency } }

  func isAsking(_ ticket: UInt32) -> Bool { state.withLock { $0.wish.ticket == ticket } }
  func isAsking(_ ask: PixelAsk) -> Bool { state.withLock { $0.pixelAsks.contains(ask) } }

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

  /// Goes after what somebody needs and is not there: pixels from the pool or from bytes at hand, else the bytes.
  /// - Parameters:
  ///   - steps: what views need, besides what waiters do.
  ///   - restarting: whether a failure is tried again that may pass, or whose memory is over.
  ///   - onlyIfAwaited: whether it is done for waiters alone: they may all have been told since they came.
  ///   - isPastRefusal: whether the memory of a failure is known to be over.
  func pursue(_ steps: Set<Step> = [], restarting: Bool, onlyIfAwaited: Bool = false, isPastRefusal: Bool = false) {
    enum Next {
      case nothing, promotion
      case restart(Refusals.Refusal)
      case bytes(UInt32)
      case pixels([PixelAsk], Encoded?)
    }
    guard let descriptor else { return }
    let (next, urgency, mustCommit) = state.withLock { state -> (Next, Rank.Reason, Bool) in
      let urgency = state.urgency
      guard !onlyIfAwaited || !state.waiters.isEmpty else { return (.nothing, urgency, false) }
      if case .failed = state.stage, state.wish == .none, !restarting { return (.nothing, urgency, false) }
      if !isPastRefusal, let refusal = state.refusal { return (.restart(refusal), urgency, false) }
      let asks = state.newAsks(for: steps, descriptor)
      if !asks.isEmpty, state.hasBytes || state.wish == .none {
        state.pixelAsks += asks
        state.stage = .fetched
        return (.pixels(asks, state.encoded), urgency, state.mustCommitStage())
      }
      if let ticket = state.wish.takeUp() { return (.bytes(ticket), urgency, false) }
      guard state.wish == .none else { return (.promotion, urgency, false) }
      guard state.natural == nil else { return (.nothing, urgency, false) }
      state.stage = .waiting
      return (.bytes(state.ask()), urgency, state.mustCommitStage())
    }
    if mustCommit { scheduleCommit(descriptor) }
    switch next {
    case .nothing: break
    case .restart(let refusal):
      // Its age is asked outside of the lock.
      if !refusal.holds { pursue(steps, restarting: true, onlyIfAwaited: onlyIfAwaited, isPastRefusal: true) }
    case .promotion: descriptor.loader.promoteBytes(descriptor, reason: urgency)
    case .bytes(let ticket): descriptor.loader.wantBytes(self, descriptor, ticket, reason: urgency)
    case .pixels(let asks, let encoded?): want(asks, from: encoded, descriptor)
    case .pixels(let asks, nil): wantFromPool(asks, descriptor)
    }
  }

  private func want(_ asks: [PixelAsk], from encoded: Encoded, _ descriptor: Descriptor) {
    let urgency = urgency
    for ask in asks {
      // Its closure is the source.
      if encoded.sized != nil, !descriptor.policy.asksSource, descriptor.loader.pool.image(ask.key.variant, atLeast: ask.key.step) == nil {
        decodingFailed(ask, notCached, mayFetchAgain: false)
        continue
      }
      if let image = descriptor.loader.wantPixels(self, descriptor, ask, from: encoded, reason: urgency) { decoded(image, for: ask) }
    }
  }

  /// Without bytes at hand: what the pool has not is taken back until they are here.
  private func wantFromPool(_ asks: [PixelAsk], _ descriptor: Descriptor) {
    var missing: [PixelAsk] = []
    for ask in asks {
      if let image = descriptor.loader.pooled(ask.key) { decoded(image, for: ask) } else { missing.append(ask) }
    }
    guard !missing.isEmpty else { return }
    let ticket = state.withLock { state -> UInt32? in
      let standing = state.pixelAsks.contains { missing.contains($0) }
      state.pixelAsks.removeAll { missing.contains($0) }
      return standing && state.wish == .none ? state.ask() : nil
    }
    if let ticket { descriptor.loader.wantBytes(self, descriptor, ticket, reason: urgency) }
  }

  func scheduleCommit(_ descriptor: Descriptor) {
    descriptor.loader.deliver { self.commit() }
  }

  // MARK: What the loader says

  /// The transfer runs, or got further.
  func advanced(_ fraction: Double?) {
    guard let descriptor else { return }
    let mustCommit = state.withLock { state in
      guard state.wish != .none else { return false }
      if case .loading(let before?) = state.stage, before > fraction ?? 0 { return false }
      state.stage = .loading(fraction)
      return state.mustCommitStage()
    }
    if mustCommit { scheduleCommit(descriptor) }
  }

  /// The bytes are there.
  func received(_ encoded: Encoded, _ ticket: UInt32) {
    // Asked for before the future has heard that they replace others.
    if state.withLock({ $0.revision < encoded.revision }) { return replaced(by: encoded, answering: [Ask(self, ticket)]) }
    take(encoded) { state in
      guard state.wish.end(ticket) else { return .refused }
      // Answered before the picture was replaced and told after: the newer bytes were taken already.
      return encoded.revision < state.revision ? .outdated : .taken
    }
  }

  /// Bytes of a smaller picture are there. It takes no picture's place that is here already.
  func substituted(_ encoded: Encoded, _ ticket: UInt32) {
    guard state.withLock({ $0.natural == nil || $0.isSubstitute }) else {
      return failed(Refusals.Refusal(passing: Failure(.transport(.avoidedNetwork), source: descriptor?.key.text ?? "")), ticket)
    }
    var encoded = encoded
    encoded.revision = state.withLock { $0.revision }
    received(encoded, ticket)
  }

  /// The failure that its source had answered with does not count any more.
  func askAgain(_ ticket: UInt32, past refusal: UInt64) {
    if let descriptor { descriptor.loader.wantBytes(self, descriptor, ticket, past: refusal) }
  }

  /// The bytes came for others, after this future's own wish for them had failed.
  func recovered(by encoded: Encoded) {
    take(encoded) { state in
      guard state.wish == .none, case .failed(let refusal) = state.stage, !refusal.failure.isOfFuture,
        state.revision <= encoded.revision
      else { return .refused }
      // It failed before it could hear of the pictures in between.
      if state.revision < encoded.revision { state.leavePicture(for: encoded.revision) }
      return .taken
    }
  }

  private enum Taking {
    case taken, outdated, refused
  }

  /// Another picture came in place of the one that there was: that one stays where it is shown until the new one can be.
  /// - Parameter answered: the wishes that this answers. One that came later, a reload of the new picture, goes on.
  func replaced(by encoded: Encoded, answering answered: Set<Ask>) {
    let taking = take(encoded) { state in
      state.revalidation = nil
      // What was put off was asked for before.
      let isAnswer = state.wish.isPutOff || state.wish.ticket.map { answered.contains(Ask(self, $0)) } ?? false
      if isAnswer { state.wish = .none }
      // Two reloads may be told of in the wrong order.
      guard state.revision < encoded.revision else { return isAnswer ? .outdated : .refused }
      state.leavePicture(for: encoded.revision)
      return .taken
    }
    // Else the newer one may be in the tier by now.
    if taking == .taken, let descriptor { descriptor.policy.memory?.remove(forKey: descriptor.key.text) }
  }

  @discardableResult private func take(_ encoded: Encoded, how: (inout State) -> Taking) -> Taking {
    guard let descriptor else { return .refused }
    let (taking, asks, mustCommit) = state.withLock { state -> (Taking, [PixelAsk], Bool) in
      let taking = how(&state)
      if taking == .refused { return (taking, [], false) }
      if taking == .outdated {
        state.stage = .fetched
        return (taking, [], state.mustCommit())
      }
      if state.wish == .none { state.stage = .fetched }
      // By the future's own variant: a step is one of the picture that comes out, and so are views measured against it.
      state.natural = descriptor.variant(encoded.revision).plan(for: encoded.size).whole
      state.isSubstitute = encoded.isSubstitute
      let asks = state.newAsks(descriptor)
      state.pixelAsks += asks
      state.mustKeepBytes = !encoded.isStored
      state.encoded = state.isBound || state.mustKeepBytes || descriptor.disk == nil ? encoded : nil
      return (taking, asks, state.mustCommit())
    }
    want(asks, from: encoded, descriptor)
    if taking == .taken, state.withLock({ $0.hasBytes }) { descriptor.loader.hold(encoded) }
    if mustCommit { scheduleCommit(descriptor) }
    // Whoever came while the wish still stood counts on its answer.
    if taking == .outdated { pursue(restarting: false) }
    return taking
  }

  /// The disk tier does not take them.
  func keep(_ encoded: Encoded) {
    state.withLock { state in
      state.mustKeepBytes = true
      if state.encoded == nil, state.revision == encoded.revision, state.natural != nil { state.encoded = encoded }
    }
    descriptor?.loader.hold(encoded)
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

  /// A reload found that the picture is still the same, or nothing.
  func unchanged(_ ticket: UInt32) {
    guard let descriptor else { return }
    let (isAnswer, mustCommit) = state.withLock { state in
      guard state.wish.end(ticket) else { return (false, false) }
      state.stage = .fetched
      return (true, state.mustCommit())
    }
    guard isAnswer else { return }
    if mustCommit { scheduleCommit(descriptor) }
    // Whoever came to wait meanwhile.
    pursue(restarting: false)
  }

  /// Asks whether the picture that is here still holds; what comes of it is seen only if it does not.
  func revalidate() {
    guard let descriptor, descriptor.policy.asksSource else { return }
    let (ticket, old) = state.withLock { state in
      let (ticket, old) = (state.newTicket(), state.revalidation)
      state.revalidation = ticket
      return (ticket, old)
    }
    descriptor.loader.revalidate(self, descriptor, ticket)
    // Bytes that were read twice are found stale twice. Who lets go of the future takes back one wish.
    if let old { descriptor.loader.dropBytes(Ask(self, old), descriptor) }
  }

  func isRevalidating(_ ticket: UInt32) -> Bool { state.withLock { $0.revalidation == ticket } }

  /// The source says that the picture which a cache has still holds.
  func confirmed(_ encoded: Encoded, _ ticket: UInt32) {
    let isHere = state.withLock { state in
      if state.revalidation == ticket { state.revalidation = nil }
      return state.natural != nil
    }
    if isHere { unchanged(ticket) } else { received(encoded, ticket) }
  }

  func failed(_ refusal: Refusals.Refusal, _ ticket: UInt32) {
    // A reload that failed takes nothing away: who waits for the picture gets the one there was.
    let isReload = state.withLock { state in
      state.noteReload(ticket, failedWith: refusal.failure)
      return state.wish == .reloading(ticket) && state.natural != nil
    }
    if isReload { return unchanged(ticket) }
    fail(refusal) { state in
      guard state.wish.ticket == ticket else { return false }
      state.fail(refusal)
      state.wish = .none
      return true
    }
  }

  func decoded(_ image: UIImage, for ask: PixelAsk) {
    guard let descriptor else { return }
    adopt(image, ask.key.variant.revision, descriptor) { state in
      guard let index = state.pixelAsks.firstIndex(of: ask) else { return false }
      state.pixelAsks.remove(at: index)
      return true
    }
  }

  /// - Parameter mayFetchAgain: the bytes were a disk tier's: the source may have better ones.
  func decodingFailed(_ ask: PixelAsk, _ refusal: Refusals.Refusal, mayFetchAgain: Bool) {
    guard let descriptor else { return }
    if mayFetchAgain { return askForBetterBytes(than: ask, descriptor) }
    fail(refusal) { state in
      guard let index = state.pixelAsks.firstIndex(of: ask) else { return false }
      state.pixelAsks.remove(at: index)
      // A transform that failed, or a lack of memory, says nothing of the bytes, which nobody else may have.
      if refusal.failure.isOfBytes || descriptor.disk != nil && !state.mustKeepBytes { state.encoded = nil }
      state.fail(refusal)
      return true
    }
  }

  private func askForBetterBytes(than ask: PixelAsk, _ descriptor: Descriptor) {
    let (dropped, ticket, better) = state.withLock { state -> ([PixelAsk], UInt32?, Encoded?) in
      guard state.pixelAsks.contains(ask) else { return ([], nil, nil) }
      // Other sizes would come of the same bytes.
      let dropped = state.pixelAsks.filter { $0 != ask }
      state.pixelAsks = []
      // They may have come for another size in the meantime.
      let better = state.encoded.flatMap { $0.isFromDisk ? nil : $0 }
      state.encoded = better
      return state.wish == .none ? (dropped, state.ask(), better) : (dropped, nil, nil)
    }
    if !dropped.isEmpty { descriptor.loader.dropPixels(self, dropped) }
    guard let ticket else { return }
    if let better { return received(better, ticket) }
    descriptor.loader.wantBytes(self, descriptor, ticket, reason: urgency, isForBetter: true)
  }

  /// Tells those who wait.
  /// - Parameter change: makes the state that of the failure, unless it is none any more.
  private func fail(_ refusal: Refusals.Refusal, _ change: (inout State) -> Bool) {
    guard let descriptor else { return }
    let (told, mustCommit) = state.withLock { state -> ([Waiter], Bool) in
      guard change(&state) else { return ([], false) }
      return (state.takeWaiters(), state.mustCommit())
    }
    if mustCommit { scheduleCommit(descriptor) }
    assertNoLockIsHeld()
    for waiter in told { waiter.tell(.failure(refusal.failure)) }
  }
}

extension FutureImage.State {
  /// Another picture takes the place of the one there is.
  fileprivate mutating func leavePicture(for revision: UInt32) {
    self.revision = revision
    best = nil
    depart(arrived)
    arrived = []
    arrivedShares = []
    missedArrival = false
    pixelAsks = []
  }

  /// Writes down a wish for bytes, which the caller gives to the loader.
  mutating func ask() -> UInt32 {
    let ticket = newTicket()
    wish = .asked(ticket)
    return ticket
  }

  /// Nothing was asked for since it was made.
  fileprivate var isUntried: Bool {
    if case .waiting = stage { wish.ticket == nil } else { false }
  }

  /// The permanent failure that the future has ended in. Whether it still answers is asked outside of the lock.
  var refusal: Refusals.Refusal? {
    guard wish == .none, case .failed(let refusal) = stage, !refusal.failure.mayPass else { return nil }
    return refusal
  }

  mutating func fail(_ refusal: Refusals.Refusal) {
    // A reload that failed takes nothing away from the picture there was.
    stage = wish.isReload && natural != nil ? .fetched : .failed(refusal)
    wantsFull = false
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
