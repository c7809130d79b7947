import FutureImage

extension FutureImage.Loader {
  /// As apps get it, but with a disk cache of its own.
  static func fresh(disk: URL?, pixelLimit: Int? = nil) -> FutureImage.Loader {
    var configuration = Configuration()
    configuration.fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none))
    configuration.diskCache = disk.map { FutureImage.DiskCache(directory: $0, maxBytes: 2 << 30) }
    if let pixelLimit { configuration.pixelLimit = pixelLimit }
    return FutureImage.Loader(configuration)
  }

  /// Whose network never answers.
  static func idle() -> FutureImage.Loader {
    var configuration = Configuration()
    configuration.fetcher = SilentFetcher()
    configuration.diskCache = nil
    return FutureImage.Loader(configuration)
  }
}

/// Takes requests, and answers none until it is cancelled.
struct SilentFetcher: FutureImage.Fetcher {
  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
