/// The two ways in which a run gives its futures a picture.
extension TransferRun {
  /// The picture came: its futures are told, and their disk tiers filled.
  func keep(_ entry: FutureImage.CacheEntry, _ encoded: Encoded, mayStore: Bool) {
    var encoded = encoded
    encoded.isStored = mayStore
    loader.change { state -> Kept in
      let input = state.transfers[key]
      guard let requests = state.finishTransfer(key, run: number), let input else { return Kept() }
      let mayReplace = input.purpose.mayReplace
      let replacement = mayReplace ? state.replace(key, in: loader.pool) : nil
      state.refusals.remove(key)
      encoded.revision = state.pictures.generation(of: key)
      state.note(entry.validity, key)
      let tiers = input.tiers + (mayReplace ? state.tiers(of: key) : [])
      if mayStore { encoded.isStored = loader.stage(entry, encoded, for: tiers, key, &state) }
      if !mayStore, mayReplace { loader.remove(key, from: tiers, &state) }
      return Kept(
        requests: requests, replaced: replacement.map { [requests] + $0.dropped },
        mayReachOthers: mayReplace || state.pictures.isShared(key), turn: state.beginTelling(of: encoded, key))
    } telling: { kept in
      if let replaced = kept.replaced {
        loader.pool.remove(source: key)
        let answered = Set(replaced.joined())
        // All that live learn of another picture.
        loader.forEachFuture(of: key) { $0.replace(by: encoded, answering: answered) }
      } else {
        for live in kept.requests.living { live.future.take(.bytes(encoded), for: live.request) }
        // Those that failed learn of any.
        if kept.mayReachOthers { loader.forEachFuture(of: key) { $0.recover(with: encoded) } }
      }
    } then: { state, kept in
      state.endTelling(key, kept.turn)
      if kept.replaced != nil { state.pictures.endMemoryChange(key) }
    }
  }

  /// The consequences of a picture that came.
  private struct Kept {
    var requests: Waiters<LoadRequest> = []
    /// The requests that it answers, where it takes another picture's place.
    var replaced: [Waiters<LoadRequest>]?
    var mayReachOthers = false
    var turn: UInt64?
  }

  /// The source says that what is known still holds.
  /// - Parameter mayStore: if not, it leaves the disk, and the futures keep it.
  func renew(_ entry: FutureImage.CacheEntry, _ encoded: Encoded, _ known: FutureImage.CacheEntry?, mayStore: Bool) {
    var encoded = encoded
    loader.change { state -> (requests: Waiters<LoadRequest>, mayReachOthers: Bool) in
      let tier = state.transfers[key]?.descriptor.disk
      guard let requests = state.finishTransfer(key, run: number) else { return ([], false) }
      encoded.revision = state.pictures.generation(of: key)
      state.note(entry.validity, key)
      guard mayStore else {
        encoded.isStored = false
        let tiers = [tier, loader.configuration.diskCache].compactMap(\.self) + state.tiers(of: key)
        loader.remove(key, from: tiers, &state)
        // Nor may tiers get it that are asked from now on.
        if let staged = state.pictures[key]?.staged?.encoded { state.departed.add(staged) }
        state.pictures.changeIfKnown(key) { $0.staged?.encoded = nil }
        return (requests, true)
      }
      if let tier, entry.isKeptOtherwise(than: known) { encoded.isStored = loader.stage(entry, encoded, for: [tier], key, &state) }
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
  /// Whether what was said of the body has changed. That it was confirmed once more does not make it worth writing.
  fileprivate func isKeptOtherwise(than other: Self?) -> Bool {
    guard let other else { return true }
    return (freshUntil, eTag, lastModified) != (other.freshUntil, other.eTag, other.lastModified)
      || (mustRevalidate, isBoundByCacheControl) != (other.mustRevalidate, other.isBoundByCacheControl)
  }
}
