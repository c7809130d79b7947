import FutureImage

extension FutureImage.Loader {
  /// Returns a loader with the defaults of an app, but with its own disk cache.
  static func fresh(disk: URL?, maxPixelBytes: Int? = nil) -> FutureImage.Loader {
    var configuration = Configuration()
    configuration.diskCache = disk.map { FutureImage.DiskCache(directory: $0, maxBytes: 2 << 30) }
    if let maxPixelBytes { configuration.maxPixelBytes = maxPixelBytes }
    return FutureImage.Loader(configuration)
  }

  /// Returns a loader whose network never answers.
  static func idle() -> FutureImage.Loader {
    var configuration = Configuration()
    configuration.fetcher = SilentFetcher()
    configuration.diskCache = nil
    return FutureImage.Loader(configuration)
  }
}

/// A fetcher that accepts requests, and answers none until it is canceled.
struct SilentFetcher: FutureImage.Fetcher {
  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
