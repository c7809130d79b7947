/// Lookups in disk tiers: the table's jobs, their runs, and the consequences of their results.
extension FutureImage.Loader {
  struct LookupKey: Hashable {
    let key: SourceKey
    let tier: ObjectIdentifier

    init(_ key: SourceKey, _ tier: any FutureImage.DiskTier) {
      self.key = key
      self.tier = ObjectIdentifier(tier)
    }
  }

  typealias LookupTable = JobTable<LookupKey, LoadRequest, Descriptor>

  /// Ends the run of a lookup, and answers the requests that waited for it, or requests a transfer for them.
  fileprivate func finish(
    _ lookup: LookupKey, run: UInt64, of source: FutureImage.Source, in tier: any FutureImage.DiskTier, with found: Found?
  ) {
    // Bytes that have just arrived must not be shown without asking the source, either.
    let mustAsk = standing(inMemory: source) == .unconfirmed
    change { state -> (rest: Waiters<LoadRequest>.Iterator?, result: LookupResult, answers: [(LiveRequest, Answer)]) in
      // Not if another image has arrived meanwhile, which the tier is about to store.
      if case .undecodable = found, state.lookups.isRunning(lookup, run: run) { remove(lookup.key, from: [tier], &state) }
      let order = state.lookups.rank(of: lookup)?.order
      let requests = state.finishLookup(lookup, run: run)
      if case .picture = found, !requests.isEmpty { state.statistics.diskHits += 1 }
      var rest: Waiters<LoadRequest>.Iterator? = requests.makeIterator()
      // Bytes that have arrived meanwhile for other tiers go to this one, too, if it has none.
      let isMissing = if case .picture = found { false } else { !requests.isEmpty }
      let staged = stagedBytes(of: lookup.key, for: isMissing ? tier : nil, &state)
      let result = LookupResult(lookup, tier: tier, found: found, staged: staged, mustAsk: mustAsk, order: order, in: state)
      let answers = state.answers(toSomeOf: &rest, result)
      return (rest, result, answers)
    } telling: { rest, result, answers in
      var (rest, answers) = (rest, answers)
      while true {
        for (live, answer) in answers { live.future.take(answer, for: live.request) }
        if case .picture(_, .stale) = found { for (live, _) in answers { live.future.revalidate() } }
        if rest == nil { break }
        answers = change { $0.answers(toSomeOf: &rest, result) }
      }
      if let known = result.known, state.withLock({ $0.pictures.isShared(lookup.key) }) {
        forEachFuture(of: lookup.key) { $0.recover(with: known) }
      }
    }
  }

