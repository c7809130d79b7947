/// Images that are shown while they are revalidated. Source of the terms: RFC 9111.
extension FutureImage.Loader {
  /// Returns the standing that a picture's image in memory has for requests of the source.
  func standing(of picture: Picture, for source: FutureImage.Source, at now: Date) -> FutureImage.CacheEntry.Standing {
    guard let known = picture.remembered.validity else { return .fresh }
    return fits(known.secondaryKey, source) ? known.standing(at: now) : .unconfirmed
  }

  /// Whether the last revalidation of the known image failed, or the image is stale and was neither received nor confirmed since the given
  /// time.
  func isStale(_ source: FutureImage.Source, since start: Date) -> Bool {
    let now = configuration.now()
    return state.withLock { state in
      guard let picture = state.pictures[source.id], let known = picture.remembered.validity else { return false }
      let isFresh = standing(of: picture, for: source, at: now) == .fresh
      return known.hasFailed || !isFresh && known.receivedAt.map { $0 < start } ?? true
    }
  }

  /// Returns the standing that an entry will have if the requests of the source turn out to fit it. Returns nil if they are already known
  /// to fit.
  func standing(of entry: FutureImage.CacheEntry, ifItFits source: FutureImage.Source) -> FutureImage.CacheEntry.Standing? {
    if fits(entry.validity.secondaryKey, source) { return nil }
    let now = configuration.now()
    return state.withLock { $0.pictures[source.id]?.standing(of: entry, at: now) } ?? entry.standing(at: now)
  }

  /// Whether requests of the source are known to have the fields of the key. If closures of the app make the fields, the fields are known
  /// only during a transfer.
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
    // A stale entry counts as fresh if the image was confirmed, or its revalidation failed, after the entry was stored.
    return standing == .stale && remembered.validity?.standing(at: now) == .fresh ? .fresh : standing
  }

  /// Records what the server stated about the validity of the image; nil or a validity without statements removes the record.
  func note(_ validity: Validity?) {
    let stated = validity.flatMap { $0.isStated ? $0 : nil }
    if stated != remembered.validity { remembered.validity = stated }
  }

  /// Records that a revalidation failed, so that futures that find the image do not all revalidate it again at once. Has no effect on an
  /// image that must be revalidated.
  func noteFailedRevalidation(at now: Date, again: Date) {
    let known = remembered.validity
    if known?.mustRevalidate == true { return }
    note(Validity(receivedAt: now, freshUntil: again, hasFailed: true, secondaryKey: known?.secondaryKey))
  }
}
