/// The first stage: a key's bytes, from memory, from the future's own disk tier, or else from the source.
extension FutureImage.Loader {
  /// Registers a request for bytes. The future gets one answer to it, unless it cancels the request first.
  func requestBytes(_ request: LoadRequest, of future: FutureImage, _ descriptor: Descriptor, reason: Rank.Reason) {
    let key = descriptor.key
    let mustAsk = standing(inMemory: descriptor.source) == .unconfirmed && !future.hasHadPicture
    let look = mustAsk ? Look() : look(descriptor, besides: future, for: request, mayJoin: true)
    if let bytes = look.bytes { return future.take(.bytes(bytes), for: request) }
    let isMissing = isKnownMissing(descriptor)
    let answer = change { state -> Answer? in
      // Race: a wish given up while it is written down.
      if request.isCanceled { return .later }
      if !mustAsk, let staged = stagedBytes(of: key, for: descriptor.disk, &state) { return .bytes(staged) }
      guard let tier = descriptor.disk, !configuration.writes.isMissing(key.text, in: tier),
        state.transfers[key]?.missed.contains(where: { $0 === tier }) != true
      else {
        // Race: bytes that come between the look and the wish.
        if let count = look.toldCount, count != state.pictures.toldCount, !state.transfers.contains(key) { return nil }
        return state.requestTransferUnlessRefused(for: request, of: descriptor, reason: reason, as: mustAsk ? .revalidation : .first)
      }
      if isMissing { return state.answer(to: request, of: future, after: tier, nil, mustAsk: mustAsk, order: nil) }
      let (joined, _, actions) = state.lookups.want(
        LookupKey(key, tier), lane: tier.group, reason: reason, priority: descriptor.priority, order: state.newOrder(), waiter: request,
        input: descriptor)
      if joined { state.statistics.joined += 1 }
      state.effects.note(actions)
      return .later
    }
    // Bytes have arrived since the look.
    guard let answer else { return requestBytes(request, of: future, descriptor, reason: reason) }
    future.take(answer, for: request)
  }

  /// Registers a request again whose answer, an earlier failure of the source, has expired.
  func requestBytes(_ request: LoadRequest, of future: FutureImage, _ descriptor: Descriptor, forgetting refusal: UInt64) {
    state.withLock { $0.refusals.end(descriptor.key, number: refusal) }
    requestBytes(request, of: future, descriptor, reason: future.urgency)
  }

  /// Returns the bytes that wait for disk tiers.
  /// - Parameter tier: another tier that gets them.
  func stagedBytes(of key: SourceKey, for tier: (any FutureImage.DiskTier)?, _ state: inout State) -> Encoded? {
    guard let picture = state.pictures[key], let staged = picture.staged, var encoded = picture.stagedBytes else { return nil }
    if let tier, !staged.places.contains(tier.place.resolvedName) {
      encoded.isStored = stage(staged.entry, of: encoded, for: [tier], at: key, &state)
    }
    return encoded
  }

  /// Whether the disk tier knows at once that it has no entry. Then no thread is woken for a lookup. Not checked for requests that join.
  private func isKnownMissing(_ descriptor: Descriptor) -> Bool {
    guard let tier = descriptor.disk as? any BlockingTier, !state.withLock({ $0.knows(descriptor) }) else { return false }
    return tier.isKnownMissing(forKey: descriptor.key.text)
  }

  private struct Look {
    var bytes: Encoded?
    /// The value of `Pictures.toldCount` at that time; nil if no look was taken.
    var toldCount: UInt64?
  }

  /// Looks for the bytes in other futures of the key, if no disk tier stores them.
  /// - Parameter mayJoin: whether the request may join a transfer under way instead of looking. Ten thousand futures that are created at
  ///   once need not all look.
  private func look(_ descriptor: Descriptor, besides future: FutureImage, for request: LoadRequest, mayJoin: Bool) -> Look {
    guard descriptor.disk == nil else { return Look() }
    let (untold, others, count) = state.withLock { state in
      // The transfer's future found no bytes in other futures, unless it has a disk tier: then it did not look.
      let joins = mayJoin && state.transfers[descriptor.key].map { $0.purpose == .first && $0.descriptor.disk == nil } ?? false
      // A few futures are as good as all: those of one key mostly retain the same bytes. A single one has no other to ask.
      let looks = !joins && state.pictures.isShared(descriptor.key)
      let others = looks ? state.pictures.futures(key: descriptor.key, atMost: 8).futures : []
      return (state.pictures[descriptor.key]?.untold?.encoded, others, state.pictures.toldCount)
    }
    // Older bytes may still be in delivery when the image is replaced again.
    if let untold, request.isServed(by: untold), untold.revision >= future.state.withLock({ $0.revision }) { return Look(bytes: untold) }
    // Not a lazy `compactMap`, which asks the chosen future twice: it may have released its bytes by then.
    for other in others where other !== future {
      if let kept = other.keptBytes(like: future), request.isServed(by: kept) { return Look(bytes: kept) }
    }
    return Look(toldCount: count)
  }

  /// Returns bytes for the request if they are in memory: those that wait for a disk tier, otherwise those that another future retains.
  func knownBytes(of key: SourceKey, besides future: FutureImage, for request: LoadRequest) -> Encoded? {
    if let staged = state.withLock({ $0.pictures[key]?.stagedBytes }) { return staged }
    return future.descriptor.flatMap { look($0, besides: future, for: request, mayJoin: false).bytes }
  }

  /// Counts bytes that a future now retains, and makes futures release older ones beyond the limit. Those futures load them again from
  /// their disk tier or their source when they need them.
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

  /// Cancels requests that the future no longer needs.
  func cancel(_ requests: [LoadRequest], _ descriptor: Descriptor) {
    if !requests.isEmpty { change { $0.cancel(requests, descriptor) } }
  }

  /// Requests the image from the source, whatever the caches have; from caches, if the policy of the future allows only those. All living
  /// futures of the key get the result.
  /// - Parameter former: the earlier request of the future, which this one replaces.
  func reload(_ request: LoadRequest, of future: FutureImage, _ descriptor: Descriptor, insteadOf former: LoadRequest?) {
    guard descriptor.policy.asksSource else {
      cancel(former.map { [$0] } ?? [], descriptor)
      return requestBytes(request, of: future, descriptor, reason: .bound)
    }
    change { state in
      // Race: a reload given up while it is written down.
      if !request.isCanceled {
        state.refusals.remove(descriptor.key)
        state.requestTransfer(for: request, of: descriptor, reason: .bound, as: .reload)
        state.unparkTransfer(descriptor.key)
      }
      if let former { state.cancel([former], descriptor) }
    }
  }
}
