extension FutureImage {
  /// An encoded picture as it came, and what its server said about keeping it.
  public struct CacheEntry: Sendable, Hashable {
    /// The body, byte for byte.
    public var body: Data
    /// The server's `ETag`, to ask whether the body still holds.
    public var eTag: String?
    /// The server's `Last-Modified`, as it was sent, for the same purpose.
    public var lastModified: String?
    /// When the body came, or was last confirmed, by this device's clock.
    public var receivedAt: Date?
    /// Until when the body may be shown without asking; nil if the server did not say.
    public var freshUntil: Date?
    /// Whether the server forbids to show the body, once it is not fresh, before it was asked.
    public var mustRevalidate: Bool
    /// Whether a `Cache-Control` field says how long the body lasts: an `Expires` that comes later changes nothing about it.
    var isBoundByCacheControl = false

    public init(
      body: Data, eTag: String? = nil, lastModified: String? = nil, receivedAt: Date? = nil, freshUntil: Date? = nil,
      mustRevalidate: Bool = false
    ) {
      self.body = body
      self.eTag = eTag
      self.lastModified = lastModified
      self.receivedAt = receivedAt
      self.freshUntil = freshUntil
      self.mustRevalidate = mustRevalidate
    }
  }
}

extension FutureImage.CacheEntry {
  /// What may be done with the body now.
  enum Standing: Sendable {
    /// Shown, and nobody is asked. Also where the server said nothing: then only `reload()` asks.
    case fresh
    /// Shown, and the server is asked.
    case stale
    /// Not to be shown before the server was asked.
    case unconfirmed
  }

  /// The answer that brought the body.
  init(body: Data, headers: [String: String], freshness: Freshness, receivedAt: Date) {
    self.init(
      body: body, eTag: headers["etag"], lastModified: headers["last-modified"], receivedAt: receivedAt,
      freshUntil: freshness.freshUntil, mustRevalidate: !freshness.mayShowStale)
    isBoundByCacheControl = freshness.isBoundByCacheControl
  }

  var validity: Validity { Validity(receivedAt: receivedAt, freshUntil: freshUntil, mustRevalidate: mustRevalidate) }

  func standing(at now: Date) -> Standing { validity.standing(at: now) }

  /// The same entry after a clock was set back: one that came in the future came now, and is not fresh, since nobody knows how long ago it
  /// came. After a clock was set forward entries are stale, and fresh again when it is set right.
  func rebased(to now: Date) -> Self {
    guard let receivedAt, receivedAt > now else { return self }
    var entry = self
    entry.receivedAt = now
    entry.freshUntil = freshUntil.map { min($0, now) }
    return entry
  }

  /// The entry after its server has said 304, "not modified", with these fields: by sections 3.2 and 4.3.4 of RFC 9111 each takes the place
  /// of the stored field of its name, and the others stay. Of `Cache-Control` and `Expires`, which are not stored as they came, the first
  /// goes before the second. Where neither says how long the body lasts, it lasts as long again.
  ///
  /// | stored | 304 | fresh for |
  /// | --- | --- | --- |
  /// | `max-age=60, must-revalidate` | `Expires:` in an hour | 60 s, must be revalidated |
  /// | `no-cache` | `Expires:` in an hour | no time |
  /// | `must-revalidate`, `Expires:` in a minute | `Expires:` in an hour | an hour, must be revalidated |
  /// | `max-age=60, must-revalidate` | `Cache-Control: max-age=5` | 5 s |
  /// | `max-age=60` | neither | 60 s |
  func renewed(headers: [String: String], requestedAt: Date, receivedAt: Date) -> Self {
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
    return entry
  }
}
