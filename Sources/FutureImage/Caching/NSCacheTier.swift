/// An app's `NSCache` as the memory tier of one image. The cache stores the image under the key that the app chose, so the keys that the
/// loader passes are ignored. The reference to the cache is weak.
final class NSCacheTier: FutureImage.MemoryTier, @unchecked Sendable {
  // Sendable: NSCache may be used on several threads at once, as its documentation says, and the weak reference is only read.
  private weak var cache: NSCache<NSString, BaseImage>?
  private let key: String

  init(_ cache: NSCache<NSString, BaseImage>, key: String) {
    self.cache = cache
    self.key = key
  }

  func image(forKey _: String) -> BaseImage? { cache?.object(forKey: key as NSString) }

  func store(_ image: BaseImage, forKey _: String) {
    let pixels = (image.cgImage?.width ?? 0) * (image.cgImage?.height ?? 0)
    cache?.setObject(image, forKey: key as NSString, cost: pixels * 4)
  }

  func remove(forKey _: String) { cache?.removeObject(forKey: key as NSString) }
}
