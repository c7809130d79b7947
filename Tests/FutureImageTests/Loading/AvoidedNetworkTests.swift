import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct AvoidedNetworkTests {
  let fixture = LoaderFixture(disk: .temporary()) { $0.avoidedNetworks = [.constrained] }
  private let full = SampleImage.jpeg(640, 480, red: 200)
  private let small = SampleImage.jpeg(64, 48, red: 10)

  private func future(policy: FutureImage.CachePolicy = .automatic) -> FutureImage {
    FutureImage(
      .url(LoaderFixture.url("full")).onAvoidedNetworks(use: .url(LoaderFixture.url("small"))), cachePolicy: policy, loader: fixture.loader)
  }

  private func width(_ future: FutureImage) async throws -> Int? { try await future.value.cgImage?.width }

  @Test func `an image without a smaller image fails on an avoided network, and a retry on another network loads the image`()
    async throws
  {
    fixture.loader.network = [.constrained, .expensive]
    let future = fixture.future()
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .transport(.avoidedNetwork))
    #expect(fixture.held.requests.isEmpty)
    fixture.loader.network = [.expensive]
    fixture.loader.retryFailed()
    await fixture.serve()
    #expect(try await width(future) == 1200)
  }

  @Test func `a smaller image loaded on an avoided network is not used as the full image on another network`() async throws {
    fixture.loader.network = [.constrained]
    let first = future()
    await fixture.serve("small", small)
    #expect(try await width(first) == 64)
    #expect(fixture.held.requests.map(\.url) == [LoaderFixture.url("small")])

    fixture.loader.network = []
    let second = future()
    await fixture.serve("full", full)
    #expect(try await width(second) == 640)
    #expect(try await width(first) == 64)
  }

  @Test func `the smaller image is cached under its own key`() async throws {
    fixture.loader.network = [.constrained]
    var first: FutureImage? = future()
    await fixture.serve("small", small)
    withExtendedLifetime(first) {}
    first = nil
    await fixture.loader.waitForIdle()
    #expect(try await width(future()) == 64)
    #expect(fixture.held.requests.count == 1)
  }

  @MainActor @Test func `a reload on another network replaces the smaller image with the full image`() async throws {
    fixture.loader.network = [.constrained]
    let view = imageView(640)
    let future = future()
    view.futureImage = future
    await fixture.serve("small", small)
    #expect(view.image?.cgImage?.width == 64)
    fixture.loader.network = []
    future.reload()
    await fixture.serve("full", full)
    #expect(view.image?.cgImage?.width == 640)
  }

  @Test func `a reload on an avoided network does not replace the full image with the smaller image`() async throws {
    let future = future()
    await fixture.serve("full", full)
    #expect(try await width(future) == 640)
    fixture.loader.network = [.constrained]
    future.reload()
    await fixture.loader.waitForIdle()
    #expect(try await width(future) == 640)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `evicted pixels of the smaller image are restored without a request`() async throws {
    fixture.loader.network = [.constrained]
    let future = future()
    await fixture.serve("small", small)
    _ = try await width(future)
    await fixture.forgetPixels(of: future)
    #expect(try await width(future) == 64)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `the smaller image is not stored in an app's own cache`() async throws {
    fixture.loader.network = [.constrained]
    let cache = NSCache<NSString, UIImage>()
    let future = future(policy: .using(cache: cache, key: "full"))
    await fixture.serve("small", small)
    _ = try await width(future)
    #expect(cache.object(forKey: "full") == nil)
  }

  @Test func `a request names the networks to avoid`() async {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    #expect(fixture.held.requests.first?.avoidedNetworks == [.constrained])
    withExtendedLifetime(future) {}
  }

  @Test func `if the fetcher refuses an avoided network, the loader requests the smaller image over any network`() async throws {
    let future = future()
    await fixture.held.waitForRequests()
    fixture.held.fail(nil, .transport(.avoidedNetwork))
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.avoidedNetworks == [])
    await fixture.serve("small", small)
    #expect(try await width(future) == 64)
  }

  // MARK: Several futures of one image

  /// Returns futures that wait for one transfer, which fails because the network is to be avoided. Each future has the smaller image of the
  /// given name, or none if the name is nil.
  private func futures(_ smaller: [String?]) async -> [FutureImage] {
    let futures = smaller.map { name in
      let source = FutureImage.Source.url(LoaderFixture.url("full"))
      return FutureImage(name.map { source.onAvoidedNetworks(use: .url(LoaderFixture.url($0))) } ?? source, loader: fixture.loader)
    }
    await fixture.held.waitForHeld()
    await waitWhile(fixture.loader.statistics.joined < smaller.count - 1)
    fixture.held.fail(LoaderFixture.url("full"), .transport(.avoidedNetwork))
    return futures
  }

  @Test(.timeLimit(.minutes(5)), arguments: [[nil, "small"], ["small", nil]])
  func `only a future that names a smaller image gets the smaller image, whichever future requests first`(_ smaller: [String?]) async throws
  {
    let futures = await futures(smaller)
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.url == LoaderFixture.url("small"))
    await fixture.serve("small", small)
    for (future, name) in zip(futures, smaller) {
      if name == nil {
        #expect(future.failure?.reason == .transport(.avoidedNetwork))
      } else {
        #expect(try await width(future) == 64)
      }
    }
  }

  @Test(.timeLimit(.minutes(5))) func `each future gets the smaller image that it names`() async throws {
    let futures = await futures(["small", "tiny"])
    await fixture.held.waitForRequests(3)
    fixture.held.resolve(LoaderFixture.url("small"), with: small)
    fixture.held.resolve(LoaderFixture.url("tiny"), with: SampleImage.jpeg(32, 24))
    await fixture.loader.waitForIdle()
    #expect(try await width(futures[0]) == 64)
    #expect(try await width(futures[1]) == 32)
  }

  @Test(.timeLimit(.minutes(5))) func `a missing smaller image does not affect the full image`() async throws {
    let futures = await futures([nil, "small"])
    await fixture.held.waitForRequests(2)
    fixture.held.answer(LoaderFixture.url("small"), FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    #expect(futures[0].failure?.reason == .transport(.avoidedNetwork))
    #expect(futures[1].failure?.reason == .status(404))
    let later = FutureImage(.url(LoaderFixture.url("full")), loader: fixture.loader)
    await fixture.held.waitForRequests(3)
    await fixture.serve("full", full)
    #expect(try await width(later) == 640)
  }

  @Test func `a future without a smaller image fails without waiting for the smaller image of another future`() async {
    let futures = await futures([nil, "small"])
    await fixture.held.waitForRequests(2)
    #expect(futures[0].failure?.reason == .transport(.avoidedNetwork))
    await fixture.serve("small", small)
    #expect(futures[1].phase.name == "fetched")
  }

  // MARK: Bytes, events, and failures

  @Test func `a smaller image is requested without headers, and a later future gets it without another request`() async throws {
    fixture.loader.network = [.constrained]
    let first = future()
    await fixture.serve("small", small)
    // The second future gets the bytes from the disk cache.
    let second = future()
    await fixture.loader.waitForIdle()
    for future in [first, second] {
      #expect(future.withReader { $0.smaller != nil && $0.fullSize != nil } == true)
    }
    #expect(fixture.held.requests.count == 1)
    #expect(fixture.held.requests.first?.headers.isEmpty == true)
  }

  @Test func `if a tier cannot store a smaller image, the image is still delivered, and the fault is counted`() async throws {
    fixture.loader.network = [.constrained]
    let tier = HeldTier()
    tier.fill()
    let future = future(policy: .tiers(disk: tier))
    await fixture.serve("small", small)
    #expect(fixture.loader.statistics.cacheFaults == 1)
    #expect(try await width(future) == 64)
  }

  @Test(arguments: [true, false])
  func `an image that fails on an avoided network is counted and reported once, and a reload counts as a retry`(hasSmaller: Bool) async {
    let events = Lock<[String]>([])
    let fixture = LoaderFixture { configuration in
      configuration.avoidedNetworks = [.constrained]
      configuration.onEvent = { key, event in events.withLock { $0.append("\(key): \(event)") } }
    }
    fixture.loader.network = [.constrained]
    let full = FutureImage.Source.url(LoaderFixture.url("full"))
    let source = hasSmaller ? full.onAvoidedNetworks(use: .url(LoaderFixture.url("small"))) : full
    let future = FutureImage(source, loader: fixture.loader)
    if hasSmaller {
      await fixture.held.waitForHeld()
      fixture.held.answer(nil, FutureImage.Response(status: 404))
    }
    await fixture.loader.waitForIdle()
    let reason: FutureImage.Failure.Reason = hasSmaller ? .status(404) : .transport(.avoidedNetwork)
    #expect(future.failure?.reason == reason)
    #expect(fixture.loader.statistics.failures == 1)
    let failed = "https://shop.test/\(hasSmaller ? "small" : "full").jpg: failed. "
    #expect(events.withLock { $0.count { $0.hasPrefix(failed) } } == 1)
    #expect(fixture.loader.statistics.retries == 0)
    future.reload()
    #expect(fixture.loader.statistics.retries == 1)
  }

  @Test func `an event reports the fetched bytes of a smaller image`() async {
    let events = Lock<[String]>([])
    let fixture = LoaderFixture { configuration in
      configuration.avoidedNetworks = [.constrained]
      configuration.onEvent = { key, event in events.withLock { $0.append("\(key): \(event)") } }
    }
    fixture.loader.network = [.constrained]
    let source = FutureImage.Source.url(LoaderFixture.url("full")).onAvoidedNetworks(use: .url(LoaderFixture.url("small")))
    let future = FutureImage(source, loader: fixture.loader)
    await fixture.serve("small", small)
    #expect(future.phase.name == "fetched")
    #expect(events.withLock { $0.contains { $0.hasPrefix("https://shop.test/small.jpg: \(small.count) bytes fetched in ") } })
  }

  @Test func `a future that is canceled while its smaller image is fetched does not count as a failure`() async {
    fixture.loader.network = [.constrained]
    let future = future()
    await fixture.held.waitForHeld()
    future.cancel()
    // The canceled run ends later.
    await waitWhile(fixture.loader.state.withLock({ $0.fetches.runCount > 0 }))
    #expect(fixture.loader.statistics.failures == 0)
    #expect(future.failure?.isCancelled == true)
  }

  @MainActor @Test func `a reload that replaces the smaller image with the full image decodes the full image once`() async {
    fixture.loader.network = [.constrained]
    let view = imageView(16)
    let future = future()
    view.futureImage = future
    await fixture.serve("small", small)
    let decodes = fixture.loader.statistics.decodes
    fixture.loader.network = []
    future.reload()
    await fixture.serve("full", full)
    #expect(view.image?.size == CGSize(width: 640, height: 480))
    #expect(fixture.loader.statistics.decodes == decodes + 1)
  }
}
