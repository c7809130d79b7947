/// The first stage: a key's bytes, from the future's own disk tier.
extension FutureImage.Loader {
  /// Asks for the bytes; the future is told once, by `received`, `unchanged` or `failed` with this ticket, unless it drops out before.
  /// - Parameter isForBetter: whether bytes that a disk tier had could not be decoded. Those that other futures were lent by a tier are no
  ///   better, and two that take them from each other would never come to an end.
  func wantBytes(_ future: FutureImage, _ descriptor: Descriptor, _ ticket: UInt32, reason: Rank.Reason, isForBetter: Bool = false) {
    let key = descriptor.key
    let mustAsk = standing(inMemory: key) == .unconfirmed && !future.hasHadPicture
    let look = mustAsk ? Look() : look(descriptor, besides: future, isForBetter: isForBetter)
    if let kept = look.bytes { return future.received(kept, ticket) }
    let ask = Ask(future, ticket)
    let isMissing = isKnownMissing(descriptor)
    let answer = state.withLock { state -> BytesAnswer? in
      if !mustAsk, let staged = state.staged[key], var encoded = state.stagedBytes(of: key) {
        if let tier = descriptor.disk, !staged.places.contains(tier.place.resolvedName) {
          encoded.isStored = stage(staged.entry, encoded, for: [tier], key, &state)
        }
        return .there(encoded)
      }
      guard let tier = descriptor.disk, !state.isOutdated(key, in: tier),
        state.transfers[key]?.missed.contains(where: { $0 === tier }) != true
      else {
        if let count = look.untoldCount, count != state.untold.count, !state.transfers.contains(key) { return nil }
        return state.wantTransferUnlessRefused(ask, descriptor, reason, mustAsk ? .revalidation : .first)
      }
      if isMissing { return state.answer((future, ticket), after: tier, nil, mustAsk: mustAsk, order: nil) }
      state.wantLookup(ask, descriptor, reason, in: tier)
      return .later
    }
    guard let answer else { return wantBytes(future, descriptor, ticket, reason: reason, isForBetter: isForBetter) }
    answer.tell(future, ticket)
    // Given up between the wish and its being written down: whoever gave up could not find it yet.
    if !future.isAsking(ticket) { dropBytes(ask, descriptor) }
  }

  /// Whether its disk tier can tell at once that it has nothing: then no thread is woken to look for it. Not asked by those who join others.
  private func isKnownMissing(_ descriptor: Descriptor) -> Bool {
    guard let tier = descriptor.disk as? any BlockingTier, !state.withLock({ $0.knows(descriptor) }) else { return false }
    return tier.isKnownMissing(forKey: descriptor.key.text)
  }

  private struct Look {
    var bytes: Encoded?
    /// How many pictures had come when it was taken; nil if none was.
    var untoldCount: UInt64?
  }

  /// Looks for the bytes with other futures of the key, where no disk tier keeps them.
  private func look(_ descriptor: Descriptor, besides future: FutureImage, isForBetter: Bool = false) -> Look {
    guard descriptor.disk == nil else { return Look() }
    // A few are as good as all: those of one key mostly keep the same.
    let (untold, others, count) = state.withLock { state in
      // While bytes are fetched for the first time nobody has any.
      let isFirst = state.transfers[descriptor.key]?.purpose == .first
      let others = isFirst ? [] : state.live.crowd(key: descriptor.key, atMost: 8)
      return (state.untold[descriptor.key], others, state.untold.count)
    }
    func serves(_ bytes: Encoded) -> Bool { !isForBetter || !bytes.isFromDisk }
    // Older ones may still be told of when the picture is replaced again.
    if let untold, serves(untold), untold.revision >= future.state.withLock({ $0.revision }) { return Look(bytes: untold) }
    // Not by a lazy `compactMap`: that asks whom it chose a second time, who may have let them go by then.
    for other in others where other !== future {
      if let kept = other.keptBytes(like: future), serves(kept) { return Look(bytes: kept) }
    }
    return Look(untoldCount: count)
  }

  /// The bytes, where they are in memory: those that wait for a disk tier, else those of a future that keeps them.
  func knownBytes(of key: SourceKey, besides future: FutureImage) -> Encoded? {
    if let staged = state.withLock({ $0.stagedBytes(of: key) }) { return staged }
    return future.descriptor.flatMap { look($0, besides: future).bytes }
  }

  /// Counts bytes that a future holds now, and has futures let go of older ones where these are too many. The future gets those again
  /// from its disk tier or its source when it needs them.
  func hold(_ encoded: Encoded) {
    guard let share = encoded.share else { return }
    for other in heldBytes.hold(share, isStored: encoded.isStored) {
      let futures = state.withLock { $0.live.futures(key: other.key) }
      for future in futures { future.letGo(of: other) }
    }
  }

  func promoteBytes(_ descriptor: Descriptor, reason: Rank.Reason) {
    state.withLock { state in
      let order = state.newOrder()
      state.transfers.promote(descriptor.key, reason: reason, priority: descriptor.priority, order: order)
      state.escalateTransfer(descriptor.key)
      if let tier = descriptor.disk {
        state.lookups.promote(LookupKey(descriptor.key, tier), reason: reason, priority: descriptor.priority, order: order)
      }
    }
  }

