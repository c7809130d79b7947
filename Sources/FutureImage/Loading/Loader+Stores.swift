/// The writes of fetched bytes to the disk tiers of all futures that requested them.
extension FutureImage.Loader {
  /// - Returns: whether every tier gets the bytes.
  func stage(
    _ entry: FutureImage.CacheEntry, of encoded: Encoded, for tiers: [any FutureImage.DiskTier], at key: SourceKey, _ state: inout State
  ) -> Bool {
    let all = distinct(tiers)
    let ready = all.filter { state.writes.reserve(entry.body.count, of: $0.place) }
    if ready.count < all.count {
      pass(all.filter { target in !ready.contains { $0.tier === target.tier } }, for: key, isReplaced: encoded.revision != 0, &state)
    }
    guard !ready.isEmpty else { return all.isEmpty }
    let before = state.pictures[key]?.staged
    var places = before.map { $0.encoded?.data.isSameBuffer(as: encoded.data) == true ? $0.places : [] } ?? []
    for target in ready where !places.contains(target.place.resolvedName) { places.append(target.place.resolvedName) }
    let staged = Picture.Staged(encoded: encoded, entry: entry, places: places, writes: ready.count + (before?.writes ?? 0))
    state.pictures.change(key) { $0.staged = staged }
    if let before { state.departed.add(before) }
    write(.store(entry, encoded), of: key, to: ready, &state)
    return ready.count == all.count
  }

  /// Returns the entry for a transfer to confirm, which the tier has or is about to store; nil if it is not the image that was last seen.
  func entryToConfirm(_ key: SourceKey, _ tier: any FutureImage.DiskTier) async -> FutureImage.CacheEntry? {
    let (staged, isCurrent, isOutdated) = state.withLock { state in
      let picture = state.pictures[key]
      return (picture?.staged, picture?.stagedBytes != nil, state.isOutdated(key, in: tier))
    }
    if let staged { return isCurrent ? staged.entry : nil }
    return isOutdated ? nil : await entry(key, tier)
  }

  /// Removes the entry from tiers that have another image, when the new one must not be stored. Until then it is not read there.
  func remove(_ key: SourceKey, from tiers: [any FutureImage.DiskTier], _ state: inout State) {
    make(.remove, of: key, in: distinct(tiers), &state)
  }

  /// Removes the entry from the tiers if it still has these bytes, which cannot be decoded. Until then it is not read there.
  func remove(_ undecodable: Encoded, of key: SourceKey, from tiers: [any FutureImage.DiskTier], _ state: inout State) {
    make(.removeBytes(undecodable.data), of: key, in: distinct(tiers), &state)
  }

  private func make(_ removal: Change, of key: SourceKey, in targets: [Target], _ state: inout State) {
    let ready = targets.filter { state.writes.reserve(removal.heldBytes, of: $0.place) }
    for target in ready { state.removing(key, from: target.place) }
    // A tier that is so many changes behind will hardly recover. Its entries are not read any more: it is unknown which of them are old.
    if ready.count < targets.count {
      state.giveUp(targets.filter { target in !ready.contains { $0.tier === target.tier } }.map(\.place.group))
    }
    write(removal, of: key, to: ready, &state)
  }

  /// Skips tiers that are too far behind to get the image. Their entries, if any, are older.
  private func pass(_ targets: [Target], for key: SourceKey, isReplaced: Bool, _ state: inout State) {
    if isReplaced { make(.remove, of: key, in: targets, &state) }
    state.pendingWork += 1
    // Outside of the lock.
    _ = Scheduling.task("a report") { [self] in
      report(cacheFault: TierWrites.Behind(), key)
      endWork()
    }
  }

  private enum Change {
    case store(FutureImage.CacheEntry, Encoded)
    case remove
    /// Removes the entry if it has these bytes: a better one may have been stored since they were read.
    case removeBytes(Data)

