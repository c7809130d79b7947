/// The first stages: a key's bytes, from the future's own disk tier, else from its source.
extension FutureImage.Loader {
  /// Asks for the bytes; the future is told once, by `received`, `unchanged` or `failed` with this ticket, unless it drops out before.
  func wantBytes(_ future: FutureImage, _ descriptor: Descriptor, _ ticket: UInt32, reason: Rank.Reason) {
    if let kept = bytesKeptElsewhere(descriptor, besides: future) { return future.received(kept, ticket) }
    let ask = Ask(future, ticket)
    let key = descriptor.key
    let answer = state.withLock { state -> BytesAnswer in
      if let staged = state.staged[key], let encoded = staged.encoded {
        if let tier = descriptor.disk, !staged.tiers.contains(where: { $0 === tier }) {
          stage(staged.entry, encoded, for: [tier], key, &state)
        }
        return .there(encoded)
      }
      guard let tier = descriptor.disk, state.transferInputs[key]?.missed.contains(ObjectIdentifier(tier)) != true else {
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
    let others = state.withLock { $0.live.futures(key: descriptor.key, atMost: 8) }
    return others.lazy.filter { $0 !== future }.compactMap { $0.keptBytes(like: future) }.first
  }

  func promoteBytes(_ descriptor: Descriptor, reason: Rank.Reason) {
    state.withLock { state in
      state.transfers.promote(descriptor.key, reason: reason, priority: descriptor.priority)
      if let tier = descriptor.disk {
        state.lookups.promote(LookupKey(descriptor.key, tier), reason: reason, priority: descriptor.priority)
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
      state.refusals[descriptor.key] = nil
      state.wantTransfer(Ask(future, ticket), descriptor, .bound, isReload: true)
      let waiting = state.unparkTransfer(descriptor.key, by: self).map { [$0] } ?? []
      return waiting + (old.map { state.dropBytes(Ask(future, $0), descriptor) } ?? [])
    }
    for task in cancelled { task.cancel() }
    if !future.isAsking(ticket) { dropBytes(Ask(future, ticket), descriptor) }
  }

  /// Asks the source without asking the disk tier, whose bytes were no good.
  func fetchAgain(_ future: FutureImage, _ descriptor: Descriptor, _ ticket: UInt32) {
    state.withLock { $0.wantTransfer(Ask(future, ticket), descriptor, .bound) }
    if !future.isAsking(ticket) { dropBytes(Ask(future, ticket), descriptor) }
  }

  // MARK: Lookups

  func runLookup(_ lookup: LookupKey, run: UInt64, in tier: any FutureImage.DiskTier) async {
    let found = await read(lookup.key, tier)
    let answers = state.withLock { state -> [(Asker, BytesAnswer)] in
      let askers = state.finishLookup(lookup, run: run, by: self)
      if found != nil, !askers.isEmpty { state.statistics.diskHits += 1 }
      if var encoded = found {
        encoded.revision = state.revisions[lookup.key] ?? 0
        return askers.map { ($0, .there(encoded)) }
      }
      if let encoded = state.staged[lookup.key]?.encoded { return askers.map { ($0, .there(encoded)) } }
      return askers.map { asker in
        guard let descriptor = asker.future.descriptor else { return (asker, .later) }
        let ask = Ask(asker.future, asker.ticket)
        return (asker, state.wantTransferUnlessRefused(ask, descriptor, asker.future.urgency, after: lookup.tier))
      }
    }
    for (asker, answer) in answers { answer.tell(asker.future, asker.ticket) }
    workEnded()
  }

  private func read(_ key: String, _ tier: any FutureImage.DiskTier) async -> Encoded? {
    do {
      guard let entry = try await tier.entry(forKey: key) else { return nil }
      if let size = try? configuration.decoder.size(of: entry.body) {
        return Encoded(data: entry.body, size: size, isFromDisk: true)
      }
      // No picture that can be read here: it counts as not there.
      try await tier.remove(forKey: key)
    } catch {
      report(cacheFault: error)
    }
    return nil
  }

  // MARK: Transfers

  func runTransfer(_ key: String, run: UInt64, _ input: TransferInput) async {
    tell(key, run) { $0.advanced(nil) }
    var known: FutureImage.CacheEntry?
    if let tier = input.confirming {
      do { known = try await tier.entry(forKey: key) } catch { report(cacheFault: error) }
    }
    let transfer = Transfer(source: input.source, configuration: configuration, known: known) { self.note($0, key, run) }
    var past = input.past
    do throws(FutureImage.Failure) {
      switch try await transfer.run(&past) {
      case .notModified: end(key, run) { $0.unchanged($1) }
      case .fetched(let entry) where entry.body == known?.body: end(key, run) { $0.unchanged($1) }
      case .fetched(let entry):
        let encoded = Encoded(data: entry.body, size: try headerSize(of: entry.body, key), isFromDisk: false)
        keep(entry, encoded, key, run)
      }
    } catch {
      if let wait = configuration.retry.delay(afterAttempt: past.failures, error, chance: .random(in: 0...1)) {
        return await retry(key, run, past, after: wait)
      }
      fail(key, run, error)
    }
    workEnded()
  }

  private func retry(_ key: String, _ run: UInt64, _ past: Transfer.Past, after wait: Duration) async {
    guard state.withLock({ $0.parkTransfer(key, run: run, past, by: self) }) else { return tellSettled() }
    // Cancelled when nobody wants it any more, or when it was taken up sooner.
    do { try await configuration.clock.sleep(for: wait) } catch { return tellSettled() }
    _ = state.withLock { $0.unparkTransfer(key, run, by: self) }
  }

  private func headerSize(of data: Data, _ key: String) throws(FutureImage.Failure) -> FutureImage.PixelSize {
    do {
      return try configuration.decoder.size(of: data)
    } catch {
      throw FutureImage.Failure(decoding: error).of(key)
    }
  }

  private func note(_ event: Transfer.Event, _ key: String, _ run: UInt64) {
    switch event {
    case .request: state.withLock { $0.statistics.requests += 1 }
    case .retry: state.withLock { $0.statistics.retries += 1 }
    case .bytes(let count): state.withLock { $0.statistics.bytesReceived += count }
    case .fraction(let fraction): tell(key, run) { $0.advanced(fraction) }
    }
  }

  private func tell(_ key: String, _ run: UInt64, _ body: (FutureImage) -> Void) {
    let futures = state.withLock { state in
      state.transfers.isRunning(key, run: run) ? state.transfers.waiters(of: key).compactMap { state.live.future($0, key: key) } : []
    }
    futures.forEach(body)
  }

  private func end(_ key: String, _ run: UInt64, _ body: (FutureImage, UInt32) -> Void) {
    let askers = state.withLock { $0.finishTransfer(key, run: run, by: self) ?? [] }
    for asker in askers { body(asker.future, asker.ticket) }
  }

  private func fail(_ key: String, _ run: UInt64, _ failure: FutureImage.Failure) {
    state.withLock { state in
      guard state.transfers.isRunning(key, run: run), !failure.isCancelled else { return }
      state.statistics.failures += 1
      state.failedSources.insert(key)
      if !failure.isTransient, state.transferInputs[key]?.isReload != true {
        state.refusals[key] = (failure, Stopwatch(configuration.clock))
      }
    }
    end(key, run) { $0.failed(failure, $1) }
  }

  /// The picture came: its futures are told, and their disk tiers filled.
  private func keep(_ entry: FutureImage.CacheEntry, _ encoded: Encoded, _ key: String, _ run: UInt64) {
    var encoded = encoded
    let (askers, others, replacement) = state.withLock { state -> ([Asker], [FutureImage], (revision: UInt32, dropped: [Ask])?) in
      let isReload = state.transferInputs[key]?.isReload ?? false
      guard let askers = state.finishTransfer(key, run: run, by: self) else { return ([], [], nil) }
      // All that live learn of another picture, those who asked among them.
      let others = isReload ? state.live.futures(key: key) : []
      let replacement = isReload ? state.replace(key, by: self) : nil
      encoded.revision = state.revisions[key] ?? 0
      stage(entry, encoded, for: (askers.map(\.future) + others).compactMap { $0.descriptor?.disk }, key, &state)
      return (askers, others, replacement)
    }
    if let replacement {
      pool.remove(source: key)
      let answered = Set(askers.map { Ask($0.future, $0.ticket) } + replacement.dropped)
      for future in others { future.replaced(by: encoded, answering: answered) }
    } else {
      for asker in askers { asker.future.received(encoded, asker.ticket) }
    }
  }

  // MARK: Stores

  private func stage(
    _ entry: FutureImage.CacheEntry, _ encoded: Encoded, for tiers: [any FutureImage.DiskTier], _ key: String, _ state: inout State
  ) {
    var distinct: [any FutureImage.DiskTier] = []
    for tier in tiers where !distinct.contains(where: { $0 === tier }) { distinct.append(tier) }
    guard !distinct.isEmpty else { return }
    let before = state.staged[key]
    state.lastStaged += 1
    let number = state.lastStaged
    state.pendingWork += 1
    let storing = Task { [distinct] in
      await before?.storing?.value
      for tier in distinct { await store(entry, encoded, key, in: tier) }
      self.state.withLock { if $0.staged[key]?.number == number { $0.staged[key] = nil } }
      workEnded()
    }
    state.staged[key] = Staged(
      encoded: encoded, entry: entry, tiers: distinct + (before?.encoded?.data == encoded.data ? before?.tiers ?? [] : []),
      storing: storing, number: number)
  }

  /// Where a tier fails, its futures keep the bytes themselves, and what the tier had before is not to be found there any more.
  private func store(
    _ entry: FutureImage.CacheEntry, _ encoded: Encoded, _ key: String, in tier: any FutureImage.DiskTier
  ) async {
    do {
      try await tier.store(entry, forKey: key)
      // Found undecodable in the meantime.
      if state.withLock({ $0.refusals[key] != nil }) { try await tier.remove(forKey: key) }
    } catch {
      report(cacheFault: error)
      do { try await tier.remove(forKey: key) } catch { report(cacheFault: error) }
      let futures = state.withLock { $0.live.futures(key: key) }
      for future in futures where future.descriptor?.disk === tier { future.keep(encoded) }
    }
  }
}
