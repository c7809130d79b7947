/// Bytes that came go to the disk tiers of all who wanted them.
extension FutureImage.Loader {
  /// - Returns: whether every tier gets them.
  func stage(
    _ entry: FutureImage.CacheEntry, _ encoded: Encoded, for tiers: [any FutureImage.DiskTier], _ key: SourceKey, _ state: inout State
  ) -> Bool {
    let all = distinct(tiers)
    let ready = all.filter { state.writes.hasRoom(for: entry.body.count, of: ObjectIdentifier($0)) }
    if ready.count < all.count { pass(all.filter { tier in !ready.contains { $0 === tier } }, key, &state) }
    guard !ready.isEmpty else { return all.isEmpty }
    let before = state.staged[key]
    state.staged[key] = Staged(
      encoded: encoded, entry: entry, tiers: ready + (before?.encoded?.data == encoded.data ? before?.tiers ?? [] : []),
      writes: ready.count + (before?.writes ?? 0))
    write(.store(entry, encoded), key, to: ready, &state)
    return ready.count == all.count
  }

  /// What the tiers have is another picture, and the new one must not be stored. They are not asked for it until it is gone.
  func remove(_ key: SourceKey, from tiers: [any FutureImage.DiskTier], _ state: inout State) {
    let all = distinct(tiers)
    for tier in all { state.outdated[LookupKey(key, tier), default: 0] += 1 }
    write(.remove, key, to: all, &state)
  }

  /// These tiers are too far behind to get the picture. What they have is older.
  private func pass(_ tiers: [any FutureImage.DiskTier], _ key: SourceKey, _ state: inout State) {
    remove(key, from: tiers, &state)
    state.pendingWork += 1
    // Outside of the lock.
    Task {
      report(cacheFault: TierWrites.Behind(), key)
      workEnded()
    }
  }

  private enum Change {
    case store(FutureImage.CacheEntry, Encoded)
    case remove

    func make(in tier: any FutureImage.DiskTier, _ key: SourceKey) async throws {
      switch self {
      case .store(let entry, _): try await tier.store(entry, forKey: key.text)
      case .remove: try await tier.remove(forKey: key.text)
      }
    }

    func make(waitingFor tier: any BlockingTier, _ key: SourceKey) throws {
      switch self {
      case .store(let entry, _): try tier.waitForStore(entry, forKey: key.text)
      case .remove: try tier.waitForRemoval(forKey: key.text)
      }
    }
  }

  private func write(_ change: Change, _ key: SourceKey, to tiers: [any FutureImage.DiskTier], _ state: inout State) {
    let bytes = if case .store(let entry, _) = change { entry.body.count } else { 0 }
    for tier in tiers {
      state.writes.add(TierWrites.Write(tier: ObjectIdentifier(tier), bytes: bytes) { [self] in perform(change, key, in: tier, then: $0) })
    }
    state.beginWrites(by: self)
  }

  fileprivate func lookAgain(_ before: UInt64) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Lull.length) { [self] in
      state.withLock { $0.lull.lookAgain(before) }
      tellSettled()
    }
  }

  private func distinct(_ tiers: [any FutureImage.DiskTier]) -> [any FutureImage.DiskTier] {
    var distinct: [any FutureImage.DiskTier] = []
    for tier in tiers where !distinct.contains(where: { $0 === tier }) { distinct.append(tier) }
    return distinct
  }

  /// On a thread of the tier's own where it has some: several in a row then need no change of thread.
  private func perform(_ change: Change, _ key: SourceKey, in tier: any FutureImage.DiskTier, then end: @escaping @Sendable () -> Void) {
    guard let blocking = tier as? any BlockingTier else {
      Task {
        let failure = await caught { try await change.make(in: tier, key) }
        if mustRemove(change, key, from: tier, failure), let failure = await caught({ try await Change.remove.make(in: tier, key) }) {
          report(cacheFault: failure, key)
        }
        ended(change, key, in: tier)
        end()
      }
      return
    }
    blocking.writers.submit { [self] in
      let failure = caught { try change.make(waitingFor: blocking, key) }
      if mustRemove(change, key, from: tier, failure), let failure = caught({ try Change.remove.make(waitingFor: blocking, key) }) {
        report(cacheFault: failure, key)
      }
      ended(change, key, in: tier)
      end()
    }
  }

  private func ended(_ change: Change, _ key: SourceKey, in tier: any FutureImage.DiskTier) {
    state.withLock { state in
      switch change {
      case .store: state.stored(key)
      case .remove: state.removed(LookupKey(key, tier))
      }
    }
  }

  /// Where a tier fails, its futures keep the bytes themselves, and what the tier had before is not to be found there any more. Nor are
  /// bytes that were found undecodable in the meantime.
  ///
  /// A tier on a locked device keeps what it has, which may be the very picture that could not be read there, unless it was replaced.
  private func mustRemove(_ change: Change, _ key: SourceKey, from tier: any FutureImage.DiskTier, _ failure: (any Error)?) -> Bool {
    if let failure { report(cacheFault: failure, key) }
    guard case .store(_, let encoded) = change else { return false }
    if failure == nil { return state.withLock { $0.refusals.failure(of: key) != nil } }
    let futures = state.withLock { $0.live.futures(key: key) }
    for future in futures where future.descriptor?.disk === tier { future.keep(encoded) }
    return failure?.isDenied != true || encoded.revision != 0
  }
}

extension FutureImage.Loader.State {
  /// Begins those whose time has come. Whoever waits for all to be over does not wait for a lull.
  mutating func beginWrites(by loader: FutureImage.Loader) {
    guard !writes.isEmpty else { return }
    let mayBegin = isQuiet && (lull.lasts || !settling.isEmpty)
    if isQuiet, !mayBegin, !lull.isLookedFor { loader.lookAgain(lull.look()) }
    for write in writes.takeDue(isQuiet: mayBegin) {
      write.begin {
        loader.state.withLock { $0.writes.ended(write) }
        loader.tellSettled()
      }
    }
  }

  /// The bytes that are staged, unless the picture was replaced since by one that no tier gets: a future that has met the newer would ask
  /// for them again and again.
  func stagedBytes(of key: SourceKey) -> Encoded? {
    guard let encoded = staged[key]?.encoded, encoded.revision == revisions[key] ?? 0 else { return nil }
    return encoded
  }

  /// A write of the key has ended.
  fileprivate mutating func stored(_ key: SourceKey) {
    staged[key]?.writes -= 1
    if staged[key]?.writes == 0 { staged[key] = nil }
  }

  fileprivate mutating func removed(_ place: FutureImage.Loader.LookupKey) {
    guard let count = outdated[place] else { return }
    outdated[place] = count > 1 ? count - 1 : nil
  }
}
