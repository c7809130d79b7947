/// The two ways in which a run gives its futures a picture.
extension TransferRun {
  /// The picture came: its futures are told, and their disk tiers filled.
  func keep(_ entry: FutureImage.CacheEntry, _ encoded: Encoded, mayStore: Bool) {
    var encoded = encoded
    encoded.isStored = mayStore
    let (askers, others, replacement, turn) = state.withLock {
      state -> ([Loader.Asker], [FutureImage], (revision: UInt32, dropped: [Ask])?, UntoldBytes.Turn?) in
      let mayReplace = state.transfers[key]?.purpose.mayReplace ?? false
      guard let askers = state.finishTransfer(key, run: number, by: loader) else { return ([], [], nil, nil) }
      // All that live learn of another picture, those who asked among them; those that failed, of any.
      let others = mayReplace ? state.live.futures(key: key) : state.live.crowd(key: key, atMost: .max)
      let replacement = mayReplace ? state.replace(key, by: loader) : nil
      state.refusals.remove(key)
      encoded.revision = state.revisions[key] ?? 0
      state.note(entry.validity, key)
      let tiers = (askers.map(\.future) + (mayReplace ? others : [])).compactMap { $0.descriptor?.disk }
      if mayStore { encoded.isStored = loader.stage(entry, encoded, for: tiers, key, &state) }
      if !mayStore, mayReplace { loader.remove(key, from: tiers, &state) }
      return (askers, others, replacement, state.beginTelling(of: encoded, key))
    }
    if let replacement {
      loader.pool.remove(source: key)
      let answered = Set(askers.map { Ask($0.future, $0.ticket) } + replacement.dropped)
      for future in others { future.replaced(by: encoded, answering: answered) }
    } else {
      for asker in askers { asker.future.received(encoded, asker.ticket) }
      for future in others { future.recovered(by: encoded) }
    }
    loader.slotFreed { state in
      state.endTelling(key, turn)
      state.pendingWork -= 1
    }
  }

  /// The source says that what is known still holds.
  /// - Parameter mayStore: if not, it leaves the disk, and the futures keep it.
  func renew(_ entry: FutureImage.CacheEntry, _ encoded: Encoded, _ known: FutureImage.CacheEntry?, mayStore: Bool) {
    var encoded = encoded
    let (askers, others) = state.withLock { state -> ([Loader.Asker], [FutureImage]) in
      let tier = state.transfers[key]?.descriptor.disk
      guard let askers = state.finishTransfer(key, run: number, by: loader) else { return ([], []) }
      encoded.revision = state.revisions[key] ?? 0
      state.note(entry.validity, key)
      guard mayStore else {
        let futures = state.live.futures(key: key)
        encoded.isStored = false
        let tiers = [tier, loader.configuration.diskCache] + futures.map { $0.descriptor?.disk }
        loader.remove(key, from: tiers.compactMap(\.self), &state)
        // Nor may tiers get it that are asked from now on.
        if let staged = state.staged[key]?.encoded { state.departed.add(staged) }
        state.staged[key]?.encoded = nil
        return (askers, futures)
      }
      if let tier, entry.isKeptOtherwise(than: known) { encoded.isStored = loader.stage(entry, encoded, for: [tier], key, &state) }
      return (askers, state.live.crowd(key: key, atMost: .max))
    }
    for asker in askers { asker.future.confirmed(encoded, asker.ticket) }
    for future in others {
      future.recovered(by: encoded)
      if !mayStore { future.keep(encoded) }
    }
    loader.slotWorkEnded()
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
