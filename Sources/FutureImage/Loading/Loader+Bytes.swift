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
  private func stagedBytes(of key: SourceKey, for tier: (any FutureImage.DiskTier)?, _ state: inout State) -> Encoded? {
    guard let picture = state.pictures[key], let staged = picture.staged, var encoded = picture.stagedBytes else { return nil }
    if let tier, !staged.places.contains(tier.place.resolvedName) {
      encoded.isStored = stage(staged.entry, encoded, for: [tier], key, &state)
    }
    return encoded
  }

  private func give(_ reply: Reply, to request: LoadRequest, of future: FutureImage) {
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

  // MARK: Lookups

  /// Begins a lookup, on a thread of the tier's own where it has some: what comes of it is done there too, without a change of thread.
  /// Inside the lock: nothing is called yet.
  func beginLookup(_ lookup: LookupKey, run: UInt64, in tier: any FutureImage.DiskTier, _ priority: TaskPriority) {
    guard let blocking = tier as? any BlockingTier else {
      _ = Scheduling.task("a lookup", priority: priority) { await self.runLookup(lookup, run: run, in: tier) }
      return
    }
    blocking.readers.submit(lane: blocking.group) { [self] in
      guard change({ $0.beginLookup(lookup, run: run) }) else { return }
      let watch = Stopwatch(configuration.clock)
      var entry: FutureImage.CacheEntry?
      do { entry = try blocking.waitForEntry(forKey: lookup.key.text) } catch { report(cacheFault: error, lookup.key) }
      finish(lookup, run, tier, entry.map { examine($0, lookup.key, watch) })
    }
  }

  private func runLookup(_ lookup: LookupKey, run: UInt64, in tier: any FutureImage.DiskTier) async {
    guard change({ $0.beginLookup(lookup, run: run) }) else { return }
    finish(lookup, run, tier, await read(lookup.key, tier))
  }

  /// Ends the run of a lookup, and answers those who waited for it, or requests a transfer for them.
  private func finish(_ lookup: LookupKey, _ run: UInt64, _ tier: any FutureImage.DiskTier, _ found: Found?) {
    // Bytes that came a moment ago are none to be shown without asking either.
    let mustAsk = standing(inMemory: lookup.key) == .unconfirmed
    change { state -> (rest: Waiters<LoadRequest>.Iterator?, result: LookupResult, replies: [(LiveRequest, Reply)]) in
      // Not if another picture has come meanwhile, which the tier is about to get.
      if case .undecodable = found, state.lookups.isRunning(lookup, run: run) { remove(lookup.key, from: [tier], &state) }
      let order = state.lookups.rank(of: lookup)?.order
      let requests = state.finishLookup(lookup, run: run)
      if case .picture = found, !requests.isEmpty { state.statistics.diskHits += 1 }
      var rest: Waiters<LoadRequest>.Iterator? = requests.makeIterator()
      // Bytes that have come meanwhile for other tiers are for this one, too, where it has none.
      let isMissing = if case .picture = found { false } else { !requests.isEmpty }
      let staged = stagedBytes(of: lookup.key, for: isMissing ? tier : nil, &state)
      let result = LookupResult(lookup, tier, found, staged: staged, mustAsk: mustAsk, order: order, in: state)
      let replies = state.replies(toSomeOf: &rest, result)
      return (rest, result, replies)
    } telling: { rest, result, replies in
      var (rest, replies) = (rest, replies)
      while true {
        for (live, reply) in replies { give(reply, to: live.request, of: live.future) }
        if case .picture(_, .stale) = found { for (live, _) in replies { live.future.revalidate() } }
        if rest == nil { break }
        replies = change { $0.replies(toSomeOf: &rest, result) }
      }
      if let known = result.known, state.withLock({ $0.pictures.isShared(lookup.key) }) {
        forEachFuture(of: lookup.key) { $0.recover(with: known) }
      }
    }
  }

  /// The result of a lookup, and bytes that are known besides.
  fileprivate struct LookupResult {
    let tier: any FutureImage.DiskTier
    let found: Found?
    let mustAsk: Bool
    let order: UInt64?
    /// The bytes, where they may be shown without asking the source.
    var known: Encoded?
    /// The same for futures that have had the picture.
    var had: Encoded?

    init(
      _ lookup: LookupKey, _ tier: any FutureImage.DiskTier, _ found: Found?, staged: Encoded?, mustAsk: Bool, order: UInt64?,
      in state: State
    ) {
      (self.tier, self.found, self.mustAsk, self.order) = (tier, found, mustAsk, order)
      (known, had) = (mustAsk ? nil : staged, staged)
      guard case .picture(var encoded, let standing) = found else { return }
      encoded.revision = state.pictures.generation(of: lookup.key)
      if standing != .unconfirmed { known = encoded }
      had = known ?? had ?? encoded
    }
  }

  /// What a tier has.
  enum Found {
    case picture(Encoded, FutureImage.CacheEntry.Standing)
    /// No picture that can be read here: it counts as not there, and is to be removed.
    case undecodable
  }

  func read(_ key: SourceKey, _ tier: any FutureImage.DiskTier) async -> Found? {
    let watch = Stopwatch(configuration.clock)
    return await entry(key, tier).map { examine($0, key, watch) }
  }

  private func examine(_ entry: FutureImage.CacheEntry, _ key: SourceKey, _ watch: Stopwatch) -> Found {
    assertNoLockIsHeld()
    guard let size = try? configuration.decoder.size(of: entry.body) else { return .undecodable }
    tell(.read(bytes: entry.body.count, in: watch.elapsed), key)
    var encoded = Encoded(data: entry.body, size: size, isFromDisk: true)
    encoded.share = heldBytes.share(of: key, count: entry.body.count)
    return .picture(encoded, standing(of: entry, key))
  }

  func entry(_ key: SourceKey, _ tier: any FutureImage.DiskTier) async -> FutureImage.CacheEntry? {
    assertNoLockIsHeld()
    do {
      return try await tier.entry(forKey: key.text)
    } catch {
      report(cacheFault: error, key)
      return nil
    }
  }
}

