/// The first stage: a key's bytes, from the future's own disk tier.
extension FutureImage.Loader {
  /// Asks for the bytes; the future is told once, by `received`, `unchanged` or `failed` with this ticket, unless it drops out before.
  func wantBytes(_ future: FutureImage, _ descriptor: Descriptor, _ ticket: UInt32, reason: Rank.Reason) {
    if let kept = bytesKeptElsewhere(descriptor, besides: future) { return future.received(kept, ticket) }
    let ask = Ask(future, ticket)
    let key = descriptor.key
    let answer = state.withLock { state -> BytesAnswer in
      if let staged = state.staged[key], let encoded = state.stagedBytes(of: key) {
        if let tier = descriptor.disk, !staged.tiers.contains(where: { $0 === tier }) {
          stage(staged.entry, encoded, for: [tier], key, &state)
        }
        return .there(encoded)
      }
      guard let tier = descriptor.disk, state.transfers[key]?.missed.contains(where: { $0 === tier }) != true else {
        return state.wantTransferUnlessRefused(ask, descriptor, reason)
      }
      state.wantLookup(ask, descriptor, reason, in: tier)
      return .later
    }
    answer.tell(future, ticket)
    // Given up between the wish and its being written down: whoever gave up could not find it yet.
    if !future.isAsking(ticket) { dropBytes(ask, descriptor) }
  }

  /// Where no disk tier keeps the bytes, another future of the key may.
  private func bytesKeptElsewhere(_ descriptor: Descriptor, besides future: FutureImage) -> Encoded? {
    guard descriptor.disk == nil else { return nil }
    // A few are as good as all: those of one key mostly keep the same.
    let others = state.withLock { state in
      // While bytes are fetched for the first time nobody has any.
      state.transfers[descriptor.key]?.purpose == .first ? [] : state.live.futures(key: descriptor.key, atMost: 8)
    }
    // Not by a lazy `compactMap`: that asks whom it chose a second time, who may have let them go by then.
    for other in others where other !== future {
      if let kept = other.keptBytes(like: future) { return kept }
    }
    return nil
  }

  func promoteBytes(_ descriptor: Descriptor, reason: Rank.Reason) {
    state.withLock { state in
      let order = state.newOrder()
      state.transfers.promote(descriptor.key, reason: reason, priority: descriptor.priority, order: order)
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

  /// Asks the source, whatever the caches have. What comes is told to all living futures of the key.
  /// - Parameter old: what the future asked for before, which this takes the place of.
  func reload(_ future: FutureImage, _ descriptor: Descriptor, _ ticket: UInt32, insteadOf old: UInt32?) {
    let cancelled = state.withLock { state in
      state.refusals.remove(descriptor.key)
      state.wantTransfer(Ask(future, ticket), descriptor, .bound, purpose: .reload)
      let waiting = state.unparkTransfer(descriptor.key, by: self).map { [$0] } ?? []
      return waiting + (old.map { state.dropBytes(Ask(future, $0), descriptor) } ?? [])
    }
    for task in cancelled { task.cancel() }
    if !future.isAsking(ticket) { dropBytes(Ask(future, ticket), descriptor) }
  }

  /// Asks the source without asking the disk tier, whose bytes were no good.
  func fetchAgain(_ future: FutureImage, _ descriptor: Descriptor, _ ticket: UInt32) {
    state.withLock { _ = $0.wantTransfer(Ask(future, ticket), descriptor, .bound) }
    if !future.isAsking(ticket) { dropBytes(Ask(future, ticket), descriptor) }
  }

  // MARK: Lookups

  func runLookup(_ lookup: LookupKey, run: UInt64, in tier: any FutureImage.DiskTier) async {
    guard state.withLock({ $0.beginLookup(lookup, run: run, by: self) }) else { return slotFreed() }
    let (found, standing) = await read(lookup.key, tier)
    let answers = state.withLock { state -> [(Asker, BytesAnswer)] in
      let order = state.lookups.order(of: lookup)
      let askers = state.finishLookup(lookup, run: run, by: self)
      if found != nil, !askers.isEmpty { state.statistics.diskHits += 1 }
      if var encoded = found, standing != .unconfirmed {
        encoded.revision = state.revisions[lookup.key] ?? 0
        return askers.map { ($0, .there(encoded)) }
      }
      if let encoded = state.stagedBytes(of: lookup.key) { return askers.map { ($0, .there(encoded)) } }
      return askers.map { asker in
        guard let descriptor = asker.future.descriptor else { return (asker, .later) }
        let ask = Ask(asker.future, asker.ticket)
        let purpose = found == nil ? Purpose.first : .revalidation
        return (asker, state.wantTransferUnlessRefused(ask, descriptor, asker.future.urgency, purpose, after: tier, order: order))
      }
    }
    for (asker, answer) in answers { answer.tell(asker.future, asker.ticket) }
    if standing == .stale { for (asker, _) in answers { asker.future.revalidate() } }
    workEnded()
  }

  func read(_ key: SourceKey, _ tier: (any FutureImage.DiskTier)?) async -> (found: Encoded?, FutureImage.CacheEntry.Standing) {
    let watch = Stopwatch(configuration.clock)
    guard let tier, let entry = await entry(key, tier) else { return (nil, .fresh) }
    if let size = try? configuration.decoder.size(of: entry.body) {
      tell(.read(bytes: entry.body.count, in: watch.elapsed), key)
      return (Encoded(data: entry.body, size: size, isFromDisk: true), standing(of: entry, key))
    }
    // No picture that can be read here: it counts as not there.
    do { try await tier.remove(forKey: key.text) } catch { report(cacheFault: error, key) }
    return (nil, .fresh)
  }

  func entry(_ key: SourceKey, _ tier: (any FutureImage.DiskTier)?) async -> FutureImage.CacheEntry? {
    do {
      return try await tier?.entry(forKey: key.text)
    } catch {
      report(cacheFault: error, key)
      return nil
    }
  }
}
