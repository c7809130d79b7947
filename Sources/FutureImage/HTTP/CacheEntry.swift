extension FutureImage {
  /// An encoded image as received, and its server's statements about caching it.
  ///
  /// A disk cache of the app (``DiskTier``) stores both parts and returns them unchanged:
  ///
  ///     try database.insert(key, entry.body, entry.metadata)
  ///     return FutureImage.CacheEntry(body: row.body, metadata: row.metadata)
  public struct CacheEntry: Sendable, Hashable {
    /// The body, byte for byte.
    public var body: Data
    /// The server's `ETag`, for revalidation.
    var eTag: String?
    /// The server's `Last-Modified`, exactly as sent, for revalidation.
    var lastModified: String?
    /// The time when the body was received or last confirmed, by this device's clock.
    var receivedAt: Date?
    /// The time until which the body may be shown without revalidation; nil if the response determines no such time.
    var freshUntil: Date?
    /// Whether the server requires that a stale body is revalidated before it is shown.
    var mustRevalidate = false
    /// The names of the request fields by which the server selected the body, and a digest of their values; nil if the body fits any
    /// request.
    var secondaryKey: String?
    /// Whether `Cache-Control` or `Vary: *` determines the body's lifetime, so that an `Expires` field that arrives later does not change
    /// the lifetime.
    var isBoundByCacheControl = false

    init(body: Data, eTag: String?, lastModified: String? = nil, receivedAt: Date? = nil, freshUntil: Date? = nil) {
      self.body = body
      self.eTag = eTag
      self.lastModified = lastModified
      self.receivedAt = receivedAt
      self.freshUntil = freshUntil
    }
  }
}

extension FutureImage.CacheEntry {
  /// The use of the body that is permitted now.
  enum Standing: Sendable {
    /// The body may be shown without revalidation. This includes a body about which the server stated nothing. Only `reload()` revalidates
    /// such a body.
    case fresh
    /// The body may be shown, and must be revalidated.
    case stale
    /// The body must not be shown before it has been revalidated.
    case unconfirmed
  }

  /// Creates the entry of a response.
  init(body: Data, headers: [String: String], freshness: Freshness, receivedAt: Date) {
    self.init(
      body: body, eTag: headers["etag"], lastModified: headers["last-modified"], receivedAt: receivedAt,
      freshUntil: freshness.freshUntil)
    mustRevalidate = !freshness.mayShowStale
    isBoundByCacheControl = freshness.isBoundByCacheControl
  }

  var validity: Validity {
    Validity(
      receivedAt: receivedAt, freshUntil: freshUntil, mustRevalidate: mustRevalidate, secondaryKey: secondaryKey.map(SecondaryKey.init))
  }

  func standing(at now: Date) -> Standing { validity.standing(at: now) }

  /// Returns the entry adjusted to a clock that was set back. If `receivedAt` is later than `now`, the entry counts as received now and is
  /// not fresh, because its age is unknown. If the clock was set forward instead, the entry is not changed, and may be stale until the
  /// clock is corrected.
  func rebased(to now: Date) -> Self {
    guard let receivedAt, receivedAt > now else { return self }
    var entry = self
    entry.receivedAt = now
    entry.freshUntil = freshUntil.map { min($0, now) }
    return entry
  }

  /// Returns the entry after its server has responded with status 304, "not modified", and these fields. By sections 3.2 and 4.3.4 of RFC
  /// 9111, each field replaces the stored field of the same name, and the other stored fields stay. `Cache-Control` and `Expires` are not
  /// stored as received, and `Cache-Control` takes precedence over `Expires`. If neither field states a lifetime, the body gets its
  /// previous lifetime again.
  ///
  /// | stored | 304 | fresh for |
  /// | --- | --- | --- |
  /// | `max-age=60, must-revalidate` | `Expires:` in an hour | 60 s, must be revalidated |
  /// | `no-cache` | `Expires:` in an hour | no time |
  /// | `must-revalidate`, `Expires:` in a minute | `Expires:` in an hour | an hour, must be revalidated |
  /// | `max-age=60, must-revalidate` | `Cache-Control: max-age=5` | 5 s |
  /// | `max-age=60` | neither | 60 s |
  /// - Parameter hops: the statements of the redirects that led to the response. Each of them limits the lifetime.
  func renewed(headers: [String: String], behind hops: [Freshness] = [], requestedAt: Date, receivedAt: Date) -> Self {
    var headers = headers
    headers["last-modified"] = headers["last-modified"] ?? lastModified
    let freshness = Freshness(status: 200, headers: headers, requestedAt: requestedAt, receivedAt: receivedAt)
    var entry = self
    entry.eTag = headers["etag"] ?? eTag
    entry.lastModified = headers["last-modified"]
    entry.receivedAt = receivedAt
    let isRestated = headers["cache-control"] != nil || freshness.isBoundByCacheControl
    if isRestated {
      entry.mustRevalidate = !freshness.mayShowStale
      entry.isBoundByCacheControl = freshness.isBoundByCacheControl
    }
    if freshness.isExplicit, isRestated || !isBoundByCacheControl {
      entry.freshUntil = freshness.freshUntil
    } else if let freshUntil, let before = self.receivedAt {
      entry.freshUntil = receivedAt + max(0, freshUntil.timeIntervalSince(before))
    } else {
      entry.freshUntil = freshness.freshUntil
    }
    for hop in hops {
      entry.mustRevalidate = entry.mustRevalidate || !hop.mayShowStale
      if hop.isExplicit, let end = hop.freshUntil { entry.freshUntil = min(entry.freshUntil ?? end, end) }
    }
    return entry
  }
}

extension FutureImage.CacheEntry {
  /// The name of the request field with the entity tag.
  static let ifNoneMatch = "If-None-Match"
  /// The name of the request field with the date.
  static let ifModifiedSince = "If-Modified-Since"

  /// Whether a 304 response to a request with these fields refers to this entry (RFC 9111, section 4.3.4). False if the request had no
  /// condition, or if the response has the entity tag or the date of another image.
  func isMeant(by response: FutureImage.Response, to conditions: [String: String]) -> Bool {
    guard conditions[Self.ifNoneMatch] != nil || conditions[Self.ifModifiedSince] != nil else { return false }
    if let received = response.headers["etag"], let eTag { return received.opaqueTag == eTag.opaqueTag }
    guard let received = response.headers["last-modified"], let lastModified, received != lastModified else { return true }
    // Two spellings of the same date refer to the same image.
    guard let receivedDate = HTTPDate.date(received), let storedDate = HTTPDate.date(lastModified) else { return false }
    return receivedDate == storedDate
  }
}

extension String {
  /// The entity tag without the prefix of weak tags: RFC 9110, section 8.8.3.2.
  fileprivate var opaqueTag: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
