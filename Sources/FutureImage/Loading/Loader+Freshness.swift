/// Images that are shown while they are revalidated. Source of the terms: RFC 9111.
extension FutureImage.Loader {
  /// Returns the standing of a picture's image that was found in memory, for requests of the source.
  func standing(of picture: Picture, for source: FutureImage.Source, at now: Date) -> FutureImage.CacheEntry.Standing {
    guard let known = picture.remembered.validity else { return .fresh }
    return fits(known.secondaryKey, source) ? known.standing(at: now) : .unconfirmed
  }

  /// Whether an image of the source that is in memory is stale, and was not received or confirmed since that time.
  func isStale(_ source: FutureImage.Source, since start: Date) -> Bool {
    let now = configuration.now()
    return state.withLock { state in
      guard let picture = state.pictures[source.id], let known = picture.remembered.validity else { return false }
      let isFresh = standing(of: picture, for: source, at: now) == .fresh
      return known.hasFailed || !isFresh && known.receivedAt.map { $0 < start } ?? true
    }
  }

  /// Returns the standing of an entry for requests that it fits; nil if it is known whether requests of the source are such.
  func standing(of entry: FutureImage.CacheEntry, ifItFits source: FutureImage.Source) -> FutureImage.CacheEntry.Standing? {
    if fits(entry.validity.secondaryKey, source) { return nil }
    let now = configuration.now()
    return state.withLock { $0.pictures[source.id]?.standing(of: entry, at: now) } ?? entry.standing(at: now)
  }

  /// Whether requests of the source are known to have the fields of the key. If closures of the app's make the fields, only a transfer
  /// knows.
  func fits(_ key: SecondaryKey?, _ source: FutureImage.Source) -> Bool {
    guard let key else { return true }
    guard configuration.prepareRequest == nil, case .url(_, let headers) = source.origin else { return false }
    return key.fits(configuration.fields(besides: headers))
  }
}

extension Picture {
  /// Returns the standing of a stored entry for requests that it fits.
  func standing(of entry: FutureImage.CacheEntry, at now: Date) -> FutureImage.CacheEntry.Standing {
    let standing = entry.standing(at: now)
    // Confirmed, or revalidated without success, since it was stored.
    return standing == .stale && remembered.validity?.standing(at: now) == .fresh ? .fresh : standing
  }

  func note(_ validity: Validity?) {
    let stated = validity.flatMap { $0.isStated ? $0 : nil }
    if stated != remembered.validity { remembered.validity = stated }
  }

  /// Notes that a revalidation failed. The image need not be revalidated again at once by every future that finds it, unless it must be.
  func noteFailedRevalidation(at now: Date, again: Date) {
    let known = remembered.validity
    if known?.mustRevalidate == true { return }
    note(Validity(receivedAt: now, freshUntil: again, hasFailed: true, secondaryKey: known?.secondaryKey))
  }
}
