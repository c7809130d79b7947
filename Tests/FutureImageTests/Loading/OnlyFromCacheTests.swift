import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Futures that look in the caches and never request their source.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct OnlyFromCacheTests {
  private let time = SettableDate()
  private let disk = FutureImage.DiskCache.temporary()

  /// Returns a fixture that is like a relaunched app, in which only the disk cache has images.
  private func fixture() -> LoaderFixture {
    LoaderFixture(disk: disk) { [time] configuration in
      configuration.retry = .never
      configuration.now = { time.now }
    }
  }

  /// Returns a cache-only future.
  private func cached(_ fixture: LoaderFixture, _ policy: FutureImage.CachePolicy = .automatic) -> FutureImage {
    fixture.future(policy: policy.onlyFromCache)
  }

  /// Stores the image on disk, as an earlier run of the app does.
  private func storeOnDisk(_ headers: [String: String] = [:]) async {
    let fixture = fixture()
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(640, 480), headers: headers)
    withExtendedLifetime(future) {}
  }

  /// Returns the reason of the failure that the future's value throws, or nil if the value is an image.
  private func reason(_ future: FutureImage) async -> FutureImage.Failure.Reason? {
    do {
      _ = try await future.value
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `a cache-only future fails without a request if no cache has the image`() async {
    let fixture = fixture()
    for policy in [FutureImage.CachePolicy.automatic, .modelOnly, .toDisk(path: Scratch.folder().appendingPathComponent("a"))] {
      let future = cached(fixture, policy)
      #expect(await reason(future) == .notCached)
      #expect(future.failure?.isTransient == false)
      #expect(future.failure?.key == future.key)
    }
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.isEmpty)
    #expect(fixture.loader.statistics.failures == 0)
  }

  @Test func `a cache-only future reads no source file and calls no closure`() async throws {
    let fixture = fixture()
    let file = Scratch.folder().appendingPathComponent("a.jpg")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try SampleImage.jpeg().write(to: file)
    let calls = Lock(0)
    let sources: [FutureImage.Source] = [
      .file(file),
      .data(key: "drawn") {
        calls.withLock { $0 += 1 }
        return SampleImage.jpeg()
      },
      .sized(key: "made") { _ in
        calls.withLock { $0 += 1 }
        return .bytes(SampleImage.jpeg())
      }
    ]
    for source in sources {
      let future = FutureImage(source, cachePolicy: .automatic.onlyFromCache, loader: fixture.loader)
      #expect(await reason(future) == .notCached)
    }
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func `a cache-only future gets images from disk and from memory`() async throws {
    await storeOnDisk()
    let fixture = fixture()
    let first = cached(fixture)
    #expect(try await first.value.cgImage?.width == 640)
    let second = cached(fixture)
    #expect(try await second.value.cgImage?.width == 640)
    #expect(fixture.loader.statistics.poolHits > 0)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `a cache-only future gets a stale image without a revalidation`() async throws {
    await storeOnDisk(["etag": "\"1\"", "cache-control": "max-age=60"])
    time.advance(seconds: 61)
    let fixture = fixture()
    #expect(try await cached(fixture).value.cgImage?.width == 640)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `a cache-only future does not get an image that must be revalidated first`() async throws {
    await storeOnDisk(["etag": "\"1\"", "cache-control": "no-cache"])
    let fixture = fixture()
    #expect(await reason(cached(fixture)) == .notCached)
    #expect(await reason(cached(fixture)) == .notCached)
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `a cache-only future gets the image that another future fetches, but does not keep the transfer running`() async throws {
    let fixture = fixture()
    var other: FutureImage? = fixture.future()
    await fixture.held.waitForHeld()
    let future = cached(fixture)
    #expect(await reason(future) == .notCached)
    await fixture.serve()
    #expect(try await future.value.cgImage?.width == 1200)

    other = fixture.future("b")
    let second = FutureImage(.url(LoaderFixture.url("b")), cachePolicy: .automatic.onlyFromCache, loader: fixture.loader)
    await fixture.held.waitForHeld()
    withExtendedLifetime(other) {}
    other = nil
    await fixture.held.waitForCancellations()
    #expect(await reason(second) == .notCached)
  }

  @Test func `awaiting or reloading a cache-only future looks in the caches again`() async throws {
    let fixture = fixture()
    let futures = [cached(fixture), cached(fixture)]
    for future in futures { #expect(await reason(future) == .notCached) }
    await storeOnDisk()
    futures[0].reload()
    await fixture.loader.waitForIdle()
    #expect(futures[0].failure == nil)
    #expect(try await futures[1].value.cgImage?.width == 640)
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `awaiting a failed cache-only future finds an image that the app has cached after the failure`()
    async throws
  {
    let (fixture, cache) = (fixture(), NSCache<NSString, UIImage>())
    let future = cached(fixture, .using(cache: cache, key: "k"))
    #expect(await reason(future) == .notCached)
    let image = SampleImage.image(64, 48)
    cache.setObject(image, forKey: "k")
    #expect(try await future.value.cgImage?.width == 64)
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `a cache-only future does not call the closure that creates pixels, even if the size is known`() async throws {
    let (fixture, renditions) = (fixture(), RenditionSource())
    let other = FutureImage(renditions.source(), loader: fixture.loader)
    _ = try await other.value(fitting: .square(160))
    let calls = renditions.asked.count
    let future = FutureImage(renditions.source(), cachePolicy: .automatic.onlyFromCache, loader: fixture.loader)
    #expect(await reason(future) == .notCached)
    #expect(renditions.asked.count == calls)
    // Pixels in memory count as cached. The other future has requested an image of 160 × 160 pixels, and has an image with a width of 300
    // pixels, because the image at the next smaller decode step has a width of only 150 pixels.
    #expect(try await future.value(fitting: .square(100)).cgImage?.width == 300)
    withExtendedLifetime(other) {}
  }

  @MainActor @Test func `a reload of a cache-only future leaves the image in place and makes no request`() async throws {
    let bytes = SampleImage.jpeg(640, 480)
    let fixture = fixture()
    let first = fixture.future(policy: .modelOnly)
    await fixture.serve("a", bytes)
    let future = cached(fixture, .modelOnly)
    let view = imageView(64)
    view.futureImage = future
    await fixture.loader.waitForIdle()
    let before = view.image
    future.reload()
    await fixture.loader.waitForIdle()
    #expect(view.image === before)
    #expect(future.failure == nil)
    #expect(try await future.value.cgImage?.width == 640)
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(first) {}
  }

  @MainActor @Test func `the failure image of a cache-only future is shown until the image is cached and the view is bound again`() async {
    let fixture = fixture()
    let view = imageView(64)
    let future = cached(fixture)
    view.display(future, .init(failureImage: SampleImage.image(30, 30)))
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 30)
    await storeOnDisk()
    view.futureImage = future
    await fixture.loader.waitForIdle()
    // The cached image is decoded at an eighth of its width of 640 pixels, because the view needs a width of only 64 pixels.
    #expect(view.image?.cgImage?.width == 80)
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `retryFailed looks in the caches again for the image of a cache-only future`() async throws {
    let fixture = fixture()
    let future = cached(fixture)
    #expect(await reason(future) == .notCached)
    await storeOnDisk()
    fixture.loader.retryFailed()
    await fixture.loader.waitForIdle()
    #expect(future.failure == nil)
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `onlyFromCache makes a policy request no source, and outlivesModel of the model-only policy stays false`() {
    #expect(!FutureImage.CachePolicy.automatic.onlyFromCache.asksSource)
    #expect(FutureImage.CachePolicy.automatic.asksSource)
    #expect(FutureImage.CachePolicy.modelOnly.onlyFromCache.outlivesModel == false)
  }
}
