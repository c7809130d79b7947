/// The writes of fetched bytes to the disk tiers of all futures that requested them.
extension FutureImage.Loader {
  /// - Returns: whether every tier gets the bytes.
  func stage(
    _ entry: FutureImage.CacheEntry, of encoded: Encoded, for tiers: [any FutureImage.DiskTier], at key: SourceKey, _ state: inout State
  ) -> Bool {
    let (all, value) = (distinct(tiers), TierValue(encoded, entry, replaces: encoded.revision != 0))
    let ready = all.filter { state.add(.store(value), of: key, in: $0, by: self) }
    if ready.count < all.count { reportBehind(key, &state) }
    let before = state.pictures[key]?.staged
    var places = ready.map(\.place.resolvedName)
    if let before {
      if before.encoded?.data.isSameBuffer(as: encoded.data) == true {
        places = before.places + places.filter { !before.places.contains($0) }
      } else if before.encoded?.revision != encoded.revision {
        state.withdrawStaged(key, exceptIn: places, by: self)
      }
    }
    guard !ready.isEmpty else { return all.isEmpty }
    let writes = ready.count + (state.pictures[key]?.staged?.writes ?? 0)
    let staged = Picture.Staged(encoded: encoded, entry: entry, places: places, writes: writes)
    state.pictures.change(key) { $0.staged = staged }
    if let before { state.departed.add(before) }
    return ready.count == all.count
  }

  /// Returns the entry for a transfer to confirm, which the tier has or is about to store; nil if it is not the image that was last seen.
  func entryToConfirm(_ key: SourceKey, _ tier: any FutureImage.DiskTier) async -> FutureImage.CacheEntry? {
    let (staged, isCurrent) = state.withLock { state in
      let picture = state.pictures[key]
      return (picture?.staged, picture?.stagedBytes != nil)
    }
    // Race: a set photo confirmed by the tag of the picture before it, second place.
    if let staged { return isCurrent ? staged.entry : nil }
    return await entry(key, tier)
  }

  /// Removes the entry from tiers that have another image, when the new one must not be stored. Until then it is not read there.
  func remove(_ key: SourceKey, from tiers: [any FutureImage.DiskTier], _ state: inout State) {
    for target in distinct(tiers) { _ = state.add(.remove, of: key, in: target, by: self) }
  }

  /// Removes the entry from the tiers if it still has these bytes, which cannot be decoded. Until then it is not read there.
  func remove(_ undecodable: Encoded, of key: SourceKey, from tiers: [any FutureImage.DiskTier], _ state: inout State) {
    for target in distinct(tiers) { _ = state.add(.removeBytes(undecodable.data), of: key, in: target, by: self) }
  }

  /// Reports that a tier is too far behind to get the image.
  private func reportBehind(_ key: SourceKey, _ state: inout State) {
    state.pendingWork += 1
    // Outside of the lock.
    _ = Scheduling.task("a report") { [self] in
      report(cacheFault: TierWrites.Behind(), key)
      endWork()
    }
  }

  fileprivate func lookAgain(_ before: UInt64) {
    Scheduling.inBackground(after: Lull.length) { [self] in
      change { state in
        state.lull.lookAgain(before)
        state.effects.note(.work)
      }
    }
  }

  /// A tier and the place to which it writes, which is read only once.
  fileprivate struct Target {
    let tier: any FutureImage.DiskTier
    let place: TierPlace
  }

  /// Two tiers over one file count as one.
  private func distinct(_ tiers: [any FutureImage.DiskTier]) -> [Target] {
    var distinct: [Target] = []
    for tier in tiers where !distinct.contains(where: { $0.tier === tier }) {
      let target = Target(tier: tier, place: tier.place)
      if !distinct.contains(where: { $0.place.resolvedName == target.place.resolvedName }) { distinct.append(target) }
    }
    return distinct
  }
}

extension FutureImage.Loader: WriteOwner {
  /// The number of writes that wait or run.
  var writeCount: Int { configuration.writes.count(of: self) }

  func writesMayBegin() { lookWhatMayBegin() }

  /// Reports the failure. If an image could not be stored, the futures of that tier retain its bytes themselves.
  func failed(_ write: TierWrites.Write, with error: any Error) {
    report(cacheFault: error, SourceKey(write.key), at: write.place)
    guard case .store(let value) = write.change, let encoded = value.object as? Encoded else { return }
    forEachFuture(of: SourceKey(write.key)) { future in
      if future.descriptor?.disk.map({ $0.place.isSamePlace(as: write.place) }) == true { future.keep(encoded) }
    }
  }

  func ended(_ write: TierWrites.Write, hasSucceeded: Bool) {
    guard write.change.isStore else { return }
    state.withLock { state in
      if hasSucceeded { state.denials.noteStored(in: write.place.group) }
      state.stored(SourceKey(write.key))
    }
  }
}

extension FutureImage.Loader.State {
  /// - Returns: whether the tier will make the change.
  fileprivate mutating func add(_ change: TierChange, of key: SourceKey, in target: Loader.Target, by loader: Loader) -> Bool {
    let write = TierWrites.Write(change, of: key.text, in: target.tier, target.place, by: loader)
    return take(loader.configuration.writes.add(write), key)
  }

  /// Stops storing bytes that wait for their tiers or are being stored there: they turned out not to be an image, or are outdated.
  /// - Parameter places: the names of places that are to get others.
  mutating func withdrawStaged(_ key: SourceKey, exceptIn places: [String] = [], by loader: Loader) {
    guard let staged = pictures[key]?.staged else { return }
    departed.add(staged)
    pictures.changeIfKnown(key) { $0.staged?.encoded = nil }
    for place in staged.places where !places.contains(place) {
      _ = take(loader.configuration.writes.withdraw(key.text, in: place, by: loader), key)
    }
  }

  private mutating func take(_ added: TierWrites.Added, _ key: SourceKey) -> Bool {
    if let replaced = added.replaced {
      if added.replacesOwn, replaced.isStore { stored(key) }
      departed.add(replaced)
    }
    effects.note(.work)
    return added.isAccepted
  }

  /// Notes that a write of the key has ended.
  fileprivate mutating func stored(_ key: SourceKey) {
    let over = pictures.changeIfKnown(key) { picture -> Picture.Staged? in
      picture.staged?.writes -= 1
      return picture.staged?.writes == 0 ? picture.staged.take() : nil
    }
    if case .some(let over?) = over { departed.add(over) }
  }

  /// Begins the writes that are due. Callers that wait for the loader to settle do not wait for a lull.
  mutating func beginWrites(by loader: Loader) {
    let writes = loader.configuration.writes
    guard writes.waitingCount(of: loader) > 0 else { return }
    let mayBegin = isQuiet && (lull.lasts || !settling.isEmpty)
    if isQuiet, !mayBegin, !lull.isLookedFor { loader.lookAgain(lull.look()) }
    writes.beginDue(loader, isQuiet: mayBegin, patience: loader.configuration.patience)
  }
}

extension FutureImage.Loader.Configuration {
  /// The bytes that may wait for disk tiers until the loader is quiet: an eighth of the pixel limit.
  var patience: Int { min(maxPixelBytes / 8, TierWrites.largestPatience) }
}

extension Data {
  /// Whether both are the same bytes in memory. Two copies of a large image count as different: comparing them would take too long here.
  fileprivate func isSameBuffer(as other: Data) -> Bool {
    guard count == other.count else { return false }
    // So few bytes may be stored in the value itself.
    if count <= 64 { return self == other }
    return withUnsafeBytes { one in other.withUnsafeBytes { one.baseAddress == $0.baseAddress } }
  }
}
