/// Pictures that are shown while it is seen whether they still hold. Source of the terms: RFC 9111.
extension FutureImage.Loader {
  /// What may be done with an entry that was found, and a note of it for pictures of the key that are met in memory.
  func standing(of entry: FutureImage.CacheEntry, _ key: SourceKey) -> FutureImage.CacheEntry.Standing {
    let now = configuration.now()
    let standing = entry.standing(at: now)
    return state.withLock { state in
      // Confirmed, or asked about in vain, since it was stored.
      if standing == .stale, let until = state.freshUntil.peek(key), now < until { return .fresh }
      state.note(freshUntil: entry.rebased(to: now).freshUntil, key)
      return standing
    }
  }

  /// Whether a picture that was met in memory is to be asked about.
  func isStale(_ key: SourceKey) -> Bool {
    let until = state.withLock { $0.freshUntil.peek(key) }
    return until.map { $0 <= configuration.now() } ?? false
  }

  /// Asks the source behind what is wanted more urgently. The future is told by `confirmed`, `replaced` or `failed`, if it still lives.
  func revalidate(_ future: FutureImage, _ descriptor: Descriptor, _ ticket: UInt32) {
    let now = configuration.now()
    state.withLock { state in
      // Unless it was asked about since somebody found it stale.
      guard let until = state.freshUntil.peek(descriptor.key), until <= now else { return }
      state.wantTransfer(Ask(future, ticket), descriptor, .created, purpose: .revalidation)
    }
    if !future.isRevalidating(ticket) { dropBytes(Ask(future, ticket), descriptor) }
  }

  /// The source says that what is known still holds.
  func renew(_ entry: FutureImage.CacheEntry, _ encoded: Encoded, _ known: FutureImage.CacheEntry?, _ key: SourceKey, _ run: UInt64) {
    var encoded = encoded
    let (askers, others) = state.withLock { state -> ([Asker], [FutureImage]) in
      let tier = state.transfers[key]?.descriptor.disk
      guard let askers = state.finishTransfer(key, run: run, by: self) else { return ([], []) }
      encoded.revision = state.revisions[key] ?? 0
      state.note(freshUntil: entry.freshUntil, key)
      if let tier, entry.isKeptOtherwise(than: known) { encoded.isStored = stage(entry, encoded, for: [tier], key, &state) }
      return (askers, state.live.crowd(key: key, atMost: .max))
    }
    for asker in askers { asker.future.confirmed(encoded, asker.ticket) }
    for future in others { future.recovered(by: encoded) }
    workEnded()
  }
}

extension FutureImage.Loader.State {
  mutating func note(freshUntil: Date?, _ key: SourceKey) {
    // What leaves the cache are dates.
    if let freshUntil { _ = self.freshUntil.insert(freshUntil, forKey: key, cost: 1) } else { _ = self.freshUntil.removeValue(forKey: key) }
  }
}

extension FutureImage.CacheEntry {
  /// Whether what was said of the body has changed. That it was confirmed once more does not make it worth writing.
  fileprivate func isKeptOtherwise(than other: Self?) -> Bool {
    guard let other else { return true }
    return (freshUntil, eTag, lastModified) != (other.freshUntil, other.eTag, other.lastModified) || mustRevalidate != other.mustRevalidate
  }
}
