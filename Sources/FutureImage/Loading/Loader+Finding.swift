/// The first stage of loading: a reader finds its picture, and the picture finds its bytes. The bytes are in memory, in the reader's disk
/// tier, or at the source.
extension FutureImage.Loader {
  /// Registers a new or deferred reader, and requests its image.
  func begin(_ reader: Reader) {
    assertNoLockIsHeld()
    let descriptor = reader.descriptor
    let (known, now) = (imageInMemoryTier(of: descriptor), configuration.now())
    let tierToCheck = change { state -> (tier: any BlockingTier, number: UInt32)? in
      guard register(reader, &state), let picture = reader.picture else { return nil }
      let standing = standing(of: picture, for: descriptor.source, at: now)
      // An image in memory is not shown if the server requires a revalidation first.
      let inTier = known.flatMap { $0.generation == picture.generation ? $0.image : nil }
      if standing != .unconfirmed, let image = inTier ?? pooled(reader.variant(), &state) {
        countPoolHit()
        adopt(image, reader, &state)
        if standing == .stale { revalidate(reader, at: now, &state) }
        return nil
      }
      request(reader, .bytes)
      if picture.isUntouched, let tier = descriptor.disk as? any BlockingTier, tier.knowsMissing { return (tier, reader.requestNumber) }
      findBytes(reader, at: now, &state)
      return nil
    }
    guard let (tier, number) = tierToCheck else { return }
    // If the entry is known to be missing, no thread is woken for a read.
    let isMissing = tier.isKnownMissing(forKey: descriptor.key.text)
    change { state in
      // Race: a request that is canceled while its tier is read.
      guard reader.awaitsNothing, reader.requestNumber == number else { return }
      findBytes(reader, isMissing: isMissing, at: now, &state)
    }
  }

  /// Registers a reader, unless it is already registered.
  /// - Returns: whether the reader is new.
  @discardableResult func register(_ reader: Reader, _ state: inout State) -> Bool {
    // Race: a future that several threads register at once.
    guard reader.picture == nil else { return false }
    state.pictures.insert(reader)
    state.statistics.futures += 1
    if reader.demand == .deferred { reader.demand = .none }
    return true
  }

  /// Ends the reader of a future that is being deallocated. If views may show the image, the reader stays for them as a follower, until a
  /// turn of the main actor finds that no view shows it.
  func endFuture(of reader: Reader) {
    change { state in
      // A reader of a smaller image does not become a follower.
      guard reader.isBound, reader.smaller == nil, let picture = reader.picture else {
        return unregister(reader, &state)
      }
      leaveAll(reader, &state)
      endMeasuring(reader)
      let isOnly = state.pictures.beginFollowing(reader)
      if picture.hasNoFuture { endFutures(of: picture, reader, &state) }
      releaseUnneededBytes(picture, &state)
      if isOnly { state.effects.later { $0.notifyFollowers() } }
    }
  }

  /// Unregisters a reader whose image no view shows.
  func unregister(_ reader: Reader) { change { unregister(reader, &$0) } }

  private func unregister(_ reader: Reader, _ state: inout State) {
    guard let picture = reader.picture, reader.index >= 0 else { return }
    leaveAll(reader, &state)
    state.takeArrived(reader)
    endMeasuring(reader)
    if reader.smaller != nil, let own = state.pictures[reader.descriptor.key] {
      own.notes.movedReaders[ObjectIdentifier(reader)] = nil
      state.pictures.dropIfUnused(own)
    }
    _ = state.pictures.remove(reader)
    if picture.hasNoFuture { endFutures(of: picture, reader, &state) }
    releaseUnneededBytes(picture, &state)
  }

  /// Releases the bytes and the pixels that a picture retained for its futures, after the last of them is gone.
  func endFutures(of picture: Picture, _ reader: Reader, _ state: inout State) {
    if picture.notes.hasPreviews { picture.notes.hasPreviews = false }
    if picture.staged == nil { state.bytes.release(picture, &state.departed) }
    if !reader.descriptor.policy.outlivesModel { state.departed.add(pool.take(source: picture.key)) }
  }

  /// Notifies followers on the main actor that their future is gone, a few in each delivery.
  private func notifyFollowers() {
    deliver {
      let (followers, areAll) = self.state.withLock { $0.pictures.takeFollowers() }
      for reader in followers { reader.follow() }
      if !areAll { self.notifyFollowers() }
    }
  }

