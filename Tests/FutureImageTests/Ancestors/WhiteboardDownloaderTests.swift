import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// Tests the rows of the table of the same name in Ancestors.md, in the table's order.
@Suite("Whiteboard downloader", .tags(.threads), .timeLimit(.minutes(5))) struct WhiteboardDownloaderTests {
  private let shop = Shop()

  /// A disk tier that returns one image for every key, and records the keys.
  private final class MockCache: FutureImage.DiskTier {
    let body: Data
    let asked = Kept<String>()

    init(_ body: Data) { self.body = body }

    func entry(forKey key: String) async throws -> FutureImage.CacheEntry? {
      asked.value = key
      return FutureImage.CacheEntry(body: body)
    }

    func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws {}
    func remove(forKey key: String) async throws {}
  }

  @Test func `cache protocol mocked in a test`() async throws {
    let mock = MockCache(Colour.red.jpeg())
    let photo = FutureImage(at: Shop.url(), cachePolicy: .tiers(disk: mock), loader: shop.loader)
    #expect(Colour.red.isNearly(try await photo.value.colour))
    #expect(mock.asked.value == photo.key)
    #expect(shop.held.requests.isEmpty)
  }

  @MainActor @Test func `view helper with callback`() async {
    let (view, photo) = (imageView(64), shop.future())
    var ready: [UIImage] = []
    view.display(photo, .init { phase in if case .ready(let image) = phase { ready.append(image) } })
    #expect(ready.isEmpty)
    await shop.serve("a", Colour.red.jpeg())
    #expect(ready.count == 1)
    #expect(ready.first === view.image)
    #expect(Colour.red.isNearly(view.image?.colour))
  }

  @Test func `number of concurrent tasks`() async {
    let fetcher = CountingFetcher(shop.held)
    let shop = Shop { configuration in
      configuration.fetcher = fetcher
      configuration.maxTransfersPerHost = 3
    }
    let photos = (0..<12).map { shop.future("\($0)") }
    for _ in 0..<4 {
      await self.shop.held.waitForHeld(3)
      self.shop.held.resolve(with: Colour.red.jpeg())
    }
    await shop.loader.waitUntilSettled()
    #expect(fetcher.most == 3)
    withExtendedLifetime(photos) {}
  }

  @Test func `durable storage`() async throws {
    let file = Scratch.folder().appendingPathComponent("boards/1.jpg")
    let body = Colour.red.jpeg()
    let photo = FutureImage(at: Shop.url(), cachePolicy: .toDisk(path: file), loader: shop.loader)
    await shop.serve("a", body)
    #expect(try Data(contentsOf: file) == body)
    let nextRun = Shop()
    let again = FutureImage(at: Shop.url(), cachePolicy: .toDisk(path: file), loader: nextRun.loader)
    #expect(Colour.red.isNearly(try await again.value.colour))
    #expect(nextRun.held.requests.isEmpty)
    withExtendedLifetime(photo) {}
  }
}
