/// The writes of fetched bytes to the disk tiers of all futures that requested the image.
extension FutureImage.Loader {
  /// Enqueues writes of the bytes to the tiers, and records these writes in the picture.
  /// - Returns: whether every tier is to store the bytes.
  func stage(
    _ entry: FutureImage.CacheEntry, of encoded: Encoded, for tiers: [any FutureImage.DiskTier], at picture: Picture, _ state: inout State
  ) -> Bool {
    let value = TierValue(encoded, entry, replaces: encoded.generation != 0)
    let (ready, areAll) = enqueue(.store(value), of: picture.key, in: tiers, &state)
    if !areAll { state.effects.later { $0.report(cacheFault: TierWrites.Behind(), picture.key) } }
    var places = ready
    if let before = picture.staged {
      if let known = before.entry, known.body.isSameBuffer(as: encoded.data) {
        places = before.places + places.filter { !before.places.contains($0) }
      } else if before.generation != encoded.generation {
        withdrawStaged(picture, exceptIn: places, &state)
      }
    }
    guard !ready.isEmpty else { return areAll }
    let writes = ready.count + (picture.staged?.writes ?? 0)
    if let before = picture.staged { state.departed.add(before) }
    picture.staged = Picture.Staged(entry: entry, generation: encoded.generation, places: places, writes: writes)
    return areAll
  }

  /// Returns the tiers that may have an entry of the image: the loader's disk cache, and the tiers of the picture's readers.
  func allTiers(of picture: Picture) -> [any FutureImage.DiskTier] { [configuration.diskCache].compactMap(\.self) + picture.tiers() }

  /// Returns the entry that a server may confirm, which is an entry that the tier has or is about to store. Returns nil if there is no such
  /// entry, or if its write was withdrawn.
  func entryToConfirm(_ key: SourceKey, _ tier: any FutureImage.DiskTier) async -> FutureImage.CacheEntry? {
    let staged = state.withLock { $0.pictures[key]?.staged }
    // Race: an image of the app that is confirmed by the tag of the former image, second place.
    if let staged { return staged.entry }
    return await self.entry(key, tier)
  }

  /// Enqueues a change of an entry for the tiers. Two tiers that use the same file count as one tier. An entry whose removal is enqueued is
  /// no longer read.
  /// - Returns: the resolved names of the places to which tiers will write the change, and whether all tiers will make the change.
  @discardableResult func enqueue(
    _ change: TierChange, of key: SourceKey, in tiers: [any FutureImage.DiskTier], _ state: inout State
  ) -> (places: [String], areAll: Bool) {
    var (places, areAll, known, names): ([String], Bool, Set<ObjectIdentifier>, Set<String>) = ([], true, [], [])
    for tier in tiers where known.insert(ObjectIdentifier(tier)).inserted {
      // Read the location only once, because another thread may resolve it meanwhile.
      let place = tier.location
      guard names.insert(place.resolvedName).inserted else { continue }
      let write = TierWrites.Write(change, of: key.text, in: tier, place, by: self)
      if take(configuration.writes.add(write), key, &state) { places.append(place.resolvedName) } else { areAll = false }
    }
    return (places, areAll)
  }
}

extension FutureImage.Loader: WriteOwner {
  /// The number of writes that wait or run.
  var writeCount: Int { configuration.writes.count(of: self) }

  package func writesMayBegin() { change { $0.effects.noteEnd() } }

  /// Reports a failed write. If an image could not be stored, its picture retains the bytes for the futures of that tier.
  package func failed(_ write: TierWrites.Write, with error: any Error) {
    report(cacheFault: error, SourceKey(write.key), at: write.location)
    guard case .store(let value) = write.change, var encoded = value.object as? Encoded else { return }
    let key = SourceKey(write.key)
    let tiers = state.withLock { $0.pictures[key]?.tiers() ?? [] }
    guard tiers.contains(where: { $0.location.isSamePlace(as: write.location) }) else { return }
    encoded.isStored = false
    state.withLock { [encoded] state in
      guard let picture = state.pictures[key], picture.generation == encoded.generation,
        picture.readers.contains(where: { $0.fullSize != nil })
      else { return }
      state.bytes.hold(encoded, in: picture, &state.departed)
    }
  }