  // MARK: Requests for bytes

  /// Records a new request of the reader. The caller then calls ``findBytes(_:isMissing:at:_:)``, or requests the image from the source.
  func request(_ reader: Reader, _ demand: Reader.Demand) {
    reader.demand = demand
    reader.requestNumber += 1
    reader.pixelsHaveFailed = false
    reader.needs = []
  }

  /// Finds the bytes for a reader that has requested them.
  /// - Parameter isMissing: whether the reader's disk tier is known to have no entry.
  func findBytes(_ reader: Reader, isMissing: Bool = false, at now: Date, _ state: inout State) {
    guard let picture = reader.picture else { return }
    let source = reader.current.source
    let mustAsk = !reader.hasHadImage && standing(of: picture, for: source, at: now) == .unconfirmed
    if !mustAsk, let encoded = picture.encoded, shareBytes(of: picture, with: reader, &state) {
      deliverBytes(encoded, to: reader, &state)
      return releaseUnneededBytes(picture, &state)
    }
    guard
      let tier = reader.current.disk, !isMissing, !configuration.writes.isMissing(picture.key.text, in: tier),
      picture.fetch?.missed.contains(where: { $0 === tier }) != true
    else { return requestFromSource(reader, as: mustAsk ? .revalidation : .first, missed: isMissing ? reader.current.disk : nil, &state) }
    let rank = state.newRank(reader.urgency, reader.current.priority)
    if let lookup = picture.lookups.first(where: { $0.tier === tier }) {
      state.lookups.promote(lookup, to: rank)
      state.statistics.joined += 1
      reader.lookup = lookup
    } else {
      let lookup = Lookup(picture, source, in: tier, rank)
      picture.lookups.append(lookup)
      state.lookups.add(lookup)
      reader.lookup = lookup
    }
    reader.lookup?.readers.append(reader)
    reader.lookup?.readerCount += 1
  }

  /// Returns whether the reader can use the picture's bytes without a lookup. The reader can use them if it has no disk tier, or if its
  /// tier has nothing better. Bytes that still wait for other tiers are stored in this reader's tier, too.
  func shareBytes(of picture: Picture, with reader: Reader, _ state: inout State) -> Bool {
    guard let tier = reader.current.disk, picture.encoded?.isStored != false else { return true }
    // Checks only the first few of thousands of readers. If none of them has the image, and no write of the bytes waits, the tier is read.
    let hasOther = picture.readers.prefix(Scheduling.batchSize).contains {
      $0 !== reader && $0.fullSize != nil && !$0.isOutdated && $0.current.disk === tier
    }
    if hasOther { return true }
    guard let entry = picture.staged?.entry, var encoded = picture.encoded else { return false }
    if picture.staged?.places.contains(tier.location.resolvedName) != true {
      let isStored = stage(entry, of: encoded, for: [tier], at: picture, &state)
      if !isStored {
        encoded.isStored = false
        state.bytes.hold(encoded, in: picture, &state.departed)
      }
    }
    return true
  }

  /// Raises the rank of the work that the reader waits for.
  func promote(_ reader: Reader, _ state: inout State) {
    let rank = state.newRank(reader.urgency, reader.current.priority)
    if let lookup = reader.lookup { state.lookups.promote(lookup, to: rank) }
    if reader.isInFetch, let fetch = reader.picture?.fetch, state.fetches.promote(fetch, to: rank) { escalate(fetch) }
  }

  // MARK: Disk tiers

  /// The result of examining an entry of a tier.
  enum Found {
    case image(Encoded, FutureImage.CacheEntry.Standing)
    /// An entry that cannot be decoded here. It counts as missing, and is removed.
    case undecodable
  }

