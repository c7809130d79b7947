/// The second stage: a key's bytes, from its source.
extension FutureImage.Loader {
  /// Inside the lock: it does not run yet.
  ///
  /// Detached: whoever made room for it has nothing to do with it, neither by its priority nor by its task-local values.
  func makeTransferTask(_ key: SourceKey, run: UInt64, _ input: TransferInput, _ priority: TaskPriority) -> Task<Void, Never> {
    let body: @Sendable () async -> Void = { await self.runTransfer(key, run: run, input) }
    // Others may call code of the app's (for headers, bytes, a tier that is asked) or do all of the work themselves, as for a `data` URL.
    guard let transferHost, input.purpose == .first, input.descriptor.source.isPlainRequest else {
      return Scheduling.task("a transfer", priority: priority, body)
    }
    return transferHost.makeTask(priority, body)
  }

  func runTransfer(_ key: SourceKey, run: UInt64, _ input: TransferInput) async {
    let interims = Interims(key, run: run)
    guard begins(key, run, interims) else { return }
    if let source = input.descriptor.source.sizedSource { return await measure(source, key, run, input.past) }
    var known: FutureImage.CacheEntry?
    if input.purpose.mayReplace, let tier = input.descriptor.disk { known = await callOut(of: run) { await entryToConfirm(key, tier) } }
    var past = input.past
    past.partial = beginning(key, input)
    defer { interims.end() }
    let watch = Stopwatch(configuration.clock)
    do throws(FutureImage.Failure) {
      let isReload = input.purpose == .reload
      switch try await transfer(input.descriptor.source, key, run, known: known, isReload: isReload, interims).run(&past) {
      case .fetched(let entry, let mayStore):
        tell(.fetched(bytes: entry.body.count, in: watch.elapsed), key)
        let encoded = try encoded(entry, key)
        if let size = trialSize(encoded, key, insteadOf: known) { try await requireDecodable(encoded, at: size, key) }
        keep(entry, encoded, mayStore: mayStore, key, run)
      case .confirmed(let entry, let mayStore):
        tell(.unchanged, key)
        renew(entry, try encoded(entry, key), known, mayStore: mayStore, key, run)
      }
    } catch {
      keepBeginning(of: &past, key, input, error)
      if error.reason == .transport(.avoidedNetwork), input.purpose != .revalidation {
        await substituteOrFail(key, run, past, error)
      } else {
        await retryOrFail(key, run, past, error) { self.fail(key, run, $0) }
      }
    }
  }

  // Apart, since what a task has in a variable it may keep until it ends: the futures must not live as long.
  private func begins(_ key: SourceKey, _ run: UInt64, _ interims: Interims) -> Bool {
    guard let waiting = state.withLock({ $0.beginTransfer(key, run: run, interims, by: self) }) else {
      slotFreed()
      return false
    }
    for future in waiting { future.advanced(nil) }
    return true
  }

  func transfer(
    _ source: FutureImage.Source, _ key: SourceKey, _ run: UInt64, known: FutureImage.CacheEntry? = nil, isReload: Bool = false,
    _ interims: Interims? = nil, avoiding networks: FutureImage.NetworkTraits? = nil
  ) -> Transfer {
    var configuration = configuration
    if let networks { configuration.avoidedNetworks = networks }
    return Transfer(
      source: source, configuration: configuration, network: network, known: known, isReload: isReload,
      renewedURLs: renewedURLs,
      makeHeaders: { make in try await self.callOut(of: run) { try await make() } },
      prepare: { prepare, request in try await self.callOut(of: run) { try await prepare(request) } },
      renew: { renewal, url in try await self.callOut(of: run) { try await renewal(url, source.key) } },
      report: { self.note($0, key, run, interims) })
  }

  func encoded(_ entry: FutureImage.CacheEntry, _ key: SourceKey) throws(FutureImage.Failure) -> Encoded {
    assertNoLockIsHeld()
    do {
      var encoded = Encoded(data: entry.body, size: try configuration.decoder.size(of: entry.body), isFromDisk: false)
      encoded.share = heldBytes.share(of: key, count: entry.body.count)
      return encoded
    } catch {
      throw FutureImage.Failure(decoding: error).of(key.text)
    }
  }

  /// - Parameter fail: ends the run.
  func retryOrFail(
    _ key: SourceKey, _ run: UInt64, _ past: Transfer.Past, _ failure: FutureImage.Failure, fail: (FutureImage.Failure) -> Void
  ) async {
    guard let wait = configuration.retry.delay(afterAttempt: past.failures, failure, chance: configuration.chance()) else {
      return fail(failure)
    }
    guard state.withLock({ $0.parkTransfer(key, run: run, past, by: self) }) else { return end(key, run) { _, _ in } }
    slotFreed()
    tell(.retrying(failure, after: wait), key)
    // Cancelled when nobody wants it any more, or when it was taken up sooner.
    do { try await configuration.clock.sleep(for: wait) } catch { return tellSettled() }
    _ = state.withLock { $0.unparkTransfer(key, run, by: self) }
  }

  /// The beginning of the body that an earlier run left, if there is one.
  private func beginning(_ key: SourceKey, _ input: TransferInput) -> PartialBody? {
    input.descriptor.source.requestedURL.flatMap { heldBytes.takeBeginning(of: key, from: $0) }
  }

