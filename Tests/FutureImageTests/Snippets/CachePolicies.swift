import Foundation
import FutureImage
import FutureImageCache
import Testing

// NSCache may be used on any thread, but the compiler does not know this.
nonisolated(unsafe) let badges = NSCache<NSString, UIImage>()

enum CachePoliciesSnippets {
  static func choose(_ url: URL, _ id: Int, _ file: URL) -> [FutureImage] {
    let inFeed = FutureImage(at: url)
    let secret = FutureImage(at: url, cachePolicy: .modelOnly)
    let avatar = FutureImage(at: url, cachePolicy: .toDisk(path: "avatars/\(id).jpg"))
    let badge = FutureImage(at: url, cachePolicy: .using(cache: badges, key: "badge-\(id)"))
    let both = FutureImage(at: url, cachePolicy: .using(cache: badges, key: "badge-\(id)", path: file))
    let offline = FutureImage(at: url, cachePolicy: .automatic.onlyFromCache)
    return [inFeed, secret, avatar, badge, both, offline]
  }

  static func limited() -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration()
    configuration.maxPixelBytes = 64 << 20
    configuration.diskCache = FutureImage.DiskCache(maxBytes: 128 << 20, maxAge: .seconds(7 * 86_400))
    let loader = FutureImage.Loader(configuration)
    return loader
  }

  static func shared() throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = try FutureImage.DiskCache(appGroup: "group.com.example.shop", maxBytes: 128 << 20)
    try FutureImage.Loader.configureShared(configuration)
  }

  struct Settings {
    let loader: FutureImage.Loader

    func sizes() async -> (pixels: Int, files: Int) {
      (loader.pixelBytes, await FutureImage.DiskCache.standard.totalBytes())
    }

    func clear() async throws {
      loader.removeCachedPixels()
      try await FutureImage.DiskCache.standard.removeAll()
    }
  }

  struct Headline: Codable, Sendable {
    let text: String
  }

  static func feed(_ url: URL) async throws {
    let feeds = Cache<[Headline]>(named: "feeds", as: .json)
    let headlines = try await feeds.value(from: url)
    feeds.set(headlines, forKey: "front page")
  }

  static func teaser(_ url: URL) async throws -> String {
    let teaser = Cache<String>.Variant("teaser", .init(memoryBytes: 1 << 20)) { String($0.prefix(80)) }
    let articles = Cache<String>(named: "articles", as: .string, variants: [teaser])
    let short = try await articles.value(from: url, as: teaser)
    return short
  }
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CachePoliciesPage {
  @Test func `the default limits of the caches are the limits in the table of the page about cache policies`() {
    let configuration = FutureImage.Loader.Configuration()
    #expect(configuration.maxPixelBytes == Int(min(512 << 20, ProcessInfo.processInfo.physicalMemory / 8)))
    #expect(configuration.diskCache?.maxBytes == 256 << 20 && configuration.diskCache?.maxAge == .seconds(30 * 86_400))
    let capacity = CacheCapacity()
    #expect(capacity.memoryBytes == 32 << 20 && capacity.diskBytes == 128 << 20 && capacity.diskAge == .seconds(30 * 86_400))
  }
}