  /// The result of a lookup, and other known bytes.
  fileprivate struct LookupResult {
    let tier: any FutureImage.DiskTier
    let found: Found?
    let mustAsk: Bool
    let order: UInt64?
    /// The bytes, if they may be shown without asking the source.
    var known: Encoded?
    /// The bytes for futures that have had the image.
    var had: Encoded?

    init(
      _ lookup: LookupKey, tier: any FutureImage.DiskTier, found: Found?, staged: Encoded?, mustAsk: Bool, order: UInt64?,
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

  /// The entry of a tier.
  enum Found {
    case picture(Encoded, FutureImage.CacheEntry.Standing)
    /// An entry that cannot be decoded here. It counts as missing, and is removed.
    case undecodable
  }

  func read(_ source: FutureImage.Source, _ tier: any FutureImage.DiskTier) async -> Found? {
    let signpost = Signpost("lookup", source.key)
    defer { signpost.end() }
    let watch = Stopwatch(configuration.clock)
    return await entry(source.id, tier).map { examine($0, of: source, timedBy: watch) }
  }

  fileprivate func examine(_ entry: FutureImage.CacheEntry, of source: FutureImage.Source, timedBy watch: Stopwatch) -> Found {
    let key = source.id
    assertNoLockIsHeld()
    guard let size = try? configuration.decoder.size(of: entry.body) else { return .undecodable }
    tell(.read(bytes: entry.body.count, in: watch.elapsed), key)
    var encoded = Encoded(data: entry.body, size: size, isFromDisk: true)
    encoded.share = heldBytes.share(of: key, count: entry.body.count)
    return .picture(encoded, noteStanding(of: entry, source))
  }

  /// Notes the validity of an entry that was found, for images of the key in memory, and returns the entry's standing.
  private func noteStanding(of entry: FutureImage.CacheEntry, _ source: FutureImage.Source) -> FutureImage.CacheEntry.Standing {
    let now = configuration.now()
    let fits = fits(entry.validity.secondaryKey, source)
    let standing = state.withLock { state in
      let standing = state.standing(of: entry, source.id, at: now)
      // A tier that stores only bodies does not know what the server stated.
      if standing == entry.standing(at: now), entry.validity.isStated { state.note(entry.rebased(to: now).validity, source.id) }
      return standing
    }
    return fits ? standing : .unconfirmed
  }

  func entry(_ key: SourceKey, _ tier: any FutureImage.DiskTier) async -> FutureImage.CacheEntry? {
    assertNoLockIsHeld()
    do {
      return try await configuration.writes.entry(forKey: key.text, in: tier)
    } catch {
      report(cacheFault: error, key)
      return nil
    }
  }
}

extension FutureImage.Loader.State {
  /// - Returns: whether the run is still wanted; otherwise it has ended before it began.
  mutating func beginLookup(_ lookup: Loader.LookupKey, run: UInt64) -> Bool {
    if lookups.isRunning(lookup, run: run) { return true }
    effects.note(lookups.finish(lookup, run: run).actions)
    effects.note(.slot)
    return false
  }

  /// - Returns: the requests that waited for it.
  mutating func finishLookup(_ lookup: Loader.LookupKey, run: UInt64) -> Waiters<LoadRequest> {
    let (waiters, actions) = lookups.finish(lookup, run: run)
    lull.somethingEnded()
    effects.note(actions)
    return waiters ?? []
  }

  /// Starts a lookup, on a thread of the tier if it has threads of its own. The entry is examined, and the requests are answered, there,
  /// too, without a change of thread. A read cannot be stopped: the result of a canceled one is ignored.
  mutating func perform(_ action: Loader.LookupTable.Action, by loader: Loader) {
    guard case .start(let lookup, let run) = action else { return }
    guard let descriptor = lookups.change(lookup, run: run, { $0 }), let tier = descriptor.disk else {
      return effects.note(lookups.finish(lookup, run: run).actions)
    }
    let source = descriptor.source
    if let tier = tier as? any BlockingTier {
      tier.readers.submit(lane: tier.group) {
        guard loader.change({ $0.beginLookup(lookup, run: run) }) else { return }
        let signpost = Signpost("lookup", source.key)
        defer { signpost.end() }
        let watch = Stopwatch(loader.configuration.clock)
        var entry: FutureImage.CacheEntry?
        do {
          entry = try loader.configuration.writes.waitForEntry(forKey: lookup.key.text, in: tier)
        } catch {
          loader.report(cacheFault: error, lookup.key)
        }
        loader.finish(
          lookup, run: run, of: source, in: tier, with: entry.map { loader.examine($0, of: source, timedBy: watch) })
      }
    } else {
      let priority = lookups.rank(of: lookup)?.taskPriority ?? .medium
      _ = Scheduling.task("a lookup", priority: priority) {
        guard loader.change({ $0.beginLookup(lookup, run: run) }) else { return }
        loader.finish(lookup, run: run, of: source, in: tier, with: await loader.read(source, tier))
      }
    }
  }

  /// Takes a few requests, and returns the answer to each after a lookup. Thousands may have waited, and other threads need the lock.
  /// - Parameter requests: nil once none is left.
  fileprivate mutating func answers(
    toSomeOf requests: inout Waiters<LoadRequest>.Iterator?, _ result: Loader.LookupResult
  ) -> [(LiveRequest, Answer)] {
    let some = requests?.next(Pictures.slice) ?? []
    if some.count < Pictures.slice { requests = nil }
    return some.living.map { live in
      if live.request.isCanceled { return (live, .later) }
      if let bytes = result.known ?? (live.future.hasHadPicture ? result.had : nil) {
        // The image may have been replaced between two turns of the lock.
        guard let key = live.future.descriptor?.key, bytes.revision != pictures.generation(of: key) else { return (live, .bytes(bytes)) }
      }
      let (tier, found, mustAsk, order) = (result.tier, result.found, result.mustAsk, result.order)
      return (live, answer(to: live.request, of: live.future, after: tier, found, mustAsk: mustAsk, order: order))
    }
  }

  /// Returns the answer to a request whose tier has no bytes that its future may show.
  mutating func answer(
    to request: LoadRequest, of future: FutureImage, after tier: any FutureImage.DiskTier, _ found: Loader.Found?, mustAsk: Bool,
    order: UInt64?
  ) -> Answer {
    guard let descriptor = future.descriptor else { return .later }
    // The tier could not store the bytes, and returned them to the future after its request.
    if found == nil, let kept = future.keptBytes, kept.revision == pictures.generation(of: descriptor.key) { return .bytes(kept) }
    let isFound = if case .picture = found { true } else { false }
    return requestTransferUnlessRefused(
      for: request, of: descriptor, reason: future.urgency, as: isFound || mustAsk ? .revalidation : .first, after: tier, order: order)
  }
}