  /// Retains the beginning of the body for the next run, unless the failure is permanent.
  private func keepBeginning(of past: inout Transfer.Past, _ key: SourceKey, _ input: TransferInput, _ failure: FutureImage.Failure) {
    guard let partial = past.partial.take(), let url = input.descriptor.source.requestedURL else { return }
    if failure.isTransient || failure.isCancelled { heldBytes.keep(partial, of: key, from: url) }
  }

  private func note(_ event: Transfer.Event, _ key: SourceKey, _ run: UInt64, _ interims: Interims?) {
    switch event {
    case .request(let url):
      state.withLock { state in
        state.statistics.requests += 1
        state.heard(run)
      }
      // A data URL is not requested from anywhere, and may be megabytes.
      tell(.requested(CanonicalURL.isData(url) ? nil : URL(string: CanonicalURL(url).redacted)), key)
    case .retry: state.withLock { $0.statistics.retries += 1 }
    case .resumed(let failure):
      state.withLock { $0.statistics.retries += 1 }
      tell(.retrying(failure, after: .zero), key)
    case .body(let body): interims?.follow(body)
    case .bytes(let count):
      let isShown = state.withLock { state in
        state.statistics.bytesReceived += count
        state.heard(run)
        return state.keysWithInterims.contains(key)
      }
      if isShown { interims?.grow(by: self) }
    case .fraction(let fraction): advance(key, run, to: fraction)
    case .growth: advance(key, run, to: nil, hasGrown: true)
    }
  }

  private func advance(_ key: SourceKey, _ run: UInt64, to fraction: Double?, hasGrown: Bool = false) {
    let futures = state.withLock { $0.advanceTransfer(key, run: run, to: fraction, hasGrown: hasGrown) }
    for future in futures { future.advanced(fraction) }
  }

  func end(_ key: SourceKey, _ run: UInt64, _ body: (FutureImage, UInt32) -> Void) {
    let askers = state.withLock { $0.finishTransfer(key, run: run, by: self) ?? [] }
    for asker in askers { body(asker.future, asker.ticket) }
    slotWorkEnded()
  }

  func fail(_ key: SourceKey, _ run: UInt64, _ failure: FutureImage.Failure) {
    let refusal = refusal(failure)
    let now = configuration.now()
    let again = now + configuration.retry.failureMemory.seconds
    state.withLock { state in
      guard state.transfers.isRunning(key, run: run), !failure.isCancelled else { return }
      state.statistics.failures += 1
      state.failedSources.insert(key)
      let purpose = state.transfers[key]?.purpose ?? .first
      // Not while a picture of the key waits to be stored: one that is refused by then would be removed.
      if !failure.isTransient, state.staged[key] == nil { state.refusals.insert(refusal, of: key) }
      if purpose == .revalidation { state.noteFailedRevalidation(key, at: now, again: again) }
    }
    tell(failure.isCancelled ? .cancelled : .failed(failure), key)
    end(key, run) { future, ticket in
      future.failed(refusal, ticket)
      // Another transfer may have succeeded before this future heard that its own had failed.
      if let known = self.knownBytes(of: key, besides: future) { future.recovered(by: known) }
    }
  }

  /// Asks the app's clock: outside of the lock.
  func refusal(_ failure: FutureImage.Failure) -> Refusals.Refusal {
    Refusals.Refusal(failure, memory: configuration.retry.failureMemory, clock: configuration.clock)
  }

  /// The picture came: its futures are told, and their disk tiers filled.
  func keep(_ entry: FutureImage.CacheEntry, _ encoded: Encoded, mayStore: Bool, _ key: SourceKey, _ run: UInt64) {
    var encoded = encoded
    encoded.isStored = mayStore
    let (askers, others, replacement, turn) = state.withLock {
      state -> ([Asker], [FutureImage], (revision: UInt32, dropped: [Ask])?, UntoldBytes.Turn?) in
      let mayReplace = state.transfers[key]?.purpose.mayReplace ?? false
      guard let askers = state.finishTransfer(key, run: run, by: self) else { return ([], [], nil, nil) }
      // All that live learn of another picture, those who asked among them; those that failed, of any.
      let others = mayReplace ? state.live.futures(key: key) : state.live.crowd(key: key, atMost: .max)
      let replacement = mayReplace ? state.replace(key, by: self) : nil
      state.refusals.remove(key)
      encoded.revision = state.revisions[key] ?? 0
      state.note(entry.validity, key)
      let tiers = (askers.map(\.future) + (mayReplace ? others : [])).compactMap { $0.descriptor?.disk }
      if mayStore { encoded.isStored = stage(entry, encoded, for: tiers, key, &state) }
      if !mayStore, mayReplace { remove(key, from: tiers, &state) }
      return (askers, others, replacement, state.beginTelling(of: encoded, key))
    }
    if let replacement {
      pool.remove(source: key)
      let answered = Set(askers.map { Ask($0.future, $0.ticket) } + replacement.dropped)
      for future in others { future.replaced(by: encoded, answering: answered) }
    } else {
      for asker in askers { asker.future.received(encoded, asker.ticket) }
      for future in others { future.recovered(by: encoded) }
    }
    slotFreed { state in
      state.endTelling(key, turn)
      state.pendingWork -= 1
    }
  }
}
