import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// Tests the rows of the table of the same name in Ancestors.md, in the table's order.
@Suite("LRU image manager", .tags(.threads), .timeLimit(.minutes(5))) struct LRUImageManagerTests {
  private let fixture = LoaderFixture { $0.retry = .never }

  @Test func `several callers get the progress of one fetch`() async throws {
    let (photo, same) = (fixture.future(), fixture.future())
    let progresses = [photo.progress, same.progress]
    await fixture.held.waitForHeld()
    let body = SampleImage.noise(400, 300)
    fixture.held.begin(with: body.prefix(body.count / 2), of: body.count)
    for future in [photo, same] {
      for await phase in future.phases() { if case .loading(.some) = phase { break } }
    }
    for progress in progresses {
      // The phase can change a moment before the progress changes.
      await waitWhile(progress.fractionCompleted == 0)
      #expect((0.4...0.6).contains(progress.fractionCompleted))
    }
    fixture.held.finish(with: body.suffix(from: body.count / 2))
    await fixture.loader.waitForIdle()
    for progress in progresses { #expect(progress.fractionCompleted == 1) }
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `several callers get the image of one fetch`() async throws {
    let (photo, same) = (fixture.future(), fixture.future())
    async let first = photo.value
    async let second = same.value
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: TestColor.red.jpeg())
    for image in try await [first, second] { #expect(TestColor.red.isNearly(image.color)) }
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `several callers get the failure of one fetch`() async {
    let (photo, same) = (fixture.future(), fixture.future())
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .status(404))
    await fixture.loader.waitForIdle()
    for future in [photo, same] {
      let failure = await #expect(throws: FutureImage.Failure.self) { try await future.value }
      #expect(failure?.reason == .status(404))
    }
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `canceling one caller does not cancel the fetch for other callers`() async throws {
    let (photo, same) = (fixture.future(), fixture.future())
    await fixture.held.waitForHeld()
    photo.cancel()
    fixture.held.resolve(with: TestColor.red.jpeg())
    #expect(TestColor.red.isNearly(try await same.value.color))
    await fixture.loader.waitForIdle()
    #expect(fixture.held.cancelledCount == 0)
    guard case .failed(let failure) = photo.phase else {
      Issue.record("\(photo.phase)")
      return
    }
    #expect(failure.reason == .cancelled)
  }

  /// A memory tier with one image for all keys.
  private final class Shelf: FutureImage.MemoryTier {
    let kept = LockedValue<UIImage>()
    func image(forKey key: String) -> UIImage? { kept.value }
    func store(_ image: UIImage, forKey key: String) { kept.value = image }
    func remove(forKey key: String) { kept.value = nil }
  }

  @Test func `an app's own type can be the memory cache`() async throws {
    let shelf = Shelf()
    let photo = FutureImage(at: LoaderFixture.url(), cachePolicy: .tiers(memory: shelf), loader: fixture.loader)
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: TestColor.red.jpeg())
    _ = try await photo.value
    #expect(TestColor.red.isNearly(shelf.kept.value?.color))
    let elsewhere = LoaderFixture()
    let again = FutureImage(at: LoaderFixture.url(), cachePolicy: .tiers(memory: shelf), loader: elsewhere.loader)
    #expect(TestColor.red.isNearly(try await again.value.color))
    #expect(elsewhere.held.requests.isEmpty)
  }

  @Test func `the disk cache stores its files in the directory that the app chooses`() async throws {
    let folder = Scratch.folder()
    let fixture = LoaderFixture { $0.diskCache = FutureImage.DiskCache(directory: folder) }
    let photo = fixture.future()
    await fixture.serve()
    // The file of the entry, and the subfolder that contains the file.
    #expect(FileManager.default.subpaths(atPath: folder.path)?.count == 2)
    withExtendedLifetime(photo) {}
  }

  @Test func `an entry that is unused for longer than the maximum age is not found`() async throws {
    let (folder, now) = (Scratch.folder(), SettableDate())
    let cache = FutureImage.DiskCache(directory: folder, maxAge: .seconds(7 * 86_400), now: { now.now })
    try await cache.store(FutureImage.CacheEntry(body: Data([1])), forKey: "a")
    now.advance(hours: 6 * 24)
    #expect(try await cache.entry(forKey: "a")?.body == Data([1]))
    now.advance(hours: 8 * 24)
    #expect(try await cache.entry(forKey: "a") == nil)
  }

  @Test func `clean removes expired entries, and removeAll removes all entries`() async throws {
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
