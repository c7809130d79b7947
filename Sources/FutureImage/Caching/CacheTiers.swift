extension FutureImage {
  /// A store for decoded images beyond the life of the models, besides the loader's own pool.
  ///
  /// A tier is read when a future is created, so it must return at once, on any thread. It stores the largest decoded image so far.
  ///
  /// A tier stores one image for each source. If a future made its image with a transform or a given `size`, a future with another
  /// transform or size does not show it, but makes its own, which replaces the other in the tier. Return the very objects that were stored:
  /// the library recognizes an image by its object, and any other image counts as the source's own full image.
  public protocol MemoryTier: AnyObject, Sendable {
    /// Returns the image stored under the source's key; nil if there is none.
    func image(forKey key: String) -> UIImage?
    /// Stores the image in place of the previous one. Called again when a larger image has been decoded.
    func store(_ image: UIImage, forKey key: String)
    /// Removes the image. It was replaced by another, which is stored when its pixels are needed.
    func remove(forKey key: String)
  }
}

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
