import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Futures that look in the caches and never request their source.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct OnlyFromCacheTests {
  private let time = SettableDate()
  private let disk = FutureImage.DiskCache.temporary()

  /// Returns a shop as after a relaunch of the app, when only the disk cache has images.
  private func shop() -> Shop {
    Shop(disk: disk) { [time] configuration in
      configuration.retry = .never
      configuration.now = { time.now }
    }
  }

  private func cached(_ shop: Shop, _ policy: FutureImage.CachePolicy = .automatic) -> FutureImage {
    shop.future(policy: policy.onlyFromCache)
  }

  /// Stores the image on disk.
  private func visit(_ headers: [String: String] = [:]) async {
    let shop = shop()
    let future = shop.future()
    await shop.serve("a", Picture.jpeg(640, 480), headers: headers)
    withExtendedLifetime(future) {}
  }

  private func reason(_ future: FutureImage) async -> FutureImage.Failure.Reason? {
    do {
      _ = try await future.value
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `an image that no cache has fails without a request`() async {
    let shop = shop()
    for policy in [FutureImage.CachePolicy.automatic, .modelOnly, .toDisk(path: Scratch.folder().appendingPathComponent("a"))] {
      let future = cached(shop, policy)
      #expect(await reason(future) == .notCached)
      #expect(future.failure?.isTransient == false)
      #expect(future.failure?.source == future.key)
    }
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.isEmpty)
    #expect(shop.loader.statistics.failures == 0)
  }

  @Test func `no file is read and no closure is called`() async throws {
    let shop = shop()
    let file = Scratch.folder().appendingPathComponent("a.jpg")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Picture.jpeg().write(to: file)
    let calls = Lock(0)
    let sources: [FutureImage.Source] = [
      .file(file),
      .data(key: "drawn") {
        calls.withLock { $0 += 1 }
        return Picture.jpeg()
      },
      .sized(key: "made") { _ in
        calls.withLock { $0 += 1 }
        return .bytes(Picture.jpeg())
      }
    ]
    for source in sources {
      let future = FutureImage(source, cachePolicy: .automatic.onlyFromCache, loader: shop.loader)
      #expect(await reason(future) == .notCached)
    }
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func `images on disk and in memory are shown`() async throws {
    await visit()
    let shop = shop()
    let first = cached(shop)
    #expect(try await first.value.cgImage?.width == 640)
    let second = cached(shop)
    #expect(try await second.value.cgImage?.width == 640)
    #expect(shop.loader.statistics.poolHits > 0)
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `a stale image is shown without revalidation`() async throws {
    await visit(["etag": "\"1\"", "cache-control": "max-age=60"])
    time.advance(seconds: 61)
    let shop = shop()
    #expect(try await cached(shop).value.cgImage?.width == 640)
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `an image that must be revalidated first is not shown`() async throws {
    await visit(["etag": "\"1\"", "cache-control": "no-cache"])
    let shop = shop()
    #expect(await reason(cached(shop)) == .notCached)
    #expect(await reason(cached(shop)) == .notCached)
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `a cache-only future gets what another future fetches but does not sustain the transfer`() async throws {
    let shop = shop()
    var other: FutureImage? = shop.future()
    await shop.held.waitForHeld()
    let future = cached(shop)
    #expect(await reason(future) == .notCached)
    await shop.serve()
    #expect(try await future.value.cgImage?.width == 1200)

    other = shop.future("b")
    let second = FutureImage(.url(Shop.url("b")), cachePolicy: .automatic.onlyFromCache, loader: shop.loader)
    await shop.held.waitForHeld()
    withExtendedLifetime(other) {}
    other = nil
    await shop.held.waitForCancellations()
    #expect(await reason(second) == .notCached)
  }

  @Test func `awaiting or reloading the future looks in the caches again`() async throws {
    let shop = shop()
    let futures = [cached(shop), cached(shop)]
    for future in futures { #expect(await reason(future) == .notCached) }
    await visit()
    futures[0].reload()
    await shop.loader.waitUntilSettled()
    #expect(futures[0].failure == nil)
    #expect(try await futures[1].value.cgImage?.width == 640)
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `an app's cache that was filled in the meantime is looked into again`() async throws {
    let (shop, cache) = (shop(), NSCache<NSString, UIImage>())
    let future = cached(shop, .using(cache: cache, key: "k"))
    #expect(await reason(future) == .notCached)
    let image = Picture.image(64, 48)
    cache.setObject(image, forKey: "k")
    #expect(try await future.value.cgImage?.width == 64)
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `a closure that creates pixels is not called although another future knows the size`() async throws {
    let (shop, darkroom) = (shop(), Darkroom())
    let other = FutureImage(darkroom.source(), loader: shop.loader)
    _ = try await other.value(fitting: .square(160))
    let calls = darkroom.asked.count
    let future = FutureImage(darkroom.source(), cachePolicy: .automatic.onlyFromCache, loader: shop.loader)
    #expect(await reason(future) == .notCached)
    #expect(darkroom.asked.count == calls)
    // Pixels in memory count as cached.
    #expect(try await future.value(fitting: .square(100)).cgImage?.width == 300)
    withExtendedLifetime(other) {}
  }

  @MainActor @Test func `a reload leaves the image in place and makes no request`() async throws {
    let bytes = Picture.jpeg(640, 480)
    let shop = shop()
    let first = shop.future(policy: .modelOnly)
    await shop.serve("a", bytes)
    let future = cached(shop, .modelOnly)
    let view = imageView(64)
    view.futureImage = future
    await shop.loader.waitUntilSettled()
    let before = view.image
    future.reload()
    await shop.loader.waitUntilSettled()
    #expect(view.image === before)
    #expect(future.failure == nil)
    #expect(try await future.value.cgImage?.width == 640)
    #expect(shop.held.requests.count == 1)
    withExtendedLifetime(first) {}
  }

  @MainActor @Test func `a view shows the failure image until the image is cached and the view is bound again`() async {
    let shop = shop()
    let view = imageView(64)
    let future = cached(shop)
    view.display(future, .init(failureImage: Picture.image(30, 30)))
    await shop.loader.waitUntilSettled()
    #expect(view.image?.cgImage?.width == 30)
    await visit()
    view.futureImage = future
    await shop.loader.waitUntilSettled()
    #expect(view.image?.cgImage?.width == 80)
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `retryFailed looks in the caches again`() async throws {
    let shop = shop()
    let future = cached(shop)
    #expect(await reason(future) == .notCached)
    await visit()
    shop.loader.retryFailed()
    await shop.loader.waitUntilSettled()
    #expect(future.failure == nil)
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `every policy has a cache-only form`() {
    #expect(!FutureImage.CachePolicy.automatic.onlyFromCache.asksSource)
    #expect(FutureImage.CachePolicy.automatic.asksSource)
    #expect(FutureImage.CachePolicy.modelOnly.onlyFromCache.outlivesModel == false)
  }
}