  func dropBytes(_ ask: Ask, _ descriptor: Descriptor) {
    let cancelled = state.withLock { $0.dropBytes(ask, descriptor) }
    for task in cancelled { task.cancel() }
    tellSettled()
  }

  /// Asks the source, whatever the caches have; for a future that looks in caches only, those. What comes is told to all living futures of
  /// the key.
  /// - Parameter old: what the future asked for before, which this takes the place of.
  func reload(_ future: FutureImage, _ descriptor: Descriptor, _ ticket: UInt32, insteadOf old: UInt32?) {
    guard descriptor.policy.asksSource else {
      if let old { dropBytes(Ask(future, old), descriptor) }
      return wantBytes(future, descriptor, ticket, reason: .bound)
    }
    let cancelled = state.withLock { state in
      state.refusals.remove(descriptor.key)
      state.wantTransfer(Ask(future, ticket), descriptor, .bound, purpose: .reload)
      let waiting = state.unparkTransfer(descriptor.key, by: self).map { [$0] } ?? []
      return waiting + (old.map { state.dropBytes(Ask(future, $0), descriptor) } ?? [])
    }
    for task in cancelled { task.cancel() }
    if !future.isAsking(ticket) { dropBytes(Ask(future, ticket), descriptor) }
  }

  /// Asks for the bytes once more, past a refusal whose time is over.
  func wantBytes(_ future: FutureImage, _ descriptor: Descriptor, _ ticket: UInt32, past number: UInt64) {
    state.withLock { $0.refusals.remove(descriptor.key, number: number) }
    if future.isAsking(ticket) { wantBytes(future, descriptor, ticket, reason: future.urgency) }
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
      guard begins(lookup, run) else { return }
      let watch = Stopwatch(configuration.clock)
      var entry: FutureImage.CacheEntry?
      do { entry = try blocking.waitForEntry(forKey: lookup.key.text) } catch { report(cacheFault: error, lookup.key) }
      finish(lookup, run, tier, entry.map { examine($0, lookup.key, watch) })
    }
  }

  private func runLookup(_ lookup: LookupKey, run: UInt64, in tier: any FutureImage.DiskTier) async {
    guard begins(lookup, run) else { return }
    finish(lookup, run, tier, await read(lookup.key, tier))
  }

  private func begins(_ lookup: LookupKey, _ run: UInt64) -> Bool {
    let begins = state.withLock { $0.beginLookup(lookup, run: run, by: self) }
    if !begins { slotFreed() }
    return begins
  }

  private func finish(_ lookup: LookupKey, _ run: UInt64, _ tier: any FutureImage.DiskTier, _ found: Found?) {
    // Bytes that came a moment ago are none to be shown without asking either.
    let mustAsk = standing(inMemory: lookup.key) == .unconfirmed
    let (answers, others, known) = state.withLock { state -> ([(Asker, BytesAnswer)], [FutureImage], Encoded?) in
      // Not if another picture has come meanwhile, which the tier is about to get.
      if case .undecodable = found, state.lookups.isRunning(lookup, run: run) { remove(lookup.key, from: [tier], &state) }
      let order = state.lookups.rank(of: lookup)?.order
      let askers = state.finishLookup(lookup, run: run, by: self)
      if case .picture = found, !askers.isEmpty { state.statistics.diskHits += 1 }
      var had = state.stagedBytes(of: lookup.key)
      var known = mustAsk ? nil : had
      if case .picture(var encoded, let standing) = found {
        encoded.revision = state.revisions[lookup.key] ?? 0
        if standing != .unconfirmed { known = encoded }
        had = known ?? had ?? encoded
      }
      let others = known == nil ? [] : state.live.crowd(key: lookup.key, atMost: .max)
      var answers: [(Asker, BytesAnswer)] = []
      for asker in askers {
        let bytes = known ?? (had != nil && asker.future.hasHadPicture ? had : nil)
        answers.append((asker, bytes.map { .there($0) } ?? state.answer(asker, after: tier, found, mustAsk: mustAsk, order: order)))
      }
      return (answers, others, known)
    }
    for (asker, answer) in answers { answer.tell(asker.future, asker.ticket) }
    if let known { for future in others { future.recovered(by: known) } }
    if case .picture(_, .stale) = found { for (asker, _) in answers { asker.future.revalidate() } }
    slotWorkEnded()
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
  /// What is to be done for a future whose tier has nothing that it can be shown.
  fileprivate mutating func answer(
    _ asker: Loader.Asker, after tier: any FutureImage.DiskTier, _ found: Loader.Found?, mustAsk: Bool, order: UInt64?
  ) -> Loader.BytesAnswer {
    guard let descriptor = asker.future.descriptor else { return .later }
    // It was given them back, as the tier could not store them, after it had asked.
    if found == nil, let kept = asker.future.keptBytes, kept.revision == revisions[descriptor.key] ?? 0 { return .there(kept) }
    let isFound = if case .picture = found { true } else { false }
    let purpose = isFound || mustAsk ? Loader.Purpose.revalidation : .first
    let ask = Ask(asker.future, asker.ticket)
    return wantTransferUnlessRefused(ask, descriptor, asker.future.urgency, purpose, after: tier, order: order)
  }
}
