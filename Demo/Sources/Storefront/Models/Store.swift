import FutureImage
import FutureImageCache

/// The shop's server and the loader of its images. No data outlasts the run, because the next run has another port and therefore other
/// URLs.
public final class Store: Sendable {
  public let shop: Shop
  public let loader: FutureImage.Loader
  private let diskCache: FutureImage.DiskCache
  private static let maxDiskBytes = 256 << 20
  /// The feed's bytes. They are in memory only, because the feed has another URL in the next run.
  private let feeds: Cache<Data>

  /// - Parameter maxPixelBytes: the limit on decoded pixels, in bytes.
  public init(maxPixelBytes: Int = 64 << 20) throws {
    shop = try Shop(photos: Shop.photos)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("storefront-\(UUID().uuidString)")
    diskCache = FutureImage.DiskCache(directory: folder, maxBytes: Self.maxDiskBytes)
    var configuration = FutureImage.Loader.Configuration()
    configuration.maxPixelBytes = maxPixelBytes
    configuration.diskCache = diskCache
    loader = FutureImage.Loader(configuration)
    feeds = Cache(directory: nil, as: .data, fetching: loader)
  }

  /// Returns the items of the feed, which is fetched once. Each call decodes the feed into new models, off the main thread.
  /// - Throws: ``FutureImage/Failure``, `DecodingError`.
  public func items() async throws -> [Item] {
    try Feed(json: try await feeds.value(from: shop.feedURL), loader: loader).items
  }

  /// Fetches the feed again. The new items have new futures, which find the images of the old futures.
  public func reloadedItems() async throws -> [Item] {
    feeds.remove(forKey: FutureImage.Source.url(shop.feedURL).key)
    return try await items()
  }

  public func close() {
    shop.stop()
    try? FileManager.default.removeItem(at: diskCache.directory)
  }

  // MARK: Caches

  /// Returns the sizes of the caches.
  public func cacheSizes() async -> CacheSizes {
    CacheSizes(
      pixelBytes: loader.pixelBytes, maxPixelBytes: loader.configuration.maxPixelBytes, diskBytes: await diskCache.totalBytes(),
      diskLimit: Self.maxDiskBytes, diskCount: await diskCache.count())
  }

  /// Removes all pixels that are on no screen, and every image on disk.
  /// - Throws: an error that names the file if a file could not be removed.
  public func clearCaches() async throws {
    loader.removeCachedPixels()
    try await diskCache.removeAll()
  }
}
