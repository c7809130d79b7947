import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// Tests the rows of the table of the same name in Ancestors.md, in the table's order.
@Suite("Whiteboard downloader", .tags(.threads), .timeLimit(.minutes(5))) struct WhiteboardDownloaderTests {
  private let fixture = LoaderFixture()

  /// A disk tier that returns one image for every key, and records the latest key.
  private final class MockCache: FutureImage.DiskTier {
    let body: Data
    let asked = LockedValue<String>()

    init(_ body: Data) { self.body = body }

    func entry(forKey key: String) async throws -> FutureImage.CacheEntry? {
      asked.value = key
      return FutureImage.CacheEntry(body: body)
    }

    func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws {}
    func remove(forKey key: String) async throws {}
  }

  @Test func `a test can use a mock as the disk cache`() async throws {
    let mock = MockCache(TestColor.red.jpeg())
    let photo = FutureImage(at: LoaderFixture.url(), cachePolicy: .tiers(disk: mock), loader: fixture.loader)
    #expect(TestColor.red.isNearly(try await photo.value.color))
    #expect(mock.asked.value == photo.key)
    #expect(fixture.held.requests.isEmpty)
  }

  @MainActor @Test func `a callback gets the image that the view shows`() async {
    let (view, photo) = (imageView(64), fixture.future())
    var ready: [UIImage] = []
    view.display(photo, .init { phase in if case .ready(let image) = phase { ready.append(image) } })
    #expect(ready.isEmpty)
    await fixture.serve("a", TestColor.red.jpeg())
    #expect(ready.count == 1)
    #expect(ready.first === view.image)
    #expect(TestColor.red.isNearly(view.image?.color))
  }

  @Test func `the app can limit the concurrent transfers of a host`() async {
    let fetcher = CountingFetcher(fixture.held)
    let fixture = LoaderFixture { configuration in
      configuration.fetcher = fetcher
      configuration.maxTransfersPerHost = 3
    }
    let photos = (0..<12).map { fixture.future("\($0)") }
    for _ in 0..<4 {
      await self.fixture.held.waitForHeld(3)
      self.fixture.held.resolve(with: TestColor.red.jpeg())
    }
    await fixture.loader.waitForIdle()
    #expect(fetcher.most == 3)
    withExtendedLifetime(photos) {}
  }

  @Test func `an image is stored in a file, and a later run of the program reads the file`() async throws {
    let file = Scratch.folder().appendingPathComponent("boards/1.jpg")
    let body = TestColor.red.jpeg()
    let photo = FutureImage(at: LoaderFixture.url(), cachePolicy: .toDisk(path: file), loader: fixture.loader)
    await fixture.serve("a", body)
    #expect(try Data(contentsOf: file) == body)
    let nextRun = LoaderFixture()
    let again = FutureImage(at: LoaderFixture.url(), cachePolicy: .toDisk(path: file), loader: nextRun.loader)
    #expect(TestColor.red.isNearly(try await again.value.color))
    #expect(nextRun.held.requests.isEmpty)
    withExtendedLifetime(photo) {}
  }
}
