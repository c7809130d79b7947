import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Many futures that wait for a slot of a busy host or disk tier.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct WaitingFuturesTests {
  private let fixture = LoaderFixture {
    $0.maxTransfersPerHost = 1
    $0.retry = .never
  }

  /// Returns a hundred futures. The first future gets the only slot of their host, if that slot is free.
  private func many(_ priority: FutureImage.Priority = .normal, from first: Int = 0) -> [FutureImage] {
    (first..<first + 100).map { FutureImage(.url(LoaderFixture.url("\($0)")), priority: priority, loader: fixture.loader) }
  }

  /// Answers the given number of requests, one after the other.
  /// - Returns: the numbers in the URLs of all requests.
  private func answer(_ count: Int) async -> [Int] {
    for number in 1...count {
      await fixture.held.waitForRequests(number)
      fixture.held.resolve(with: SampleImage.jpeg(8, 6))
    }
    await fixture.loader.waitForIdle()
    return fixture.held.requests.compactMap { Int($0.url.deletingPathExtension().lastPathComponent) }
  }

  // MARK: Order

  @Test func `waiting futures that are neither bound nor prioritized are fetched in the order of their creation`() async {
    let futures = many()
    #expect(fixture.loader.transferCount == 100 && fixture.loader.waitingTransferCount == 99)
    #expect(await answer(100) == Array(0..<100))
    #expect(futures.allSatisfy { $0.stageName == "fetched" })
    #expect(fixture.loader.isIdle)
  }

  @MainActor @Test func `bound futures start before all other waiting futures, in the reverse order of their binding`() async {
    let (futures, views) = (many(), [imageView(8), imageView(8)])
    await fixture.held.waitForRequests()
    views[0].futureImage = futures[98]
    views[1].futureImage = futures[50]
    #expect(await answer(100).prefix(4) == [0, 50, 98, 1])
    withExtendedLifetime((futures, views)) {}
  }

  @Test func `futures of high priority start first and futures of low priority last, whichever were created first`() async {
    let low = many(.low)
    let normal = many(from: 100)
    let high = many(.high, from: 200)
    // The first future got the slot before there were other futures.
    let order = [0...0, 200...299, 100...199, 1...99].flatMap { Array($0) }
    #expect(await answer(300) == order)
    withExtendedLifetime((low, normal, high)) {}
  }

  @Test func `a waiting future that is reloaded starts next, and makes one request`() async {
    let futures = many()
    await fixture.held.waitForRequests()
    for _ in 0..<2 { futures[99].reload() }
    let order = [0, 99] + Array(1..<99)
    #expect(await answer(100) == order)
    withExtendedLifetime(futures) {}
  }

  @Test func `a waiting future that is canceled and requested again starts last`() async {
    let futures = many()
    await fixture.held.waitForRequests()
    futures[1].cancel()
    futures[1].loadMissing(retrying: .unlessRemembered)
    let order = Array(2..<100) + [1]
    #expect(await answer(100).dropFirst() == order[...])
    withExtendedLifetime(futures) {}
  }

  @Test func `the futures of each host start in the order of their creation`() async {
    let futures = (0..<40).flatMap { number in
      ["one", "two"].map {
        FutureImage(.url(URL(string: "https://\($0).test/\(number).jpg") ?? LoaderFixture.url()), loader: fixture.loader)
      }
    }
    for number in 1...80 {
      await fixture.held.waitForRequests(number)
      fixture.held.resolve(with: SampleImage.jpeg(8, 6))
    }
    for host in ["one.test", "two.test"] {
      let urls = fixture.held.requests.map(\.url).filter { $0.host == host }
      #expect(urls.map(\.lastPathComponent) == (0..<40).map { "\($0).jpg" })
    }
    withExtendedLifetime(futures) {}
  }

  @Test func `each transfer that fails leaves its slot to the next future`() async {
    let futures = many()
    for number in 1...100 {
      await fixture.held.waitForRequests(number)
      fixture.held.fail(nil, .status(404))
    }
    await fixture.loader.waitForIdle()
    #expect(futures.allSatisfy { $0.failure?.reason == .status(404) })
    #expect(fixture.held.requests.map(\.url) == (0..<100).map { LoaderFixture.url("\($0)") })
  }

  // MARK: Sharing

  @Test func `all futures of an image wait together and make one request`() async {
    let first = fixture.future("0")
    let futures = (0..<100).map { _ in fixture.future("1") }
    #expect(fixture.loader.waitingTransferCount == 1)
    #expect(await answer(2) == [0, 1])
    #expect(futures.allSatisfy { $0.stageName == "fetched" })
    withExtendedLifetime(first) {}
  }

  @Test func `a waiting image is fetched only if at least one of its futures still waits for the image`() async {
    let first = fixture.future("0")
    var futures: [FutureImage?] = (0..<6).map { fixture.future("\(1 + $0 % 2)") }
    // One future of image 1 still waits, and no future of image 2.
    futures[0]?.cancel()
    for index in [1, 2, 3] { futures[index] = nil }
    futures[5]?.cancel()
    #expect(await answer(2) == [0, 1])
    #expect(futures.map { $0?.stageName } == ["failed", nil, nil, nil, "fetched", "failed"])
    withExtendedLifetime(first) {}
  }

  // MARK: Ends

  @Test func `released and canceled futures are not fetched`() async {
    var futures = many()
    futures[98].cancel()
    futures.removeLast()
    #expect(await answer(98) == Array(0..<98))
    #expect(futures.count { $0.stageName == "fetched" } == 98)
  }

  @Test func `many waiting futures that are released leave no object in the loader`() async {
    var futures = many()
    await fixture.held.waitForRequests()
    // The first future is released last, so that no other future gets its slot.
    futures.removeLast(99)
    #expect(fixture.loader.transferCount == futures.count && fixture.loader.waitingTransferCount == 0)
    futures = []
    #expect(fixture.loader.transferCount == 0 && fixture.loader.futureCount == 0)
    #expect(fixture.loader.state.withLock { $0.pictures.count } == 0)
    await fixture.held.waitForCancellations()
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `many waiting futures that are canceled leave no job in the loader`() async {
    let futures = many()
    await fixture.held.waitForRequests()
    for future in futures.reversed() { future.cancel() }
    #expect(fixture.loader.isIdle && fixture.loader.waitingTransferCount == 0)
    #expect(futures.allSatisfy { $0.failure?.reason == .cancelled })
    await fixture.held.waitForCancellations()
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a future has the phase .waiting until its transfer starts`() async {
    let (first, future) = (fixture.future("0"), fixture.future("1"))
    await fixture.held.waitForRequests()
    #expect([first, future].map(\.stageName) == ["loading", "waiting"])
    fixture.held.resolve(with: SampleImage.jpeg(8, 6))
    await fixture.held.waitForRequests(2)
    #expect(future.stageName == "loading")
  }

  // MARK: Disk tiers

  @Test func `futures wait for the slots of a hung disk tier, and leave no lookup behind when they are released`() async {
    let tier = HeldTier()
    tier.holdReads()
    var futures = (0..<100).map { fixture.future("\($0)", policy: .tiers(disk: tier)) }
    // Eight lookups of a tier run at once.
    await tier.waitForReads(8)
    #expect(fixture.loader.lookupCount == futures.count && fixture.loader.transferCount == 0)
    #expect(fixture.loader.state.withLock { $0.lookups.waitingCount } == 92)
    futures = []
    #expect(fixture.loader.lookupCount == 0 && fixture.loader.state.withLock { $0.lookups.waitingCount } == 0)
    #expect(tier.readsBegun == 8)
    tier.release()
  }
}