  package func ended(_ write: TierWrites.Write, hasSucceeded: Bool) {
    guard write.change.isStore else { return }
    state.withLock { state in
      if hasSucceeded { state.reports.denials.noteStored(in: write.location.group) }
      stored(SourceKey(write.key), &state)
    }
  }
}

extension FutureImage.Loader {
  /// Withdraws bytes that wait for their tiers or are being stored there, because they are not an image or are outdated.
  /// - Parameter places: the names of the tiers' places that get other bytes. Nothing is withdrawn there.
  func withdrawStaged(_ picture: Picture, exceptIn places: [String] = [], _ state: inout State) {
    guard let staged = picture.staged else { return }
    state.departed.add(staged)
    picture.staged?.entry = nil
    for place in staged.places where !places.contains(place) {
      _ = take(configuration.writes.withdraw(picture.key.text, in: place, by: self), picture.key, &state)
    }
  }

  /// Handles the result of adding or withdrawing a write, and releases the write that it replaced.
  /// - Returns: whether the tier will make the change.
  private func take(_ added: TierWrites.Added, _ key: SourceKey, _ state: inout State) -> Bool {
    if let replaced = added.replaced {
      if added.replacesOwn, replaced.isStore { stored(key, &state) }
      state.departed.add(replaced)
    }
    state.effects.noteEnd()
    return added.isAccepted
  }

  /// Records that a write of the key has ended.
  private func stored(_ key: SourceKey, _ state: inout State) {
    guard let picture = state.pictures[key], let staged = picture.staged else { return }
    picture.staged?.writes -= 1
    guard staged.writes == 1 else { return }
    state.departed.add(staged)
    picture.staged = nil
    if picture.readers.isEmpty { state.bytes.release(picture, &state.departed) }
    releaseUnneededBytes(picture, &state)
    state.pictures.dropIfUnused(picture)
    state.departed.add(object: picture)
  }

  /// Begins the writes that are due. Usually, writes wait until the loader has been quiet for a moment. While a task waits in
  /// ``waitUntilIdle()``, they begin as soon as the loader is quiet.
  func beginWrites(_ state: inout State) {
    let writes = configuration.writes
    guard writes.waitingCount(of: self) > 0 else { return }
    let mayBegin = state.isQuiet && (state.work.idleDetector.isIdle || !state.work.settling.isEmpty)
    if state.isQuiet, !mayBegin, !state.work.idleDetector.isPolling {
      let before = state.work.idleDetector.poll()
      Scheduling.inBackground(after: IdleDetector.length) { [self] in
        change { state in
          state.work.idleDetector.finishPoll(before)
          state.effects.noteEnd()
        }
      }
    }
    writes.beginDue(self, isQuiet: mayBegin, patience: configuration.patience)
  }
}

extension FutureImage.Loader.Configuration {
  /// The number of bytes that may wait for disk tiers until the loader is quiet: an eighth of the pixel limit, but at most
  /// ``TierWrites/largestPatience``.
  var patience: Int { min(maxPixelBytes / 8, TierWrites.largestPatience) }
}

extension Data {
  /// Whether both values share the same bytes in memory. Two copies of a large image count as different, because a comparison would take
  /// too long.
  fileprivate func isSameBuffer(as other: Data) -> Bool {
    guard count == other.count else { return false }
    // A small value may contain its bytes instead of referring to them, so the bytes are compared.
    if count <= 64 { return self == other }
    return withUnsafeBytes { one in other.withUnsafeBytes { one.baseAddress == $0.baseAddress } }
  }
}
