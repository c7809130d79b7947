import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// Tests the rows of the table of the same name in Ancestors.md, in the table's order.
@Suite("LRU image manager", .tags(.threads), .timeLimit(.minutes(5))) struct LRUImageManagerTests {
  private let shop = Shop { $0.retry = .never }

  @Test func `progress of one fetch for several callers`() async throws {
    let (photo, same) = (shop.future(), shop.future())
    let progresses = [photo.progress, same.progress]
    await shop.held.waitForHeld()
    let body = Picture.noise(400, 300)
    shop.held.begin(with: body.prefix(body.count / 2), of: body.count)
    for future in [photo, same] {
      for await phase in future.phases { if case .loading(.some) = phase { break } }
    }
    for progress in progresses {
      // The phase can change a moment before the progress does.
      await waitWhile(progress.fractionCompleted == 0)
      #expect((0.4...0.6).contains(progress.fractionCompleted))
    }
    shop.held.finish(with: body.suffix(from: body.count / 2))
    await shop.loader.waitUntilSettled()
    for progress in progresses { #expect(progress.fractionCompleted == 1) }
    #expect(shop.held.requests.count == 1)
  }

  @Test func `success of one fetch for several callers`() async throws {
    let (photo, same) = (shop.future(), shop.future())
    async let first = photo.value
    async let second = same.value
    await shop.held.waitForHeld()
    shop.held.resolve(with: Colour.red.jpeg())
    for picture in try await [first, second] { #expect(Colour.red.isNearly(picture.colour)) }
    #expect(shop.held.requests.count == 1)
  }

  @Test func `failure of one fetch for several callers`() async {
    let (photo, same) = (shop.future(), shop.future())
    await shop.held.waitForHeld()
    shop.held.fail(nil, .status(404))
    await shop.loader.waitUntilSettled()
    for future in [photo, same] {
      let failure = await #expect(throws: FutureImage.Failure.self) { try await future.value }
      #expect(failure?.reason == .status(404))
    }
    #expect(shop.held.requests.count == 1)
  }

  @Test func `cancel of one of them`() async throws {
    let (photo, same) = (shop.future(), shop.future())
    await shop.held.waitForHeld()
    photo.cancel()
    shop.held.resolve(with: Colour.red.jpeg())
    #expect(Colour.red.isNearly(try await same.value.colour))
    await shop.loader.waitUntilSettled()
    #expect(shop.held.cancelledCount == 0)
    guard case .failed(let failure) = photo.phase else {
      Issue.record("\(photo.phase)")
      return
    }
    #expect(failure.reason == .cancelled)
  }

  /// A memory tier with one image for all keys.
  private final class Shelf: FutureImage.MemoryTier {
    let kept = Kept<UIImage>()
    func image(forKey key: String) -> UIImage? { kept.value }
    func store(_ image: UIImage, forKey key: String) { kept.value = image }
    func remove(forKey key: String) { kept.value = nil }
  }

  @Test func `cache by protocol`() async throws {
    let shelf = Shelf()
    let photo = FutureImage(at: Shop.url(), cachePolicy: .tiers(memory: shelf), loader: shop.loader)
    await shop.held.waitForHeld()
    shop.held.resolve(with: Colour.red.jpeg())
    _ = try await photo.value
    #expect(Colour.red.isNearly(shelf.kept.value?.colour))
    let elsewhere = Shop()
    let again = FutureImage(at: Shop.url(), cachePolicy: .tiers(memory: shelf), loader: elsewhere.loader)
    #expect(Colour.red.isNearly(try await again.value.colour))
    #expect(elsewhere.held.requests.isEmpty)
  }

  @Test func `directory of the disk cache`() async throws {
    let folder = Scratch.folder()
    let shop = Shop { $0.diskCache = FutureImage.DiskCache(directory: folder) }
    let photo = shop.future()
    await shop.serve()
    #expect(FileManager.default.subpaths(atPath: folder.path)?.count == 2)
    withExtendedLifetime(photo) {}
  }

  @Test func `maximum age`() async throws {
    let (folder, now) = (Scratch.folder(), SettableDate())
    let cache = FutureImage.DiskCache(directory: folder, maxAge: .seconds(7 * 86_400), now: { now.now })
    try await cache.store(FutureImage.CacheEntry(body: Data([1])), forKey: "a")
    now.advance(hours: 6 * 24)
    #expect(try await cache.entry(forKey: "a")?.body == Data([1]))
    now.advance(hours: 8 * 24)
    #expect(try await cache.entry(forKey: "a") == nil)
  }

  @Test func `clean`() async throws {
    let (folder, now) = (Scratch.folder(), SettableDate())
    let cache = FutureImage.DiskCache(directory: folder, maxAge: .seconds(7 * 86_400), now: { now.now })
    _ = await cache.totalBytes()
    try await cache.store(FutureImage.CacheEntry(body: Data([1])), forKey: "old")
    now.advance(hours: 5 * 24)
    try await cache.store(FutureImage.CacheEntry(body: Data([1])), forKey: "new")
    now.advance(hours: 5 * 24)
    try await cache.clean()
    #expect(await cache.count() == 1)
    try await cache.removeAll()
    #expect(await cache.count() == 0)
  }
}