    /// The number of bytes that the change retains until it is made.
    var heldBytes: Int {
      switch self {
      case .store(let entry, _): entry.body.count
      case .remove: 0
      case .removeBytes(let bytes): bytes.count
      }
    }

    /// Whether the tier's earlier entry must not be found any more.
    var replaces: Bool {
      switch self {
      case .store(_, let encoded): encoded.revision != 0
      case .remove, .removeBytes: true
      }
    }

    func make(in tier: any FutureImage.DiskTier, _ key: SourceKey) async throws {
      switch self {
      case .store(let entry, _): try await tier.store(entry, forKey: key.text)
      case .remove: try await tier.remove(forKey: key.text)
      case .removeBytes(let bytes): if try await tier.entry(forKey: key.text)?.body == bytes { try await tier.remove(forKey: key.text) }
      }
    }

    func make(waitingFor tier: any BlockingTier, _ key: SourceKey) throws {
      switch self {
      case .store(let entry, _): try tier.waitForStore(entry, forKey: key.text)
      case .remove: try tier.waitForRemoval(forKey: key.text)
      case .removeBytes(let bytes): if try tier.waitForEntry(forKey: key.text)?.body == bytes { try tier.waitForRemoval(forKey: key.text) }
      }
    }
  }

  /// A tier and the place to which it writes, which is read only once.
  private struct Target {
    let tier: any FutureImage.DiskTier
    let place: TierPlace
  }

  private func write(_ change: Change, of key: SourceKey, to targets: [Target], _ state: inout State) {
    for target in targets {
      state.add(
        TierWrites.Write(target.place, bytes: change.heldBytes, owner: self) { [self] in perform(change, of: key, in: target, then: $0) })
    }
    state.effects.note(.work)
  }

  fileprivate func lookAgain(_ before: UInt64) {
    Scheduling.inBackground(after: Lull.length) { [self] in
      change { state in
        state.lull.lookAgain(before)
        state.effects.note(.work)
      }
    }
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

  /// Performs a change, on a thread of the tier if it has threads of its own. Several changes in a row then need no change of thread.
  private func perform(_ change: Change, of key: SourceKey, in target: Target, then end: @escaping @Sendable () -> Void) {
    let tier = target.tier
    guard let blocking = tier as? any BlockingTier else {
      _ = Scheduling.task("a write") { [self] in
        let failure = await caught { try await change.make(in: tier, key) }
        var isDone = failure == nil
        if mustRemove(change, of: key, from: target, after: failure) {
          let failure = await caught { try await Change.remove.make(in: tier, key) }
          if let failure { report(cacheFault: failure, key, at: target.place) }
          isDone = failure == nil
        }
        ended(change, of: key, in: target, hasSucceeded: failure == nil, isDone: isDone)
        end()
      }
      return
    }
    blocking.writers.submit(lane: target.place.group) { [self] in
      let failure = caught { try change.make(waitingFor: blocking, key) }
      var isDone = failure == nil
      if mustRemove(change, of: key, from: target, after: failure) {
        let failure = caught { try Change.remove.make(waitingFor: blocking, key) }
        if let failure { report(cacheFault: failure, key, at: target.place) }
        isDone = failure == nil
      }
      ended(change, of: key, in: target, hasSucceeded: failure == nil, isDone: isDone)
      end()
    }
  }

  /// - Parameters:
  ///   - hasSucceeded: whether the change itself was made.
  ///   - isDone: whether the tier now has the image, or nothing; otherwise it still has its earlier entry.
  private func ended(_ change: Change, of key: SourceKey, in target: Target, hasSucceeded: Bool, isDone: Bool) {
    state.withLock { state in
      state.note(isDone: isDone || !change.replaces, key, in: target.place)
      switch change {
      case .store:
        if hasSucceeded { state.denials.noteStored(in: target.place.group) }
        state.stored(key)
      case .remove, .removeBytes: state.removed(key, from: target.place)
      }
    }
  }

  /// Whether the tier's entry must be removed. If a tier fails, its futures retain the bytes themselves, and its earlier entry must not be
  /// found any more. Nor must bytes that were found undecodable in the meantime.
  ///
  /// A tier on a locked device keeps its entry, which may be the very image that could not be read there, unless the image was replaced.
  private func mustRemove(_ change: Change, of key: SourceKey, from target: Target, after failure: (any Error)?) -> Bool {
    if let failure { report(cacheFault: failure, key, at: target.place) }
    guard case .store(_, let encoded) = change else { return false }
    if failure == nil {
      // A transient failure says nothing about the bytes.
      guard let refusal = state.withLock({ $0.refusals.refusal(of: key) })?.refusal, !refusal.failure.isTransient else { return false }
      return refusal.holds
    }
    forEachFuture(of: key) { future in
      if future.descriptor?.disk.map({ $0.place.isSamePlace(as: target.place) }) == true { future.keep(encoded) }
    }
    return failure?.isDenied != true || encoded.revision != 0
  }
}

extension FutureImage.Loader: WriteOwner {
  func writesMayBegin() { lookWhatMayBegin() }
}

extension FutureImage.Loader.State {
  /// Adds a write for which room was reserved.
  mutating func add(_ write: TierWrites.Write) {
    writesUnderWay += 1
    writes.add(write)
  }

