extension FutureImage {
  /// A store for encoded images beyond the life of the models: a ``DiskCache``, a file, or an app's own implementation.
  ///
  /// Calls come from any thread, several at once. Errors are reported in the loader's statistics and never lose an image.
  public protocol DiskTier: AnyObject, Sendable {
    /// Returns the entry stored under the key; nil if it is missing or incomplete.
    func entry(forKey key: String) async throws -> CacheEntry?
    /// Stores the entry in place of the previous one. No reader ever sees a part of it.
    func store(_ entry: CacheEntry, forKey key: String) async throws
    /// Removes the entry. It is not a failure if there is none.
    func remove(forKey key: String) async throws
  }
}