extension FutureImage.Loader.State {
  /// Takes a few requests, and returns the reply to each after a lookup. Thousands may have waited, and others need the lock meanwhile.
  /// - Parameter requests: nil once none is left.
  fileprivate mutating func replies(
    toSomeOf requests: inout Waiters<LoadRequest>.Iterator?, _ result: Loader.LookupResult
  ) -> [(LiveRequest, Loader.Reply)] {
    let some = requests?.next(Pictures.slice) ?? []
    if some.count < Pictures.slice { requests = nil }
    return some.living.map { ($0, reply(to: $0.request, of: $0.future, result)) }
  }

  fileprivate mutating func reply(to request: LoadRequest, of future: FutureImage, _ result: Loader.LookupResult) -> Loader.Reply {
    if request.isCanceled { return .later }
    if let bytes = result.known ?? (future.hasHadPicture ? result.had : nil) {
      // The picture may have been replaced between two turns of the lock.
      guard let key = future.descriptor?.key, bytes.revision != pictures.generation(of: key) else { return .answer(.bytes(bytes)) }
    }
    return reply(to: request, of: future, after: result.tier, result.found, mustAsk: result.mustAsk, order: result.order)
  }

  /// Returns the reply to a request whose tier has nothing that its future can be shown.
  fileprivate mutating func reply(
    to request: LoadRequest, of future: FutureImage, after tier: any FutureImage.DiskTier, _ found: Loader.Found?, mustAsk: Bool,
    order: UInt64?
  ) -> Loader.Reply {
    guard let descriptor = future.descriptor else { return .later }
    // It was given them back, as the tier could not store them, after it had asked.
    if found == nil, let kept = future.keptBytes, kept.revision == pictures.generation(of: descriptor.key) { return .answer(.bytes(kept)) }
    let isFound = if case .picture = found { true } else { false }
    return requestTransferUnlessRefused(
      request, descriptor, future.urgency, isFound || mustAsk ? .revalidation : .first, after: tier, order: order)
  }
}
