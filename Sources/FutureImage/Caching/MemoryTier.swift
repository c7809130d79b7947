extension FutureImage {
  /// Where an app keeps decoded pictures beyond the life of the models, besides the loader's own pool.
  ///
  /// Asked when a future is created, so it must answer at once, on any thread. It is given the largest decode so far.
  ///
  /// A tier keeps one picture for each source. What one future made of it with a transform, or in a `size` that it was given, is not shown by
  /// a future with another transform or size: that one makes its own, which takes the other's place in the tier. Let the tier hand out the
  /// very objects that it was given: by them a picture is known for what it is, and any other image counts as the source's own in full.
  public protocol MemoryTier: AnyObject, Sendable {
    /// What is kept under the source's key; nil if there is nothing.
    func image(forKey key: String) -> UIImage?
    /// Keeps the picture, in place of what was there. Called again when a larger decode is there.
    func store(_ image: UIImage, forKey key: String)
    /// The picture was replaced by another, which will be stored when somebody needs its pixels.
    func remove(forKey key: String)
  }
}

/// An app's `NSCache`, held weakly, with the key that the app chose.
final class NSCacheTier: FutureImage.MemoryTier, @unchecked Sendable {
  // Sendable: NSCache may be used from several threads at once, as its documentation says, and the weak reference is only read.
  private weak var cache: NSCache<NSString, UIImage>?
  private let key: String

  init(_ cache: NSCache<NSString, UIImage>, key: String) {
    self.cache = cache
    self.key = key
  }

  func image(forKey _: String) -> UIImage? { cache?.object(forKey: key as NSString) }

  func store(_ image: UIImage, forKey _: String) {
    let pixels = (image.cgImage?.width ?? 0) * (image.cgImage?.height ?? 0)
    cache?.setObject(image, forKey: key as NSString, cost: pixels * 4)
  }

  func remove(forKey _: String) { cache?.removeObject(forKey: key as NSString) }
}
