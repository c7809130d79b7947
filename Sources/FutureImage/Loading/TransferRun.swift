/// One attempt to fetch a key's image from its source. It begins when the fetch gets a slot. It ends when all readers have the result, or
/// when it has failed and another attempt is scheduled.
final class TransferRun: Sendable {
  typealias Loader = FutureImage.Loader

  let loader: Loader
  let fetch: Fetch
  /// The number of the run, which is the fetch's current run as long as a reader needs it.
  let number: UInt64
  /// The purpose of the fetch when the run began.
  private let purpose: Fetch.Purpose
  let previews = Lock(Previews())

  init(_ loader: Loader, _ fetch: Fetch, number: UInt64, purpose: Fetch.Purpose) {
    (self.loader, self.fetch, self.number, self.purpose) = (loader, fetch, number, purpose)
  }

  var key: SourceKey { fetch.picture.key }
  private var source: FutureImage.Source { fetch.descriptor.source }

  var state: Lock<Loader.State> { loader.state }

  func run() async {
    let isNeeded = loader.begin(fetch, run: number, in: \.fetches) { state in
      fetch.attempt = self
      loader.advance(fetch, run: number, to: nil, &state)
    }
    guard isNeeded else { return }
    let signpost = Signpost("transfer", key.text)
    defer { signpost.end() }
    var (history, isForAnyNetwork, generation) = state.withLock { _ in (fetch.history, fetch.isForAnyNetwork, fetch.picture.generation) }
    if let source = source.sizedSource { return await measure(source, history) }
    var known: FutureImage.CacheEntry?
    // A key that is requested for the first time has no entry to confirm.
    if purpose.mayReplace, let tier = fetch.descriptor.disk { known = await callOut { await loader.entryToConfirm(key, tier) } }
    history.partial = takeBeginning()
    defer { endPreviews() }
    let stopwatch = Stopwatch(loader.configuration.clock)
    do throws(FutureImage.Failure) {
      switch try await transfer(known: known, isForAnyNetwork: isForAnyNetwork).run(&history) {
      case .fetched(let entry, let mayStore):
        loader.report(.fetched(bytes: entry.body.count, in: stopwatch.elapsed), key)
        let answer = try answer(entry, mayStore: mayStore)
        var decoded: PixelPool.Living?
        if let candidate = loader.candidate(answer.encoded.size, fetch, insteadOf: known) {
          decoded = try await loader.decode(answer.encoded, key, for: candidate)
        }
        loader.finish(fetch, run: number, with: answer, decoded: decoded)
      case .confirmed(let entry, let mayStore):
        loader.report(.unchanged, key)
        loader.renew(fetch, run: number, with: try answer(entry, mayStore: mayStore), from: known)
      case .fitting(let entry): loader.renew(fetch, run: number, with: try answer(entry, mayStore: true), from: known)
      }
    } catch {
      keepBeginning(of: &history, generation, error)
      if showKnown(known, insteadOf: error, history) { return }
      if error.reason == .transport(.avoidedNetwork), !isForAnyNetwork, loader.resume(fetch, run: number, history) { return }
      let mayUseSmaller = error.reason == .transport(.avoidedNetwork) && purpose != .revalidation
      // Readers that name a smaller image move to that image. The other readers fail now, and do not wait for the smaller images.
      if mayUseSmaller, loader.useSmaller(insteadOf: fetch, run: number) { return failQuietly(with: error) }
      await retryOrFail(history, error)
    }
  }

  /// Ends the run with a failure that the picture does not remember, because it says nothing about the source on another network.
  private func failQuietly(with failure: FutureImage.Failure) {
    let remembered = loader.remembered(failure)
    loader.change { state in
      guard loader.finish(fetch, run: number, &state) else { return }
      loader.visit(fetch.picture.readers.all, &state) { [fetch, loader] reader, state in
        if reader.isDue(from: fetch) { loader.fail(reader, with: remembered, &state) }
      }
    }
  }

  /// Removes the beginning of the body that an earlier run left, and returns it if the source still requests the same URL.
  private func takeBeginning() -> PartialBody? {
    let beginning = state.withLock { $0.bytes.takeBeginning(of: fetch.picture) }
    return beginning?.url == source.requestedURL ? beginning?.partial : nil
  }

  /// Retains the beginning of the body for the next run, unless the failure is permanent, or another image has replaced the image of the
  /// run.
  private func keepBeginning(of history: inout Transfer.AttemptHistory, _ generation: UInt32, _ failure: FutureImage.Failure) {
    guard let partial = history.partial.take(), let url = source.requestedURL else { return }
    guard failure.isTransient || failure.isCancelled else { return }
    state.withLock { state in
      // If the fetch has no readers left, it was removed from its picture, which the registry may have dropped.
      let picture = state.pictures.picture(key)
      if picture.generation == generation { state.bytes.hold(ByteBudget.Beginning(partial, from: url), in: picture, &state.departed) }
      state.pictures.dropIfUnused(picture)
    }
  }

