import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CachePolicyTests {
  let fixture = LoaderFixture()
  let folder = Scratch.folder()

  @Test func `only the automatic policy reports that it is automatic`() {
    let cache = NSCache<NSString, UIImage>()
    #expect(FutureImage.CachePolicy.automatic.isAutomatic)
    let others: [FutureImage.CachePolicy] = [
      .modelOnly, .toDisk(path: folder.appending(path: "a")), .using(cache: cache, key: "a"), .tiers()
    ]
    #expect(others.allSatisfy { !$0.isAutomatic })
    #expect(!FutureImage.CachePolicy.automatic.onlyFromCache.isAutomatic)
  }

  @Test func `pixels outlive the model unless the policy is model-only`() {
    #expect(FutureImage.CachePolicy.tiers().outlivesModel)
    #expect(FutureImage.CachePolicy.using(cache: NSCache(), key: "a", path: folder.appending(path: "a")).outlivesModel)
    #expect(!FutureImage.CachePolicy.modelOnly.outlivesModel)
  }

  @Test func `an image in an NSCache makes a future ready at once, without a request`() {
    let cache = NSCache<NSString, UIImage>()
    let storedImage = SampleImage.image()
    cache.setObject(storedImage, forKey: "a")
    let future = fixture.future(policy: .using(cache: cache, key: "a"))
    guard case .ready(let image) = future.phase else { return #expect(Bool(false), "\(future.phase)") }
    #expect(image === storedImage)
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `an NSCache receives the largest decode of an image, and a smaller decode does not replace it`() async throws {
    let cache = NSCache<NSString, UIImage>()
    let future = fixture.future(policy: .using(cache: cache, key: "a"))
    await fixture.serve()
    _ = try await future.value(fitting: .fit(width: 150, height: 150))
    #expect(cache.object(forKey: "a")?.cgImage?.width == 150)
    _ = try await future.value
    #expect(cache.object(forKey: "a")?.cgImage?.width == 1200)
    _ = try await future.value(fitting: .fit(width: 150, height: 150))
    #expect(cache.object(forKey: "a")?.cgImage?.width == 1200)
  }

  @MainActor @Test func `a reduced image in an NSCache is shown at once, and then a larger image replaces it`() async throws {
    let cache = NSCache<NSString, UIImage>()
    let first = fixture.future(policy: .using(cache: cache, key: "a"))
    await fixture.serve()
    _ = try await first.value(fitting: .fit(width: 150, height: 150))
    let other = LoaderFixture()
    let future = other.future(policy: .using(cache: cache, key: "a"))
    let view = imageView(1200)
    view.futureImage = future
    #expect(view.image?.cgImage?.width == 150)
    #expect(view.futureImage === future)
    await other.serve()
    #expect(view.image?.cgImage?.width == 1200)
  }

  @Test func `a future does not retain its policy's NSCache, and loads after the NSCache is released`() async throws {
    var cache: NSCache<NSString, UIImage>? = NSCache()
    weak let remembered = cache
    let future = try fixture.future(policy: .using(cache: #require(cache), key: "a"))
    cache = nil
    #expect(remembered == nil)
    await fixture.serve()
    _ = try await future.value
  }

  @Test func `a policy with a path stores the body unchanged, and the next future reads it without a request`() async throws {
    let path = folder.appendingPathComponent("deep/er/a.jpg")
    let picture = SampleImage.noise(100, 80)
    let first = fixture.future(policy: .toDisk(path: path))
    await fixture.serve("a", picture)
    #expect(try Data(contentsOf: path) == picture)
    let other = LoaderFixture()
    let second = other.future(policy: .toDisk(path: path))
    // No code awaits the value yet, so the loader does not retain the bytes, and `value` below reads the file once more.
    await other.loader.waitForIdle()
    #expect(other.loader.statistics.diskHits == 1)
    _ = try await second.value
    #expect(other.held.requests.isEmpty)
    withExtendedLifetime(first) {}
  }

  @Test(arguments: ["../../escape.jpg", "/etc/escape.jpg", "a/../../b.jpg", ""])
  func `a path outside the caches directory causes a reported fault, but the image still loads`(_ path: String) async throws {
    let future = fixture.future(policy: .toDisk(path: path))
    async let value = future.value
    await waitWhile(future.waiterCount == 0)
    await fixture.serve()
    _ = try await value
    #expect(fixture.held.requests.count == 1)
    #expect(fixture.loader.statistics.cacheFaults > 0)
    #expect(fixture.loader.statistics.lastCacheFault?.isEmpty == false)
  }

  @Test func `a file that is not an image is fetched again and replaced`() async throws {
    let path = folder.appendingPathComponent("a.jpg")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("not an image".utf8).write(to: path)
    let picture = SampleImage.jpeg()
    let future = fixture.future(policy: .toDisk(path: path))
    await fixture.serve("a", picture)
    _ = try await future.value
    #expect(try Data(contentsOf: path) == picture)
  }

  @Test func `a file with a truncated image is fetched again and replaced`() async throws {
    let path = folder.appendingPathComponent("a.jpg")
    let picture = SampleImage.noise(200, 150)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try picture.prefix(picture.count / 2).write(to: path)
    let future = fixture.future(policy: .toDisk(path: path))
    async let value = future.value
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: picture)
    _ = try await value
    await fixture.loader.waitForIdle()
    #expect(try Data(contentsOf: path) == picture)
  }

  @Test func `futures of one key with different policies share one transfer, and each tier stores the image`() async throws {
    let (here, there) = (folder.appendingPathComponent("here.jpg"), folder.appendingPathComponent("there.jpg"))
    let cache = NSCache<NSString, UIImage>()
    let picture = SampleImage.jpeg()
    let futures = [
      fixture.future(policy: .toDisk(path: here)), fixture.future(policy: .toDisk(path: there)),
      fixture.future(policy: .using(cache: cache, key: "a"))
    ]
    await waitWhile(fixture.loader.statistics.joined < 2)
    await fixture.serve("a", picture)
    for future in futures { _ = try await future.value }
    #expect(fixture.held.requests.count == 1)
    #expect(try Data(contentsOf: here) == picture)
    #expect(try Data(contentsOf: there) == picture)
    #expect(cache.object(forKey: "a") != nil)
  }

  @Test func `if two futures with the same key have different tiers, each future reads its own tier`() async throws {
    let (empty, full) = (HeldTier(), HeldTier(SampleImage.jpeg(600, 450)))
    let first = fixture.future(policy: .tiers(disk: empty))
    await fixture.held.waitForRequests()
    full.holdReads()
    let second = fixture.future(policy: .tiers(disk: full))
    async let value = second.value
    // Without this wait, the bytes could arrive and be released before pixels are requested.
    await waitWhile(second.waiterCount == 0)
    full.release()
    #expect(try await value.size.width == 600)
    #expect(empty.reads == 1)
    #expect(full.reads == 1)
    #expect(fixture.held.requests.count == 1)
    await fixture.serve()
    #expect(empty.stores == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `a future gets its image at once from the memory tier, and from the file if that tier is empty`() async throws {
    let (cache, path) = (NSCache<NSString, UIImage>(), folder.appendingPathComponent("both.jpg"))
    let policy = FutureImage.CachePolicy.using(cache: cache, key: "a", path: path)
    let first = fixture.future(policy: policy)
    await fixture.serve()
    let image = try await first.value
    let (second, third) = (LoaderFixture(), LoaderFixture())
    guard case .ready(image) = second.future(policy: policy).phase else { return #expect(Bool(false), "the image was not ready at once") }
    #expect(second.loader.statistics.diskHits == 0)
    cache.removeAllObjects()
    let last = third.future(policy: policy)
    await third.loader.waitForIdle()
    #expect(third.loader.statistics.diskHits == 1)
    _ = try await last.value
    #expect(third.held.requests.isEmpty)
    #expect(cache.object(forKey: "a") != nil)
  }

  @Test func `a directory at a policy's path, or a file above the path, is not changed, and the image still loads`() async throws {
    let (directory, file) = (folder.appendingPathComponent("directory"), folder.appendingPathComponent("file"))
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: file)
    for path in [directory, file.appendingPathComponent("a.jpg")] {
      let fixture = LoaderFixture()
      let future = fixture.future(policy: .toDisk(path: path))
      await fixture.serve()
      _ = try await future.value
      #expect(fixture.loader.statistics.cacheFaults > 0)
      await fixture.forgetPixels(of: future)
      // No tier has the bytes, so the future retains them.
      _ = try await future.value
      #expect(fixture.held.requests.count == 1)
    }
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    FaultTable.note("a policy's path is a directory, or lies beneath a file", "reported, not changed, image shown, future retains bytes")
  }

  @Test func `the automatic policy stores entries in the loader's disk cache, where another loader finds them`() async throws {
    let disk = FutureImage.DiskCache.temporary()
    let (first, second) = (LoaderFixture(disk: disk), LoaderFixture(disk: disk))
    let future = first.future()
    await first.serve()
    _ = try await second.future().value
    #expect(second.held.requests.isEmpty)
    withExtendedLifetime(future) {}
  }

  @Test func `a model-only future stores its image only in the model, and fetches the image only once`() async throws {
    let disk = FutureImage.DiskCache.temporary()
    let fixture = LoaderFixture(disk: disk)
    do {
      let future = fixture.future(policy: .modelOnly)
      await fixture.serve()
      _ = try await future.value
      await fixture.forgetPixels(of: future)
      _ = try await future.value
      #expect(fixture.held.requests.count == 1)
      #expect(fixture.loader.pixelBytes > 0)
      #expect(try await disk.entry(forKey: future.key) == nil)
    }
    await fixture.loader.waitForIdle()
    // The thread that decoded the image may retain the future a moment longer.
    await waitWhile(fixture.loader.pixelBytes > 0)
  }

  @Test func `a future uses the bytes of another model-only future of the same key`() async {
    let cell = await imageView(150)
    let first = fixture.future(policy: .modelOnly)
    await MainActor.run { cell.futureImage = first }
    await fixture.serve()
    let detail = await imageView(1200)
    let second = fixture.future(policy: .modelOnly)
    await MainActor.run { detail.futureImage = second }
    await fixture.loader.waitForIdle()
    await #expect(detail.image?.cgImage?.width == 1200)
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `an image is in the memory tier before its waiters are resumed`() async {
    let memory = HeldMemory()
    let future = fixture.future(policy: .tiers(memory: memory))
    let found = Lock<[Bool]>([])
    future.wait(.full) { _ in found.withLock { $0.append(memory.image(forKey: "") != nil) } }
    await fixture.serve()
    #expect(found.withLock { $0 } == [true])
  }

  @Test func `an NSCache receives an image that its future found in the pool`() async throws {
    let cache = NSCache<NSString, UIImage>()
    let first = fixture.future()
    await fixture.serve()
    let image = try await first.value
    let second = fixture.future(policy: .using(cache: cache, key: "a"))
    #expect(cache.object(forKey: "a") === image)
    withExtendedLifetime(second) {}
  }

  @Test func `a policy can store an image in both an NSCache and a file, or in neither of them`() async throws {
    let cache = NSCache<NSString, UIImage>()
    let path = folder.appendingPathComponent("both.jpg")
    let future = fixture.future(policy: .using(cache: cache, key: "a", path: path))
    await fixture.serve()
    _ = try await future.value
    #expect(cache.object(forKey: "a") != nil)
    #expect(FileManager.default.fileExists(atPath: path.path))
    let none = fixture.future("none", policy: .tiers())
    await fixture.held.waitForRequests(2)
    await fixture.serve("none")
    _ = try await none.value
  }

  @Test func `an app's own dictionary can serve as a memory tier and a disk tier`() async throws {
    final class Shelf: FutureImage.MemoryTier, FutureImage.DiskTier {
      let pictures = Lock<[String: UIImage]>([:])
      let entries = Lock<[String: FutureImage.CacheEntry]>([:])
      func image(forKey key: String) -> UIImage? { pictures.withLock { $0[key] } }
      func store(_ image: UIImage, forKey key: String) { pictures.withLock { $0[key] = image } }
      func remove(forKey key: String) { pictures.withLock { $0[key] = nil } }
      func entry(forKey key: String) async throws -> FutureImage.CacheEntry? { entries.withLock { $0[key] } }
      func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws { entries.withLock { $0[key] = entry } }
      func remove(forKey key: String) async throws { entries.withLock { $0[key] = nil } }
    }
    let shelf = Shelf()
    let future = fixture.future(policy: .tiers(memory: shelf, disk: shelf))
    await fixture.serve()
    _ = try await future.value
    #expect(shelf.pictures.withLock { $0.count } == 1)
    #expect(shelf.entries.withLock { $0.count } == 1)
  }
}