  /// Starts a lookup, on a thread of the tier if it has threads of its own. The same thread examines the entry and delivers it to the
  /// readers. A read cannot be stopped, so the result of a canceled lookup is ignored.
  func start(_ lookup: Lookup, _ state: inout State) {
    guard let run = lookup.run else { return }
    let (source, tier) = (lookup.source, lookup.tier)
    if let tier = tier as? any BlockingTier {
      tier.readers.submit(lane: lookup.lane ?? "") { [self] in
        guard begin(lookup, run: run, in: \.lookups) else { return }
        let signpost = Signpost("lookup", source.key)
        defer { signpost.end() }
        let stopwatch = Stopwatch(configuration.clock)
        var entry: FutureImage.CacheEntry?
        do {
          entry = try configuration.writes.waitForEntry(forKey: source.key, in: tier)
        } catch {
          report(cacheFault: error, source.id)
        }
        finish(lookup, run: run, with: entry.map { examine($0, of: lookup, run: run, timedBy: stopwatch) })
      }
    } else {
      _ = Scheduling.task("a lookup", priority: lookup.rank.taskPriority) { [self] in
        guard begin(lookup, run: run, in: \.lookups) else { return }
        let signpost = Signpost("lookup", source.key)
        defer { signpost.end() }
        let stopwatch = Stopwatch(configuration.clock)
        let entry = await entry(source.id, tier)
        finish(lookup, run: run, with: entry.map { examine($0, of: lookup, run: run, timedBy: stopwatch) })
      }
    }
  }

