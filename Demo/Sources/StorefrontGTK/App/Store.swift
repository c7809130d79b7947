import Foundation
import FutureImage
import Storefront

/// The shop's server and the loader of its pictures. Nothing outlasts the run: the server's port, and with it every URL, is another the
/// next time.
final class Store: Sendable {
  let shop: Shop
  let loader: FutureImage.Loader
  private let cacheFolder: URL

  init(pixelLimit: Int) throws {
    shop = try Shop(photos: Shop.photos)
    cacheFolder = FileManager.default.temporaryDirectory.appendingPathComponent("storefront-\(UUID().uuidString)")
    var configuration = FutureImage.Loader.Configuration()
    configuration.pixelLimit = pixelLimit
    configuration.diskCache = FutureImage.DiskCache(directory: cacheFolder)
    loader = FutureImage.Loader(configuration)
  }

  func items() async throws -> [Item] {
    try await Feed.load(from: shop.feedURL, loader: loader).items
  }

  func close() {
    shop.stop()
    try? FileManager.default.removeItem(at: cacheFolder)
  }
}
