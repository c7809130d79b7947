/// Bytes that came go to the disk tiers of all who wanted them.
extension FutureImage.Loader {
  func stage(
    _ entry: FutureImage.CacheEntry, _ encoded: Encoded, for tiers: [any FutureImage.DiskTier], _ key: SourceKey, _ state: inout State
  ) {
    let all = distinct(tiers)
    let ready = all.filter { state.writes.hasRoom(for: entry.body.count, of: ObjectIdentifier($0)) }
    if ready.count < all.count { pass(all.filter { tier in !ready.contains { $0 === tier } }, key, &state) }
    guard !ready.isEmpty else { return }
    let before = state.staged[key]
    state.staged[key] = Staged(
      encoded: encoded, entry: entry, tiers: ready + (before?.encoded?.data == encoded.data ? before?.tiers ?? [] : []),
      writes: ready.count + (before?.writes ?? 0))
    write(to: ready, bytes: entry.body.count, &state) { [self] tier in
      await store(entry, encoded, key, in: tier)
      self.state.withLock { $0.stored(key) }
    }
  }

  /// What the tiers have is another picture, and the new one must not be stored.
  func remove(_ key: SourceKey, from tiers: [any FutureImage.DiskTier], _ state: inout State) {
    write(to: distinct(tiers), bytes: 0, &state) { [self] tier in
      do { try await tier.remove(forKey: key.text) } catch { report(cacheFault: error, key) }
    }
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

  private func write(
    to tiers: [any FutureImage.DiskTier], bytes: Int, _ state: inout State,
    _ body: @escaping @Sendable (any FutureImage.DiskTier) async -> Void
  ) {
    for tier in tiers { state.writes.add(TierWrites.Write(tier: ObjectIdentifier(tier), bytes: bytes) { await body(tier) }) }
    state.beginWrites(by: self)
  }

  private func distinct(_ tiers: [any FutureImage.DiskTier]) -> [any FutureImage.DiskTier] {
    var distinct: [any FutureImage.DiskTier] = []
    for tier in tiers where !distinct.contains(where: { $0 === tier }) { distinct.append(tier) }
    return distinct
  }

  /// Where a tier fails, its futures keep the bytes themselves, and what the tier had before is not to be found there any more.
  private func store(
    _ entry: FutureImage.CacheEntry, _ encoded: Encoded, _ key: SourceKey, in tier: any FutureImage.DiskTier
  ) async {
    do {
      try await tier.store(entry, forKey: key.text)
      // Found undecodable in the meantime.
      if state.withLock({ $0.refusals.failure(of: key) != nil }) { try await tier.remove(forKey: key.text) }
    } catch {
      report(cacheFault: error, key)
      do { try await tier.remove(forKey: key.text) } catch { report(cacheFault: error, key) }
      let futures = state.withLock { $0.live.futures(key: key) }
      for future in futures where future.descriptor?.disk === tier { future.keep(encoded) }
    }
  }
}

extension FutureImage.Loader.State {
  /// Begins those whose time has come.
  mutating func beginWrites(by loader: FutureImage.Loader) {
    for write in writes.takeDue(isQuiet: isQuiet) {
      Task {
        await write.body()
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
}