  /// Begins the writes that are due. Callers that wait for the loader to settle do not wait for a lull.
  mutating func beginWrites(by loader: FutureImage.Loader) {
    guard writesUnderWay > 0 else { return }
    let mayBegin = isQuiet && (lull.lasts || !settling.isEmpty)
    if isQuiet, !mayBegin, !lull.isLookedFor { loader.lookAgain(lull.look()) }
    for write in writes.takeDue(loader, isQuiet: mayBegin, patience: patience) {
      write.begin {
        loader.configuration.writes.ended(write)
        loader.change { state in
          state.writesUnderWay -= 1
          state.effects.note(.work)
        }
      }
    }
  }

  /// Whether the tier's entry may be older than the image that was last seen.
  func isOutdated(_ key: SourceKey, in tier: any FutureImage.DiskTier) -> Bool {
    guard !outdated.isEmpty || !kept.isEmpty || !givenUp.isEmpty || hasGivenUpMany else { return false }
    let place = tier.place
    if hasGivenUpMany || givenUp.contains(place.group) { return true }
    return place.names.contains { name in
      let name = Loader.OutdatedKey(key, name)
      return outdated[name] != nil || kept.contains(name)
    }
  }

  /// Notes the end of a change: the tier has the right entry, or still an older image that it could neither replace nor remove.
  fileprivate mutating func note(isDone: Bool, _ key: SourceKey, in place: TierPlace) {
    let names = place.names.map { Loader.OutdatedKey(key, $0) }
    if isDone {
      if !kept.isEmpty { kept.subtract(names) }
    } else if kept.count < 1024 {
      kept.formUnion(names)
    } else {
      giveUp([place.group])
    }
  }

  fileprivate mutating func giveUp(_ groups: [String]) {
    givenUp.formUnion(groups)
    guard givenUp.count > 256 else { return }
    hasGivenUpMany = true
    givenUp = []
  }

  /// Notes that a write of the key has ended.
  fileprivate mutating func stored(_ key: SourceKey) {
    let over = pictures.changeIfKnown(key) { picture -> Picture.Staged? in
      picture.staged?.writes -= 1
      return picture.staged?.writes == 0 ? picture.staged.take() : nil
    }
    if case .some(let over?) = over { departed.add(over) }
  }

  fileprivate mutating func removing(_ key: SourceKey, from place: TierPlace) {
    for name in place.names { outdated[Loader.OutdatedKey(key, name), default: 0] += 1 }
  }

  fileprivate mutating func removed(_ key: SourceKey, from place: TierPlace) {
    for name in place.names {
      guard let count = outdated[Loader.OutdatedKey(key, name)] else { continue }
      outdated[Loader.OutdatedKey(key, name)] = count > 1 ? count - 1 : nil
    }
  }
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
