import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct LoaderTests {
  let fixture = LoaderFixture()

  @Test func `a transfer ends when its last future is released`() async {
    var futures = [fixture.future(), fixture.future()]
    await fixture.held.waitForRequests()
    futures.removeLast()
    #expect(fixture.held.cancelledCount == 0)
    futures.removeLast()
    await fixture.held.waitForCancellations()
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.failures == 0)
  }

  @Test func `the most recently bound images are fetched first, then the other images in order of creation`() async {
    let fixture = LoaderFixture { $0.maxTransfersPerHost = 1 }
    let futures = ["running", "b", "c", "d", "e"].map { fixture.future($0) }
    await fixture.held.waitForRequests()
    await MainActor.run {
      let views = [imageView(10), imageView(10)]
      views[0].futureImage = futures[2]
      views[1].futureImage = futures[4]
    }
    for (number, name) in ["running", "e", "c", "b", "d"].enumerated() {
      await fixture.held.waitForRequests(number + 1)
      #expect(fixture.held.requests.last?.url == LoaderFixture.url(name))
      fixture.held.resolve(with: SampleImage.jpeg())
    }
    await fixture.loader.waitForIdle()
  }

  @Test func `a host without free slots does not delay another host`() async {
    let fixture = LoaderFixture { $0.maxTransfersPerHost = 2 }
    let busy = (0..<5).map { fixture.future("\($0)") }
    await fixture.held.waitForRequests(2)
    let other = FutureImage(at: URL(string: "https://other.test/x.jpg")!, loader: fixture.loader)
    await fixture.held.waitForRequests(3)
    #expect(fixture.held.requests.last?.url.host == "other.test")
    #expect(fixture.held.heldCount == 3)
    withExtendedLifetime((busy, other)) {}
  }

  @Test func `after a transient fault, a transfer waits before its next attempt, which loads the image`() async throws {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    fixture.held.fail()
    await fixture.clock.waitForSleepers()
    #expect(try #require(fixture.clock.waits.first) <= .milliseconds(200))
    fixture.clock.advance(by: .milliseconds(200))
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
    #expect(fixture.loader.statistics.retries == 1)
  }

  @Test func `a transfer with transient faults is tried exactly three times`() async {
    let future = fixture.future()
    for attempt in 1...3 {
      await fixture.held.waitForRequests(attempt)
      fixture.held.answer(nil, FutureImage.Response(status: 503))
      if attempt < 3 {
        await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(10))
      }
    }
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .status(503))
    #expect(fixture.held.requests.count == 3)
  }

  @Test func `the loader waits for as long as Retry-After demands`() async {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 503, headers: ["retry-after": "7"]))
    // One sleeper is the wait for the next attempt, and the other is the hold of the host.
    await fixture.clock.waitForSleepers(2)
    #expect(fixture.clock.waits == [.seconds(7), .seconds(7)])
    withExtendedLifetime(future) {}
  }

  @Test func `a permanent failure is not retried, and later futures of the key fail at once until the failure expires`() async {
    let first = fixture.future()
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    #expect(first.failure?.reason == .status(404))
    let second = fixture.future()
    #expect(second.failure?.reason == .status(404))
    #expect(fixture.held.requests.count == 1)
    // A permanent failure is remembered for 30 seconds.
    fixture.clock.advance(by: .seconds(31))
    let third = fixture.future()
    await fixture.held.waitForRequests(2)
    withExtendedLifetime(third) {}
  }

  @Test func `binding a view restarts canceled and transiently failed futures, but not permanently failed futures`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    let (cancelled, lost, missing) = (fixture.future("cancelled"), fixture.future("lost"), fixture.future("missing"))
    await fixture.held.waitForRequests(3)
    cancelled.cancel()
    fixture.held.fail(LoaderFixture.url("lost"))
    fixture.held.answer(LoaderFixture.url("missing"), FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    await MainActor.run {
      for future in [cancelled, lost, missing] { imageView(10).futureImage = future }
    }
    await fixture.held.waitForRequests(5)
    #expect(
      fixture.held.requests.suffix(2).map(\.url).allSatisfy { [LoaderFixture.url("cancelled"), LoaderFixture.url("lost")].contains($0) })
    // A reload requests the image even after a permanent failure.
    missing.reload()
    await fixture.held.waitForRequests(6)
    #expect(fixture.held.requests.last?.url == LoaderFixture.url("missing"))
  }

  @Test func `bytes are fetched when the future is created, but are decoded only when pixels are needed`() async throws {
    let future = fixture.future()
    await fixture.serve()
    guard case .fetched = future.phase else { return #expect(Bool(false), "\(future.phase)") }
    #expect(fixture.loader.statistics.decodes == 0)
    _ = try await future.value(fitting: .fit(width: 150, height: 150))
    #expect(fixture.loader.statistics.decodes == 1)
    #expect(fixture.held.requests.count == 1)
  }

  @Test(.timeLimit(.minutes(5))) func `evicted pixels are restored from disk without a download`() async throws {
    let fixture = LoaderFixture(disk: .temporary(), maxPixelBytes: 200 * 150 * 4)
    let (first, second) = (fixture.future("first"), fixture.future("second"))
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg(200, 150))
    await fixture.loader.waitForIdle()
    _ = try await first.value
    #expect(fixture.loader.pixelBytes == 200 * 150 * 4)
    _ = try await second.value
    #expect(fixture.loader.pixelBytes == 200 * 150 * 4)
    // The thread that decoded the first image may still retain the evicted pixels.
    await waitWhile(first.phase.name == "ready")
    _ = try await first.value
    #expect(fixture.held.requests.count == 2)
    #expect(fixture.loader.statistics.decodes == 3)
    #expect(fixture.loader.statistics.diskHits >= 1)
  }

  @Test func `a future that is created while its image is being stored gets the image without a request`() async throws {
    final class SlowTier: FutureImage.DiskTier {
      /// A fetcher that serves as a gate: a store ends when the test answers the request of the store.
      let gate = HeldFetcher()
      func entry(forKey key: String) async throws -> FutureImage.CacheEntry? { nil }
      func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws {
        try await gate.fetch(FutureImage.Request(url: LoaderFixture.url("gate"))) { _ in }
      }
      func remove(forKey key: String) async throws {}
    }
    let tier = SlowTier()
    let first = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: SampleImage.jpeg())
    await tier.gate.waitForRequests()
    let second = fixture.future(policy: .tiers(disk: tier))
    _ = try await second.value
    #expect(fixture.held.requests.count == 1)
    tier.gate.resolve(with: Data([1]))
    await fixture.loader.waitForIdle()
    withExtendedLifetime(first) {}
  }

  @Test func `an image that is decoded for one future is not decoded again for a concurrent future`() async throws {
    let jpeg = SampleImage.jpeg(8, 8)
    for round in 0..<300 {
      let futures = (0..<4).map { _ in fixture.future("\(round)") }
      async let images = futures.images()
      await fixture.held.waitForHeld()
      fixture.held.resolve(with: jpeg)
      _ = try await images
    }
    #expect(fixture.loader.statistics.decodes == 300)
  }

  @Test(.timeLimit(.minutes(5)))
  func `closures that await the images of other closures do not block each other`() async throws {
    let jpeg = SampleImage.jpeg()
    let begun = Lock(0)
    let loader = fixture.loader
    let outer = (0..<8).map { number in
      FutureImage(
        .data(key: "outer \(number)") {
          begun.withLock { $0 += 1 }
          // All outer closures have started before any inner future is requested.
          await waitWhile(begun.withLock { $0 } < 8)
          _ = try await FutureImage(.data(key: "inner \(number)") { jpeg }, loader: loader).value
          return jpeg
        }, loader: loader)
    }
    for future in outer { _ = try await future.value }
  }
}

extension FutureImage {
  var failure: Failure? {
    if case .failed(let failure) = phase { failure } else { nil }
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension LoaderTests {
  @Test func `a memory warning empties the pool, and a future still has the image that its view shows`() async throws {
    let center = NotificationCenter()
    let fixture = LoaderFixture(notifications: center)
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(200, 150))
    let view = await imageView(200)
    await MainActor.run { view.futureImage = future }
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.pixelBytes > 0)
    center.post(name: UIApplication.didReceiveMemoryWarningNotification, object: nil)
    #expect(fixture.loader.pixelBytes == 0)
    guard case .ready = future.phase else { return #expect(Bool(false), "the future has lost the image that its view shows") }
    await MainActor.run { view.image = nil }
    // The thread that decoded the image may still retain it.
    await waitWhile(future.phase.name == "ready")
    guard case .fetched = future.phase else { return #expect(Bool(false), "the future still has an image that no view shows") }
  }
}
#endif