  private func answer(_ entry: FutureImage.CacheEntry, mayStore: Bool) throws(FutureImage.Failure) -> FetchedEntry {
    assertNoLockIsHeld()
    do {
      let encoded = Encoded(data: entry.body, size: try loader.configuration.decoder.size(of: entry.body), isFromDisk: false)
      return FetchedEntry(encoded: encoded, entry: entry, mayStore: mayStore)
    } catch {
      throw FutureImage.Failure(decoding: error).of(source)
    }
  }

  // MARK: The exchange

  private func transfer(known: FutureImage.CacheEntry?, isForAnyNetwork: Bool) -> Transfer {
    var configuration = loader.configuration
    if isForAnyNetwork { configuration.avoidedNetworks = [] }
    let source = source
    let standing = purpose == .revalidation ? known.flatMap { loader.standing(of: $0, ifItFits: source) } : nil
    return Transfer(
      source: source, configuration: configuration, network: loader.network, known: known, standingIfFitting: standing,
      isReload: purpose == .reload,
      withRenewedURLs: { change in self.state.withLock { _ in change(&self.fetch.picture.remembered.renewedURLs) } },
      makeHeaders: { make in try await self.callOut { try await make() } },
      prepare: { prepare, request in try await self.callOut { try await prepare(request) } },
      renew: { renewal, url in try await self.callOut { try await renewal(url, source.key) } },
      report: { self.note($0) })
  }

  /// Calls code of the app, which may hang. The host does not cause that delay, so other transfers may use the slot meanwhile.
  func callOut<Value, Failure>(_ body: () async throws(Failure) -> Value) async throws(Failure) -> Value {
    state.withLock { _ = $0.stallDetector.callouts.insert(number) }
    defer {
      state.withLock { state in
        state.stallDetector.callouts.remove(number)
        state.noteActivity(number)
      }
    }
    return try await body()
  }

  private func note(_ event: Transfer.Event) {
    switch event {
    case .request(let url):
      state.withLock { state in
        state.statistics.requests += 1
        state.noteActivity(number)
      }
      // A data URL is not requested from a server, and may be megabytes long.
      loader.report(.requested(CanonicalURL.isData(url) ? nil : URL(string: CanonicalURL(url).redacted)), key)
    case .retry: state.withLock { $0.statistics.retries += 1 }
    case .resumed(let failure):
      state.withLock { $0.statistics.retries += 1 }
      loader.report(.retrying(failure, after: .zero), key)
    case .body(let body): follow(body)
    case .bytes(let count):
      let isShown = state.withLock { state in
        state.statistics.bytesReceived += count
        state.noteActivity(number)
        return fetch.picture.notes.hasPreviews
      }
      if isShown { showPreviews() }
    case .fraction(let fraction): loader.change { loader.advance(fetch, run: number, to: fraction, &$0) }
    }
  }

  // MARK: Without an image

  /// Shows the known entry because the source does not answer, provided that the entry is stale, and that it turned out to fit the request.
  /// An entry that was known to fit before the request has already been shown.
  /// - Returns: whether the run has ended in this way.
  private func showKnown(_ known: FutureImage.CacheEntry?, insteadOf failure: FutureImage.Failure, _ history: Transfer.AttemptHistory)
    -> Bool
  {
    guard history.mayShowKnown, failure.isTransient, let known, let answer = try? answer(known, mayStore: true) else { return false }
    loader.report(.failed(failure), key)
    loader.renew(fetch, run: number, with: answer, from: known, hasFailed: true)
    return true
  }

  /// Waits for the next attempt if the retry policy permits one. Otherwise, ends the fetch.
  func retryOrFail(_ history: Transfer.AttemptHistory, _ failure: FutureImage.Failure) async {
    let configuration = loader.configuration
    if let hold = configuration.retry.hold(after: failure) { loader.hold(host: source.lane, for: hold) }
    guard let wait = configuration.retry.delay(afterAttempt: history.failures, failure, chance: configuration.chance()) else {
      return loader.fail(fetch, run: number, with: failure)
    }
    // Race: an attempt that parks its fetch although no reader needs the fetch.
    guard loader.park(fetch, run: number, history) else {
      return loader.change { _ = loader.finish(fetch, run: number, &$0) }
    }
    loader.report(.retrying(failure, after: wait), key)
    // The wait is canceled when no reader needs the fetch any longer, or when the fetch is resumed sooner.
    do { try await configuration.clock.sleep(for: wait) } catch { return loader.change { $0.effects.noteEnd() } }
    loader.change { loader.unpark(fetch, run: number, &$0) }
  }
}

extension FutureImage.Loader {
  /// Returns the entry that remembers a failure. Reads the app's clock, so call it outside of the lock.
  /// - Parameter picture: the picture whose source failed; nil if the failure is not remembered for other readers.
  func remembered(_ failure: FutureImage.Failure, of picture: Picture? = nil) -> FailureMemory.Entry {
    let count = picture.map { picture in state.withLock { _ in picture.remembered.failureMemory.count } } ?? 0
    let memory = configuration.retry.memory(of: failure, after: count + 1)
    return FailureMemory.Entry(failure, memory: memory, clock: configuration.clock)
  }
}
