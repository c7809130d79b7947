/// The two ways in which a run delivers an image to its futures.
extension TransferRun {
  /// Delivers a fetched image to its futures, and stores it in their disk tiers.
  /// - Parameter decoded: the image as its trial decoded it.
  func keep(_ entry: FutureImage.CacheEntry, with encoded: Encoded, mayStore: Bool, decoded: PixelPool.Living? = nil) {
    var (encoded, decoded) = (encoded, decoded)
    encoded.isStored = mayStore
    loader.change { state -> Kept in
      let input = state.transfers[key]
      guard let requests = state.finishTransfer(key, run: number), let input else { return Kept() }
      let mayReplace = input.purpose.mayReplace
      let replacement = mayReplace ? state.replace(key, in: loader.pool) : nil
      state.refusals.remove(key)
      encoded.revision = state.pictures.generation(of: key)
      // In the step that makes it the current image, so that whoever needs its pixels finds them.
      decoded?.key.variant.revision = encoded.revision
      if let decoded {
        state.departed.add(loader.pool.insert(decoded.image, decoded.key.variant))
        state.statistics.decodes += 1
      }
      state.note(entry.validity, key)
      let tiers = input.tiers + (mayReplace ? state.tiers(of: key) : [])
      if mayStore { encoded.isStored = loader.stage(entry, of: encoded, for: tiers, at: key, &state) }
      if !mayStore, mayReplace {
        state.withdrawStaged(key, by: loader)
        loader.remove(key, from: tiers, &state)
      }
      return Kept(
        requests: requests, replaced: replacement.map { [requests] + $0.dropped },
        mayReachOthers: mayReplace || state.pictures.isShared(key), turn: state.beginTelling(of: encoded, key))
    } telling: { kept in
      if let replaced = kept.replaced {
        loader.pool.remove(source: key, before: encoded.revision)
        let answered = Set(replaced.joined())
        // Every living future gets the replacement.
        // Race: a newer picture of which only those hear who asked.
        loader.forEachFuture(of: key) { $0.replace(by: encoded, decoded: decoded, answering: answered) }
      } else {
        for live in kept.requests.living { live.future.take(.bytes(encoded), for: live.request) }
        // Futures that failed get any image.
        if kept.mayReachOthers { loader.forEachFuture(of: key) { $0.recover(with: encoded) } }
      }
    } then: { state, kept in
      state.endTelling(key, kept.turn)
      if kept.replaced != nil { state.pictures.endMemoryChange(key) }
    }
  }

  /// The consequences of a fetched image.
  private struct Kept {
    var requests: Waiters<LoadRequest> = []
    /// The requests that the image answers, if it replaces another.
    var replaced: [Waiters<LoadRequest>]?
    var mayReachOthers = false
    var turn: UInt64?
  }

  /// Delivers a confirmation that the known entry still holds.
  /// - Parameter mayStore: if not, the entry is removed from disk, and the futures retain it.
  func renew(_ entry: FutureImage.CacheEntry, with encoded: Encoded, from known: FutureImage.CacheEntry?, mayStore: Bool) {
    var encoded = encoded
    loader.change { state -> (requests: Waiters<LoadRequest>, mayReachOthers: Bool) in
      let tier = state.transfers[key]?.descriptor.disk
      guard let requests = state.finishTransfer(key, run: number) else { return ([], false) }
      encoded.revision = state.pictures.generation(of: key)
      state.refusals.remove(key)
      state.note(entry.validity, key)
      guard mayStore else {
        encoded.isStored = false
        let tiers = [tier, loader.configuration.diskCache].compactMap(\.self) + state.tiers(of: key)
        loader.remove(key, from: tiers, &state)
        // Nor may the tiers of later requests store it.
        state.withdrawStaged(key, by: loader)
        return (requests, true)
      }
      if let tier, entry.isKeptOtherwise(than: known) { encoded.isStored = loader.stage(entry, of: encoded, for: [tier], at: key, &state) }
      return (requests, state.pictures.isShared(key))
    } telling: { requests, mayReachOthers in
      for live in requests.living { live.future.take(.confirmation(encoded), for: live.request) }
      guard mayReachOthers else { return }
      loader.forEachFuture(of: key) { future in
        future.recover(with: encoded)
        if !mayStore { future.keep(encoded) }
      }
    }
  }
}

extension FutureImage.CacheEntry {
  /// Whether the metadata of the body has changed. Another confirmation alone is not worth a write.
  fileprivate func isKeptOtherwise(than other: Self?) -> Bool {
    guard let other else { return true }
    return (freshUntil, eTag, lastModified, secondaryKey) != (other.freshUntil, other.eTag, other.lastModified, other.secondaryKey)
      || (mustRevalidate, isBoundByCacheControl) != (other.mustRevalidate, other.isBoundByCacheControl)
  }
}
