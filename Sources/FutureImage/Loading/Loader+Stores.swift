/// Bytes that came go to the disk tiers of all who wanted them.
extension FutureImage.Loader {
  func stage(
    _ entry: FutureImage.CacheEntry, _ encoded: Encoded, for tiers: [any FutureImage.DiskTier], _ key: String, _ state: inout State
  ) {
    let distinct = distinct(tiers)
    guard !distinct.isEmpty else { return }
    let before = state.staged[key]
    state.lastStaged += 1
    let number = state.lastStaged
    state.pendingWork += 1
    let storing = Task { [distinct] in
      await before?.storing?.value
      for tier in distinct { await store(entry, encoded, key, in: tier) }
      self.state.withLock { if $0.staged[key]?.number == number { $0.staged[key] = nil } }
      workEnded()
    }
    state.staged[key] = Staged(
      encoded: encoded, entry: entry, tiers: distinct + (before?.encoded?.data == encoded.data ? before?.tiers ?? [] : []),
      storing: storing, number: number)
  }

  /// What the tiers have is another picture, and the new one must not be stored.
  func remove(_ key: String, from tiers: [any FutureImage.DiskTier], _ state: inout State) {
    let before = state.staged[key]
    state.pendingWork += 1
    Task { [tiers = distinct(tiers)] in
      await before?.storing?.value
      for tier in tiers {
        do { try await tier.remove(forKey: key) } catch { report(cacheFault: error, key) }
      }
      workEnded()
    }
  }

  private func distinct(_ tiers: [any FutureImage.DiskTier]) -> [any FutureImage.DiskTier] {
    var distinct: [any FutureImage.DiskTier] = []
    for tier in tiers where !distinct.contains(where: { $0 === tier }) { distinct.append(tier) }
    return distinct
  }

  /// Where a tier fails, its futures keep the bytes themselves, and what the tier had before is not to be found there any more.
  private func store(
    _ entry: FutureImage.CacheEntry, _ encoded: Encoded, _ key: String, in tier: any FutureImage.DiskTier
  ) async {
    do {
      try await tier.store(entry, forKey: key)
      // Found undecodable in the meantime.
      if state.withLock({ $0.refusals.failure(of: key) != nil }) { try await tier.remove(forKey: key) }
    } catch {
      report(cacheFault: error, key)
      do { try await tier.remove(forKey: key) } catch { report(cacheFault: error, key) }
      let futures = state.withLock { $0.live.futures(key: key) }
      for future in futures where future.descriptor?.disk === tier { future.keep(encoded) }
    }
  }
}
