/// The first stage: a key's bytes, from memory, from the future's own disk tier, or else from the source.
extension FutureImage.Loader {
  /// Registers a request for bytes. The future gets one answer to it, unless it cancels the request before.
  /// - Parameter isForBetter: whether bytes that a disk tier had could not be decoded. Those that other futures were lent by a tier are no
  ///   better, and two that take them from each other would never come to an end.
  func requestBytes(
    _ request: LoadRequest, of future: FutureImage, _ descriptor: Descriptor, reason: Rank.Reason, isForBetter: Bool = false
  ) {
    let key = descriptor.key
    let mustAsk = standing(inMemory: key) == .unconfirmed && !future.hasHadPicture
    let look = mustAsk ? Look() : look(descriptor, besides: future, isForBetter: isForBetter)
    if let bytes = look.bytes { return future.take(.bytes(bytes), for: request) }
    let isMissing = isKnownMissing(descriptor)
    let reply = change { state -> Reply? in
      if request.isCanceled { return .later }
      if !mustAsk, let staged = stagedBytes(of: key, for: descriptor.disk, &state) { return .answer(.bytes(staged)) }
      guard let tier = descriptor.disk, !state.isOutdated(key, in: tier),
        state.transfers[key]?.missed.contains(where: { $0 === tier }) != true
      else {
        if let count = look.toldCount, count != state.pictures.toldCount, !state.transfers.contains(key) { return nil }
        return state.requestTransferUnlessRefused(request, descriptor, reason, mustAsk ? .revalidation : .first)
      }
      if isMissing { return state.reply(to: request, of: future, after: tier, nil, mustAsk: mustAsk, order: nil) }
      state.requestLookup(request, descriptor, reason, in: tier)
      return .later
    }
    guard let reply else { return requestBytes(request, of: future, descriptor, reason: reason, isForBetter: isForBetter) }
    give(reply, to: request, of: future)
  }

  /// The bytes that wait for disk tiers.
  /// - Parameter tier: gets them, too.
  func stagedBytes(of key: SourceKey, for tier: (any FutureImage.DiskTier)?, _ state: inout State) -> Encoded? {
    guard let picture = state.pictures[key], let staged = picture.staged, var encoded = picture.stagedBytes else { return nil }
    if let tier, !staged.places.contains(tier.place.resolvedName) {
      encoded.isStored = stage(staged.entry, encoded, for: [tier], key, &state)
    }
    return encoded
  }

  func give(_ reply: Reply, to request: LoadRequest, of future: FutureImage) {
    switch reply {
    case .later: break
    case .answer(let answer): future.take(answer, for: request)
    case .refusal(let refusal, _) where refusal.holds: future.take(.failure(refusal), for: request)
    case .refusal(_, let number):
      // Its time is over.
      guard let descriptor = future.descriptor else { return }
      state.withLock { $0.refusals.remove(descriptor.key, number: number) }
      requestBytes(request, of: future, descriptor, reason: future.urgency)
    }
  }

  /// Whether its disk tier can tell at once that it has nothing: then no thread is woken to look for it. Not asked by those who join others.
  private func isKnownMissing(_ descriptor: Descriptor) -> Bool {
    guard let tier = descriptor.disk as? any BlockingTier, !state.withLock({ $0.knows(descriptor) }) else { return false }
    return tier.isKnownMissing(forKey: descriptor.key.text)
  }

  private struct Look {
    var bytes: Encoded?
    /// How many pictures had come when it was taken; nil if none was.
    var toldCount: UInt64?
  }

  /// Looks for the bytes with other futures of the key, where no disk tier keeps them.
  private func look(_ descriptor: Descriptor, besides future: FutureImage, isForBetter: Bool = false) -> Look {
    guard descriptor.disk == nil else { return Look() }
    let (untold, others, count) = state.withLock { state in
      // While bytes are fetched for the first time nobody has any, and a future alone has nobody to ask.
      let isVain = state.transfers[descriptor.key]?.purpose == .first || !state.pictures.isShared(descriptor.key)
      // A few are as good as all: those of one key mostly keep the same.
      let others = isVain ? [] : state.pictures.futures(key: descriptor.key, atMost: 8).futures
      return (state.pictures[descriptor.key]?.untold?.encoded, others, state.pictures.toldCount)
    }
    func serves(_ bytes: Encoded) -> Bool { !isForBetter || !bytes.isFromDisk }
    // Older ones may still be told of when the picture is replaced again.
    if let untold, serves(untold), untold.revision >= future.state.withLock({ $0.revision }) { return Look(bytes: untold) }
    // Not by a lazy `compactMap`: that asks whom it chose a second time, who may have let them go by then.
    for other in others where other !== future {
      if let kept = other.keptBytes(like: future), serves(kept) { return Look(bytes: kept) }
    }
    return Look(toldCount: count)
  }

  /// The bytes, where they are in memory: those that wait for a disk tier, else those of a future that keeps them.
  func knownBytes(of key: SourceKey, besides future: FutureImage) -> Encoded? {
    if let staged = state.withLock({ $0.pictures[key]?.stagedBytes }) { return staged }
    return future.descriptor.flatMap { look($0, besides: future).bytes }
  }

  /// Counts bytes that a future holds now, and has futures let go of older ones where these are too many. The future gets those again
  /// from its disk tier or its source when it needs them.
  func hold(_ encoded: Encoded) {
    guard let share = encoded.share else { return }
    for other in heldBytes.hold(share, isStored: encoded.isStored) {
      forEachFuture(of: other.key) { $0.letGo(of: other) }
    }
  }

  func promoteBytes(_ descriptor: Descriptor, reason: Rank.Reason) {
    state.withLock { state in
      let order = state.newOrder()
      let raised = state.transfers.promote(descriptor.key, reason: reason, priority: descriptor.priority, order: order)
      state.escalate(raised, descriptor.key)
      if let tier = descriptor.disk {
        state.lookups.promote(LookupKey(descriptor.key, tier), reason: reason, priority: descriptor.priority, order: order)
      }
    }
  }

  /// The future needs no answer to them any more.
  func cancel(_ requests: [LoadRequest], _ descriptor: Descriptor) {
    if !requests.isEmpty { change { $0.cancel(requests, descriptor) } }
  }

  /// Asks the source, whatever the caches have; for a future that looks in caches only, those. What comes is told to all living futures of
  /// the key.
  /// - Parameter former: what the future requested before, which this takes the place of.
  func reload(_ request: LoadRequest, of future: FutureImage, _ descriptor: Descriptor, insteadOf former: LoadRequest?) {
    guard descriptor.policy.asksSource else {
      cancel(former.map { [$0] } ?? [], descriptor)
      return requestBytes(request, of: future, descriptor, reason: .bound)
    }
    change { state in
      if !request.isCanceled {
        state.refusals.remove(descriptor.key)
        state.requestTransfer(request, descriptor, .bound, .reload)
        state.unparkTransfer(descriptor.key)
      }
      if let former { state.cancel([former], descriptor) }
    }
  }
}
