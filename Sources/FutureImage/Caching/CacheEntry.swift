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
  }

  func standing(at now: Date) -> Standing {
    let freshUntil = rebased(to: now).freshUntil
    if freshUntil.map({ now < $0 }) ?? !mustRevalidate { return .fresh }
    return mustRevalidate ? .unconfirmed : .stale
  }

  /// The same entry after a clock was set back: one that came in the future came now. It stays fresh for as long as it had when it came,
  /// not until the clock has caught up. After a clock was set forward entries are stale, and fresh again when it is set right.
  func rebased(to now: Date) -> Self {
    guard let receivedAt, receivedAt > now else { return self }
    var entry = self
    entry.receivedAt = now
    entry.freshUntil = freshUntil.map { now + max(0, $0.timeIntervalSince(receivedAt)) }
    return entry
  }

  /// The entry after its server has said 304, "not modified", with these fields: by section 4.3.4 of RFC 9111 they take the place of those
  /// that were stored. Where they do not say how long it lasts, it lasts as long again.
  func renewed(headers: [String: String], requestedAt: Date, receivedAt: Date) -> Self {
    var headers = headers
    headers["last-modified"] = headers["last-modified"] ?? lastModified
    let freshness = Freshness(status: 200, headers: headers, requestedAt: requestedAt, receivedAt: receivedAt)
    var entry = self
    entry.eTag = headers["etag"] ?? eTag
    entry.lastModified = headers["last-modified"]
    entry.receivedAt = receivedAt
    if headers["cache-control"] != nil || freshness.isExplicit { entry.mustRevalidate = !freshness.mayShowStale }
    if freshness.isExplicit {
      entry.freshUntil = freshness.freshUntil
    } else if let freshUntil, let before = self.receivedAt {
      entry.freshUntil = receivedAt + max(0, freshUntil.timeIntervalSince(before))
    } else {
      entry.freshUntil = freshness.freshUntil
    }
    return entry
  }
}
