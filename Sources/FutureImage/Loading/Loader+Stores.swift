/// Bytes that came go to the disk tiers of all who wanted them.
extension FutureImage.Loader {
  /// - Returns: whether every tier gets them.
  func stage(
    _ entry: FutureImage.CacheEntry, _ encoded: Encoded, for tiers: [any FutureImage.DiskTier], _ key: SourceKey, _ state: inout State
  ) -> Bool {
    let all = distinct(tiers)
    let ready = all.filter { state.writes.reserve(entry.body.count, of: $0.place) }
    if ready.count < all.count {
      pass(all.filter { target in !ready.contains { $0.tier === target.tier } }, key, isReplaced: encoded.revision != 0, &state)
    }
    guard !ready.isEmpty else { return all.isEmpty }
    let before = state.pictures[key]?.staged
    var places = before.map { $0.encoded?.data.isSameBuffer(as: encoded.data) == true ? $0.places : [] } ?? []
    for target in ready where !places.contains(target.place.resolvedName) { places.append(target.place.resolvedName) }
    let staged = Picture.Staged(encoded: encoded, entry: entry, places: places, writes: ready.count + (before?.writes ?? 0))
    state.pictures.change(key) { $0.staged = staged }
    if let before { state.departed.add(before) }
    write(.store(entry, encoded), key, to: ready, &state)
    return ready.count == all.count
  }

  /// What a transfer is to confirm: the entry that the tier has or is about to get; nil where that is another picture than the one last seen.
  func entryToConfirm(_ key: SourceKey, _ tier: any FutureImage.DiskTier) async -> FutureImage.CacheEntry? {
    let (staged, isCurrent, isOutdated) = state.withLock { state in
      let picture = state.pictures[key]
      return (picture?.staged, picture?.stagedBytes != nil, state.isOutdated(key, in: tier))
    }
    if let staged { return isCurrent ? staged.entry : nil }
    return isOutdated ? nil : await entry(key, tier)
  }

  /// What the tiers have is another picture, and the new one must not be stored. They are not asked for it until it is gone.
  func remove(_ key: SourceKey, from tiers: [any FutureImage.DiskTier], _ state: inout State) {
    make(.remove, key, in: distinct(tiers), &state)
  }

  /// Removes the entry from the tiers if it still has these bytes, which cannot be decoded. Until then it is not read there.
  func remove(_ undecodable: Encoded, _ key: SourceKey, from tiers: [any FutureImage.DiskTier], _ state: inout State) {
    make(.removeBytes(undecodable.data), key, in: distinct(tiers), &state)
  }

  private func make(_ removal: Change, _ key: SourceKey, in targets: [Target], _ state: inout State) {
    let ready = targets.filter { state.writes.reserve(removal.heldBytes, of: $0.place) }
    for target in ready { state.removing(key, from: target.place) }
    // So many changes behind, a tier will hardly come back. What it has is not looked at any more, as nobody knows which of it is old.
    if ready.count < targets.count {
      state.giveUp(targets.filter { target in !ready.contains { $0.tier === target.tier } }.map(\.place.group))
    }
    write(removal, key, to: ready, &state)
  }

  /// These tiers are too far behind to get the picture. What they have is older, if they have any.
  private func pass(_ targets: [Target], _ key: SourceKey, isReplaced: Bool, _ state: inout State) {
    if isReplaced { make(.remove, key, in: targets, &state) }
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

    /// The bytes that the change keeps in memory until it is made.
    var heldBytes: Int {
      switch self {
      case .store(let entry, _): entry.body.count
      case .remove: 0
      case .removeBytes(let bytes): bytes.count
      }
    }

    /// Whether what the tier had before must not be found there any more.
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

  /// A tier and where it writes, which is not asked of it twice.
  private struct Target {
    let tier: any FutureImage.DiskTier
    let place: TierPlace
  }

  private func write(_ change: Change, _ key: SourceKey, to targets: [Target], _ state: inout State) {
    for target in targets {
      state.add(
        TierWrites.Write(target.place, bytes: change.heldBytes, owner: self) { [self] in perform(change, key, in: target, then: $0) })
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

  /// On a thread of the tier's own where it has some: several in a row then need no change of thread.
  private func perform(_ change: Change, _ key: SourceKey, in target: Target, then end: @escaping @Sendable () -> Void) {
    let tier = target.tier
    guard let blocking = tier as? any BlockingTier else {
      _ = Scheduling.task("a write") { [self] in
        let failure = await caught { try await change.make(in: tier, key) }
        var isDone = failure == nil
        if mustRemove(change, key, from: target, failure) {
          let failure = await caught { try await Change.remove.make(in: tier, key) }
          if let failure { report(cacheFault: failure, key, at: target.place) }
          isDone = failure == nil
        }
        ended(change, key, in: target, hasSucceeded: failure == nil, isDone: isDone)
        end()
      }
      return
    }
    blocking.writers.submit(lane: target.place.group) { [self] in
      let failure = caught { try change.make(waitingFor: blocking, key) }
      var isDone = failure == nil
      if mustRemove(change, key, from: target, failure) {
        let failure = caught { try Change.remove.make(waitingFor: blocking, key) }
        if let failure { report(cacheFault: failure, key, at: target.place) }
        isDone = failure == nil
      }
      ended(change, key, in: target, hasSucceeded: failure == nil, isDone: isDone)
      end()
    }
  }

  /// - Parameters:
  ///   - hasSucceeded: whether the change itself was made.
  ///   - isDone: whether the tier has the picture now, or nothing; else it has what it had.
  private func ended(_ change: Change, _ key: SourceKey, in target: Target, hasSucceeded: Bool, isDone: Bool) {
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

  /// Where a tier fails, its futures keep the bytes themselves, and what the tier had before is not to be found there any more. Nor are
  /// bytes that were found undecodable in the meantime.
  ///
  /// A tier on a locked device keeps what it has, which may be the very picture that could not be read there, unless it was replaced.
  private func mustRemove(_ change: Change, _ key: SourceKey, from target: Target, _ failure: (any Error)?) -> Bool {
    if let failure { report(cacheFault: failure, key, at: target.place) }
    guard case .store(_, let encoded) = change else { return false }
    if failure == nil { return state.withLock({ $0.refusals.refusal(of: key) })?.refusal.holds ?? false }
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

  /// Begins those whose time has come. Whoever waits for all to be over does not wait for a lull.
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

  /// Whether what the tier has of the picture may be older than what was seen of it.
  func isOutdated(_ key: SourceKey, in tier: any FutureImage.DiskTier) -> Bool {
    guard !outdated.isEmpty || !kept.isEmpty || !givenUp.isEmpty || hasGivenUpMany else { return false }
    let place = tier.place
    if hasGivenUpMany || givenUp.contains(place.group) { return true }
    return place.names.contains { name in
      let name = Loader.OutdatedKey(key, name)
      return outdated[name] != nil || kept.contains(name)
    }
  }

  /// A change has ended: the tier has what it should, or still an older picture that it could neither replace nor remove.
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

  /// A write of the key has ended.
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
  /// Whether both are the same bytes in memory. Two copies of a large picture count as different: to compare them takes too long where
  /// this is asked.
  fileprivate func isSameBuffer(as other: Data) -> Bool {
    guard count == other.count else { return false }
    // So few may lie in the value itself.
    if count <= 64 { return self == other }
    return withUnsafeBytes { one in other.withUnsafeBytes { one.baseAddress == $0.baseAddress } }
  }
}
