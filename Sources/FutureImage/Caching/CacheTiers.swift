extension FutureImage {
  /// A store for decoded images beyond the lifetime of the models, in addition to the loader's own pool.
  ///
  /// The loader reads a tier when a future is created, so the tier must return at once, on any thread. The tier stores the largest image
  /// decoded so far.
  ///
  /// A tier stores one image for each source. If a future made that image with a transform or a given `size`, a future with another
  /// transform or size does not show it. The second future makes its own image, which replaces the first image in the tier. Return the same
  /// objects that were stored, because the library identifies an image by its object. Any other object counts as the source's own full
  /// image.
  public protocol MemoryTier: AnyObject, Sendable {
    /// Returns the image stored under the source's key; nil if there is none.
    func image(forKey key: String) -> BaseImage?
    /// Stores the image in place of the previous image. The loader calls this method again when it has decoded a larger image.
    func store(_ image: BaseImage, forKey key: String)
    /// Removes the image, because the source has replaced or deleted it. A new image is stored when its pixels are needed.
    func remove(forKey key: String)
  }
}

extension FutureImage {
  /// A store for encoded images beyond the lifetime of the models: a ``DiskCache``, a file, or an app's own implementation.
  ///
  /// The methods are called on any thread, and several calls may run at the same time. Errors are reported in the loader's statistics, and
  /// never cause the loss of an image.
  public protocol DiskTier: AnyObject, Sendable {
    /// Returns the entry stored under the key; nil if it is missing or incomplete.
    func entry(forKey key: String) async throws -> CacheEntry?
    /// Stores the entry in place of the previous entry. A concurrent read must never return a part of the entry.
    func store(_ entry: CacheEntry, forKey key: String) async throws
    /// Removes the entry. This method must not throw if there is no entry.
    func remove(forKey key: String) async throws
  }
}
