/// One attempt to fetch a key's bytes from its source: from the slot that the transfer gets until all requests are answered, or until it
/// has failed and another attempt is scheduled.
final class TransferRun: Sendable {
  typealias Loader = FutureImage.Loader

  let loader: Loader
  let key: SourceKey
  /// The run's number in the loader's tables, for as long as a request needs the run.
  let number: UInt64
  let input: Loader.TransferInput
  private let interims: Interims

  init(_ loader: Loader, key: SourceKey, number: UInt64, input: Loader.TransferInput) {
    (self.loader, self.key, self.number, self.input) = (loader, key, number, input)
    interims = Interims(key, run: number)
  }

  var state: Lock<Loader.State> { loader.state }

  func run() async {
    guard begins() else { return }
    let signpost = Signpost("transfer", key.text)
    defer { signpost.end() }
    if let source = input.descriptor.source.sizedSource { return await measure(source, input.past) }
    var known: FutureImage.CacheEntry?
    // Whatever is requested for the first time has no entry to confirm.
    if input.purpose.mayReplace, let tier = input.descriptor.disk { known = await callOut { await loader.entryToConfirm(key, tier) } }
    var past = input.past
    past.partial = takeBeginning()
    defer { interims.end() }
    let watch = Stopwatch(loader.configuration.clock)
    let source = input.descriptor.source
    do throws(FutureImage.Failure) {
      switch try await transfer(of: source, known: known, for: input.purpose, interims).run(&past) {
      case .fetched(let entry, let mayStore):
        loader.tell(.fetched(bytes: entry.body.count, in: watch.elapsed), key)
        let encoded = try encoded(entry)
        var decoded: PixelPool.Living?
        if let trial = loader.trial(encoded.size, key, insteadOf: known) { decoded = try await loader.decode(encoded, key, for: trial) }
        keep(entry, with: encoded, mayStore: mayStore, decoded: decoded)
      case .confirmed(let entry, let mayStore):
        loader.tell(.unchanged, key)
        renew(entry, with: try encoded(entry), from: known, mayStore: mayStore)
      case .fitting(let entry): renew(entry, with: try encoded(entry), from: known, mayStore: true)
      }
    } catch {
      keepBeginning(of: &past, error)
      if showKnown(known, insteadOf: error, past) { return }
      if error.reason == .transport(.avoidedNetwork), input.purpose != .revalidation {
        await substituteOrFail(past, error)
      } else {
        await retryOrFail(past, error)
      }
    }
  }

  private func begins() -> Bool {
    guard let requests = loader.change({ $0.beginTransfer(key, run: number, interims) }) else { return false }
    answer(requests, .progress(nil))
    return true
  }

  // A separate method: a task may retain the value of a variable until it ends, and the futures must not live that long.
  private func answer(_ requests: Waiters<LoadRequest>, _ answer: Answer) {
    for live in requests.living { live.future.take(answer, for: live.request) }
  }

  /// The beginning of the body that an earlier run left, if there is one.
  private func takeBeginning() -> PartialBody? {
    input.descriptor.source.requestedURL.flatMap { loader.heldBytes.takeBeginning(of: key, from: $0) }
  }

  /// Retains the beginning of the body for the next run, unless the failure is permanent.
  private func keepBeginning(of past: inout Transfer.Past, _ failure: FutureImage.Failure) {
    guard let partial = past.partial.take(), let url = input.descriptor.source.requestedURL else { return }
    if failure.isTransient || failure.isCancelled { loader.heldBytes.keep(partial, of: key, from: url) }
  }

  func encoded(_ entry: FutureImage.CacheEntry) throws(FutureImage.Failure) -> Encoded {
    assertNoLockIsHeld()
    do {
      var encoded = Encoded(data: entry.body, size: try loader.configuration.decoder.size(of: entry.body), isFromDisk: false)
      encoded.share = loader.heldBytes.share(of: key, count: entry.body.count)
      return encoded
    } catch {
      throw FutureImage.Failure(decoding: error).of(input.descriptor.source)
    }
  }

  // MARK: The exchange

  func transfer(
    of source: FutureImage.Source, known: FutureImage.CacheEntry? = nil, for purpose: Loader.Purpose = .first,
    _ interims: Interims? = nil, avoiding networks: FutureImage.NetworkTraits? = nil
  ) -> Transfer {
    var configuration = loader.configuration
    if let networks { configuration.avoidedNetworks = networks }
    let standing = purpose == .revalidation ? known.flatMap { loader.standing(of: $0, ifItFits: source) } : nil
    return Transfer(
      source: source, configuration: configuration, network: loader.network, known: known, standingIfFitting: standing,
      isReload: purpose == .reload, renewedURLs: loader.renewedURLs,
      makeHeaders: { make in try await self.callOut { try await make() } },
      prepare: { prepare, request in try await self.callOut { try await prepare(request) } },
      renew: { renewal, url in try await self.callOut { try await renewal(url, source.key) } },
      report: { self.note($0, interims) })
  }

  /// Calls code of the app's, which may hang. That is not the host's fault, so other transfers may use its slot in the meantime.
  func callOut<Value, Failure>(_ body: () async throws(Failure) -> Value) async throws(Failure) -> Value {
    state.withLock { _ = $0.callouts.insert(number) }
    defer {
      state.withLock { state in
        state.callouts.remove(number)
        state.heard(number)
      }
    }
    return try await body()
  }

