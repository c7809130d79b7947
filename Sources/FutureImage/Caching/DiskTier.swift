extension FutureImage {
  /// Where encoded pictures are kept beyond the life of the models: a ``DiskCache``, a file, or whatever an app brings.
  ///
  /// Calls come from any thread, several at once. What throws is reported to the loader's statistics and never loses a picture.
  public protocol DiskTier: AnyObject, Sendable {
    /// What is kept under the key; nil if there is nothing, or nothing whole.
    func entry(forKey key: String) async throws -> CacheEntry?
    /// Keeps the entry in place of what was there. Nobody ever reads half of it.
    func store(_ entry: CacheEntry, forKey key: String) async throws
    /// Lets go of the entry; not a failure if there is none.
    func remove(forKey key: String) async throws
  }
}