  private func examine(_ entry: FutureImage.CacheEntry, of lookup: Lookup, run: UInt64, timedBy stopwatch: Stopwatch) -> Found {
    assertNoLockIsHeld()
    guard let size = try? configuration.decoder.size(of: entry.body) else { return .undecodable }
    report(.read(bytes: entry.body.count, in: stopwatch.elapsed), lookup.source.id)
    return .image(Encoded(data: entry.body, size: size, isFromDisk: true), noteStanding(of: entry, lookup, run: run))
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

  /// Ends the run of a lookup, and delivers the bytes to its readers, or requests them from the source.
  private func finish(_ lookup: Lookup, run: UInt64, with found: Found?) {
    let now = configuration.now()
    change { state in
      state.work.idleDetector.somethingEnded()
      state.effects.noteEnd()
      guard state.lookups.finish(lookup, run: run) else { return }
      let picture = lookup.picture
      picture.lookups.removeAll { $0 === lookup }
      // If another image had arrived meanwhile, the lookup would have been canceled. So the removal cannot affect a new entry that the tier
      // is about to store.
      if case .undecodable = found { enqueue(.remove, of: picture.key, in: [lookup.tier], &state) }
      guard case .image(var encoded, let standing) = found else { return miss(lookup, at: now, &state) }
      state.statistics.diskHits += 1
      encoded.generation = picture.generation
      take(encoded, standing, lookup, at: now, &state)
    }
  }

  /// Finds the bytes elsewhere for readers whose tier has no entry. Bytes that have arrived meanwhile for other tiers are stored in this
  /// tier, too.
  private func miss(_ lookup: Lookup, at now: Date, _ state: inout State) {
    let picture = lookup.picture
    // If the image must be revalidated first, bytes that have just arrived must not be shown without a request to the source either.
    let mustAskFirst = standing(of: picture, for: lookup.source, at: now) == .unconfirmed
    deliver(in: picture, to: lookup.readers, &state) { [self] reader, state in
      guard reader.leave(lookup) else { return }
      let mustAsk = mustAskFirst && standing(of: picture, for: lookup.source, at: now) == .unconfirmed
      if !mustAsk || reader.hasHadImage, let encoded = picture.encoded, shareBytes(of: picture, with: reader, &state) {
        deliverBytes(encoded, to: reader, &state)
      } else {
        requestFromSource(reader, as: mustAsk ? .revalidation : .first, missed: lookup.tier, order: lookup.rank.order, &state)
      }
    }
  }

  /// Delivers the bytes that a lookup has read. If the server requires a revalidation first, only readers that have had the image get them.
  private func take(
    _ encoded: Encoded, _ standing: FutureImage.CacheEntry.Standing, _ lookup: Lookup, at now: Date, _ state: inout State
  ) {
    let picture = lookup.picture
    let isUsable = standing != .unconfirmed
    if picture.encoded == nil, isUsable || lookup.readers.contains(where: { $0.lookup === lookup && $0.hasHadImage }) {
      state.bytes.hold(encoded, in: picture, &state.departed)
    }
    deliver(in: picture, to: isUsable ? picture.readers.all : lookup.readers, &state) { [self] reader, state in
      guard reader.reads(picture, at: encoded.generation) else { return }
      let hasAsked = reader.leave(lookup)
      guard hasAsked || isUsable && reader.mayRecover else { return }
      // A reader that has had the image may show it again without a revalidation.
      guard isUsable || reader.hasHadImage else {
        return requestFromSource(reader, as: .revalidation, missed: lookup.tier, order: lookup.rank.order, &state)
      }
      // Since the delivery began, the bytes may have turned out to be damaged.
      guard picture.encoded != nil else { return hasAsked ? findBytes(reader, at: now, &state) : () }
      deliverBytes(encoded, to: reader, &state)
      if hasAsked, standing == .stale { revalidate(reader, at: now, &state) }
    }
  }

  /// Records the validity of an entry that was found, which applies to images of the key in memory, too. Returns the entry's standing.
  private func noteStanding(of entry: FutureImage.CacheEntry, _ lookup: Lookup, run: UInt64) -> FutureImage.CacheEntry.Standing {
    let now = configuration.now()
    let fits = fits(entry.validity.secondaryKey, lookup.source)
    let standing = state.withLock { _ in
      let picture = lookup.picture
      let standing = picture.standing(of: entry, at: now)
      // The entry says nothing about an image that has replaced it meanwhile.
      guard lookup.isCurrent(run: run) else { return standing }
      // An entry of a tier that stores only bodies lacks the server's statements.
      if standing == entry.standing(at: now), entry.validity.isStated { picture.note(entry.rebased(to: now).validity) }
      return standing
    }
    return fits ? standing : .unconfirmed
  }

  // MARK: Memory tiers of policies

  /// Returns the image in the policy's memory tier, and the generation that the picture had before the tier was read. The tier stores
  /// images by source, so its image may have the transform of another future. Such an image is not returned.
  func imageInMemoryTier(of descriptor: Descriptor) -> (image: BaseImage, generation: UInt32)? {
    guard let memory = descriptor.policy.memory else { return nil }
    // Memory tiers remove a replaced image only after the lock is released.
    let generation = state.withLock { state -> UInt32? in
      guard let picture = state.pictures[descriptor.key] else { return 0 }
      // Race: a replaced image that is taken from a memory tier.
      return picture.notes.memoryChanges == 0 ? picture.generation : nil
    }
    guard let generation, let image = memory.image(forKey: descriptor.key.text) else { return nil }
    return image.isMade(by: descriptor.transform, size: descriptor.size) ? (image, generation) : nil
  }

  /// Stores an image in a reader's memory tier, unless another image has replaced it. If the image is replaced during the store, removes it
  /// again.
  func store(_ image: BaseImage, at generation: UInt32, of picture: Picture, in memory: any FutureImage.MemoryTier) {
    // All futures of the picture may be gone meanwhile, and new futures may have another picture.
    let current = state.withLock { state -> Picture? in
      let current = state.pictures.picture(picture.key)
      guard current.generation == generation else {
        state.pictures.dropIfUnused(current)
        return nil
      }
      current.notes.memoryChanges += 1
      return current
    }
    guard let current else { return }
    memory.store(image, forKey: picture.key.text)
    // Race: a replaced image that is stored in the memory tier again.
    if state.withLock({ _ in current.generation }) != generation { memory.remove(forKey: picture.key.text) }
    endMemoryChange(current)
  }

  func endMemoryChange(_ picture: Picture) {
    state.withLock { state in
      picture.notes.memoryChanges -= 1
      state.pictures.dropIfUnused(picture)
    }
  }

  // MARK: Bytes

  /// Releases the picture's bytes if nothing needs them: see ``Picture/mayReleaseBytes``.
  func releaseUnneededBytes(_ picture: Picture, _ state: inout State) {
    if picture.mayReleaseBytes { state.bytes.release(picture, &state.departed) }
  }
}

extension Picture {
  /// Whether the picture has neither bytes nor a failure, and no lookup, fetch, or write is under way.
  fileprivate var isUntouched: Bool {
    encoded == nil && remembered.failureMemory.latest == nil && lookups.isEmpty && fetch == nil && staged == nil
  }
}

extension Reader {
  /// Whether the reader has failed for a reason that ends when bytes arrive.
  var mayRecover: Bool { !isPending && failure.map { !$0.failure.isOfFuture } ?? false }

  /// Makes the reader leave a lookup that has ended.
  /// - Returns: whether the reader waited for the lookup until its end, and has joined no other job since.
  fileprivate func leave(_ lookup: Lookup) -> Bool {
    guard self.lookup === lookup, awaitsNothing, !isOutdated else { return false }
    self.lookup = nil
    return true
  }
}
