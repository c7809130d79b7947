extension FutureImage {
  /// Where encoded pictures are kept beyond the life of the models: a ``DiskCache``, a file, or whatever an app brings.
  ///
  /// Calls come from any thread, several at once. What throws is reported to the loader's statistics and never loses a picture.
  public protocol DiskTier: AnyObject, Sendable {
    /// What is kept under the key; nil if there is nothing, or nothing whole.
    func entry(forKey key: String) async throws -> CacheEntry?
    /// Keeps the entry in place of what was there. Nobody ever reads half of it.
    func store(_ entry: CacheEntry, forKey key: String) async throws
    func remove(forKey key: String) async throws
  }

  /// An encoded picture as it came, and what its server said about keeping it.
  public struct CacheEntry: Sendable, Hashable {
    /// The body, byte for byte.
    public var body: Data
    /// The server's `ETag`, to ask whether the body still holds.
    public var eTag: String?
    /// The server's `Last-Modified`, as it was sent, for the same purpose.
    public var lastModified: String?
    /// Until when the body may be shown without asking; nil if the server did not say.
    public var freshUntil: Date?

    public init(body: Data, eTag: String? = nil, lastModified: String? = nil, freshUntil: Date? = nil) {
      self.body = body
      self.eTag = eTag
      self.lastModified = lastModified
      self.freshUntil = freshUntil
    }
  }
}