  private func note(_ event: Transfer.Event, _ interims: Interims?) {
    switch event {
    case .request(let url):
      state.withLock { state in
        state.statistics.requests += 1
        state.heard(number)
      }
      // A data URL is not requested from a server, and may be megabytes long.
      loader.tell(.requested(CanonicalURL.isData(url) ? nil : URL(string: CanonicalURL(url).redacted)), key)
    case .retry: state.withLock { $0.statistics.retries += 1 }
    case .resumed(let failure):
      state.withLock { $0.statistics.retries += 1 }
      loader.tell(.retrying(failure, after: .zero), key)
    case .body(let body): interims?.follow(body)
    case .bytes(let count):
      let isShown = state.withLock { state in
        state.statistics.bytesReceived += count
        state.heard(number)
        return state.pictures[key]?.hasInterims ?? false
      }
      if isShown { interims?.grow(by: loader) }
    case .fraction(let fraction): advance(to: fraction)
    case .growth: advance(to: nil, hasGrown: true)
    }
  }

  private func advance(to fraction: Double?, hasGrown: Bool = false) {
    answer(state.withLock { $0.advanceTransfer(key, run: number, to: fraction, hasGrown: hasGrown) }, .progress(fraction))
  }

  // MARK: Without an image

  /// Shows the stale entry that fits the request, if the source does not answer: other futures show such an entry before they ask.
  private func showKnown(_ known: FutureImage.CacheEntry?, insteadOf failure: FutureImage.Failure, _ past: Transfer.Past) -> Bool {
    guard past.mayShowKnown, failure.isTransient, let known, let encoded = try? encoded(known) else { return false }
    let now = loader.configuration.now()
    loader.tell(.failed(failure), key)
    renew(known, with: encoded, from: known, mayStore: true)
    state.withLock { state in
      state.statistics.failures += 1
      state.noteFailedRevalidation(key, at: now, again: now + loader.configuration.retry.failureMemory.seconds)
    }
    return true
  }

  func retryOrFail(_ past: Transfer.Past, _ failure: FutureImage.Failure) async {
    await retry(past, failure) { fail($0) }
  }

  /// Waits for the next attempt, if there is to be one.
  /// - Parameter end: a closure that ends the run for good.
  func retry(_ past: Transfer.Past, _ failure: FutureImage.Failure, orEnd end: (FutureImage.Failure) -> Void) async {
    let configuration = loader.configuration
    if let hold = configuration.retry.hold(after: failure) { loader.hold(host: input.descriptor.source.lane, for: hold) }
    guard let wait = configuration.retry.delay(afterAttempt: past.failures, failure, chance: configuration.chance()) else {
      return end(failure)
    }
    // Race: an attempt that waits for its next although nobody wants it.
    guard loader.change({ $0.parkTransfer(key, run: number, past) }) else { return self.end(with: { _ in nil }) }
    loader.tell(.retrying(failure, after: wait), key)
    // Canceled when no request needs the run any more, or when it was resumed sooner.
    do { try await configuration.clock.sleep(for: wait) } catch { return loader.lookWhatMayBegin() }
    loader.change { $0.unparkTransfer(key, number) }
  }

  func fail(_ failure: FutureImage.Failure) {
    let refusal = loader.refusal(failure, of: key)
    if failure.isDeletion, !input.descriptor.policy.retainsDeleted, lose(by: refusal) { return }
    let now = loader.configuration.now()
    let again = now + loader.configuration.retry.failureMemory.seconds
    state.withLock { state in
      guard state.transfers.isRunning(key, run: number), !failure.isCancelled else { return }
      state.statistics.failures += 1
      state.pictures.change(key) { $0.hasFailed = true }
      let purpose = state.transfers[key]?.purpose ?? .first
      if refusal.answers { state.refusals.insert(refusal, of: key) }
      if purpose == .revalidation { state.noteFailedRevalidation(key, at: now, again: again) }
    }
    loader.tell(failure.isCancelled ? .cancelled : .failed(failure), key)
    end { _ in .failure(refusal) }
  }

  /// Ends the run, and answers the requests that still wait.
  /// - Parameter answer: returns the answer for a future; nil for none.
  func end(with answer: (FutureImage) -> Answer?) {
    loader.change { state in
      state.finishTransfer(key, run: number) ?? []
    } telling: { requests in
      for live in requests.living {
        if let answer = answer(live.future) { live.future.take(answer, for: live.request) }
      }
    }
  }
}

extension FutureImage.Loader {
  /// Reads the app's clock: call it outside the lock.
  /// - Parameter key: the key of the source that failed; nil if a failure of it is not remembered for others.
  func refusal(_ failure: FutureImage.Failure, of key: SourceKey? = nil) -> Refusals.Refusal {
    let count = key.map { key in state.withLock { $0.refusals.failures(of: key) } } ?? 0
    let memory = configuration.retry.memory(of: failure, after: count + 1)
    return Refusals.Refusal(failure, memory: memory, clock: configuration.clock)
  }
}
