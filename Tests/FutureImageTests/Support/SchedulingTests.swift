import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The order in which transfers start, and the number of transfers that run at a time.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SchedulingTests {
  let held: HeldFetcher
  let counting: CountingFetcher
  let fixture: LoaderFixture

  init() {
    let held = HeldFetcher()
    let counting = CountingFetcher(held)
    (self.held, self.counting) = (held, counting)
    // By default, a loader runs 24 transfers at a time, and 6 transfers of a host.
    fixture = LoaderFixture { $0.fetcher = counting }
  }

  private func url(_ host: Int, _ number: Int) -> URL { URL(string: "https://host\(host).test/\(number).jpg") ?? LoaderFixture.url() }

  /// Answers the given number of requests, one after the other. The fixture must run only one transfer at a time.
  /// - Returns: the names of the requested URLs, in the order of the requests.
  private func order(_ fixture: LoaderFixture, of count: Int) async -> [String] {
    for number in 1...count {
      await fixture.held.waitForRequests(number)
      fixture.held.resolve(with: SampleImage.jpeg())
    }
    return fixture.held.requests.map { $0.url.deletingPathExtension().lastPathComponent }
  }

  // MARK: Limits

  @Test func `under load, exactly as many transfers run as the limits allow, in total and per host`() async {
    let jpeg = SampleImage.jpeg(8, 6)
    // Half of the images are on one host.
    let futures = (0..<600).map { FutureImage(at: url(max(0, $0 % 10 - 4), $0), loader: fixture.loader) }
    // The test answers no request before all transfers that may start have started.
    await held.waitForHeld(24)
    for number in futures.indices {
      await held.waitForRequests(number + 1)
      held.resolve(held.requests[number].url, with: jpeg)
    }
    await fixture.loader.waitForIdle()
    #expect(futures.allSatisfy { $0.phase.name == "fetched" })
    #expect(counting.most == 24)
    #expect(counting.mostOfHost.count == 6)
    #expect(counting.mostOfHost["host0.test"] == 6)
    #expect(counting.mostOfHost.values.allSatisfy { $0 <= 6 })
  }

  @Test func `the limits also apply while transfers fail or are canceled, and no remaining future is left waiting`() async {
    let jpeg = SampleImage.jpeg(8, 6)
    let fixture = LoaderFixture {
      $0.fetcher = counting
      $0.retry = .never
    }
    var futures = (0..<600).map { FutureImage(at: url($0 % 6, $0), loader: fixture.loader) }
    var random = SeededGenerator(seed: 7)
    var number = 0
    await waitUntil {
      guard number < held.requests.count else { return fixture.loader.isIdle }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: held.fail(held.requests[number].url)
      case 1: futures.first { $0.key == held.requests[number].url.absoluteString }?.cancel()
      case 2: futures.removeAll { $0.key == held.requests[number].url.absoluteString }
      default: held.resolve(held.requests[number].url, with: jpeg)
      }
      number += 1
      // Some futures still wait for a slot.
      if number % 3 == 0 { futures.removeLast() }
      if number % 3 == 1 { futures.randomElement(using: &random)?.cancel() }
      return false
    }
    await fixture.loader.waitForIdle()
    #expect(futures.allSatisfy { ["fetched", "failed"].contains($0.phase.name) })
    // Canceled transfers may end later.
    await waitWhile(counting.running > 0)
    #expect(counting.most <= 24)
    #expect(counting.mostOfHost.values.allSatisfy { $0 <= 6 })
  }

  @Test func `a host whose slots are all taken delays no other host, even if its images have high priority`() async {
    let busy = (0..<50).map { FutureImage(at: url(0, $0), priority: .high, loader: fixture.loader) }
    await held.waitForRequests(6)
    let others = (0..<6).map { FutureImage(at: url(1, $0), priority: .low, loader: fixture.loader) }
    await held.waitForRequests(12)
    #expect(held.requests.suffix(6).allSatisfy { $0.url.host == "host1.test" })
    #expect(held.heldCount == 12)
    withExtendedLifetime((busy, others)) {}
  }

  @Test func `a canceled transfer leaves its slot to the next transfer of its host`() async {
    let futures = (0..<8).map { FutureImage(at: url(0, $0), loader: fixture.loader) }
    await held.waitForRequests(6)
    futures[7].cancel()
    futures[2].cancel()
    await held.waitForRequests(7)
    #expect(held.requests.last?.url == url(0, 6))
    #expect(held.heldCount == 6)
    #expect(fixture.loader.transferCount == 6)
  }

  // MARK: Order

  @Test func `of ten thousand images, the twenty shown images are fetched first, beginning with the latest`() async {
    let futures = (0..<10_000).map { fixture.future("\($0)") }
    let views = (0..<20).map { _ in imageView(8) }
    await held.waitForRequests(6)
    let before = held.requests.count
    for (number, view) in views.enumerated() { view.futureImage = futures[9_000 + number] }
    for number in 0..<before + 19 {
      await held.waitForRequests(number + 1)
      held.resolve(held.requests[number].url, with: SampleImage.jpeg(8, 6))
      await held.waitForRequests(number + 7)
    }
    #expect(before == 6)
    let shown = held.requests.dropFirst(before).prefix(20).map(\.url)
    #expect(shown == (0..<20).reversed().map { LoaderFixture.url("\(9_000 + $0)") })
  }

  @Test func `shown images are fetched first, then prefetched images, then all others, each group by priority`() async {
    let fixture = LoaderFixture { $0.maxTransfers = 1 }
    func future(_ name: String, _ priority: FutureImage.Priority) -> FutureImage {
      FutureImage(.url(LoaderFixture.url(name)), priority: priority, loader: fixture.loader)
    }
    let first = fixture.future("first")
    await fixture.held.waitForHeld()
    let created = [future("created", .normal), future("created-high", .high), future("created-low", .low)]
    let prefetched = [future("prefetched-low", .low), future("prefetched", .normal), future("prefetched-late", .normal)]
    let bound = [future("bound-low", .low), future("bound", .normal), future("bound-late", .normal)]
    let prefetch = prefetched.prefetch(\.self)
    let views = bound.map { _ in imageView(8) }
    for (view, future) in zip(views, bound) { view.futureImage = future }
    #expect(
      await order(fixture, of: 10) == [
        "first", "bound-late", "bound", "bound-low", "prefetched", "prefetched-late", "prefetched-low", "created-high", "created",
        "created-low"
      ])
    withExtendedLifetime((first, created, prefetch)) {}
  }

  @Test func `prefetching, awaiting, or showing an image moves its queued transfer forward, whatever its priority`() async {
    let fixture = LoaderFixture { $0.maxTransfers = 1 }
    let futures = ["first", "a", "prefetched", "shown", "awaited"].map {
      FutureImage(.url(LoaderFixture.url($0)), priority: $0 == "shown" ? .low : .normal, loader: fixture.loader)
    }
    await fixture.held.waitForHeld()
    let prefetch = [futures[2]].prefetch(\.self)
    futures[4].wait(.full) { _ in }
    let view = imageView(8)
    view.futureImage = futures[3]
    #expect(await order(fixture, of: 5) == ["first", "awaited", "shown", "prefetched", "a"])
    withExtendedLifetime((prefetch, view)) {}
  }

  @Test func `after lookups on disk, shown images are fetched first, then prefetched images, then all others`() async {
    let fixture = LoaderFixture { $0.maxTransfers = 1 }
    let tier = HeldTier()
    tier.holdReads()
    let first = fixture.future("first")
    await fixture.held.waitForHeld()
    let futures = (0..<20).map { fixture.future("\($0)", policy: .tiers(disk: tier)) }
    let prefetch = futures[15...].prefetch(\.self)
    let views = (0..<10).map { _ in imageView(8) }
    for (number, view) in views.enumerated() { view.futureImage = futures[number] }
    tier.release()
    await waitWhile(fixture.loader.lookupCount > 0)
    let expected = ["first"] + ((0..<10).reversed() + (15..<20) + (10..<15)).map { "\($0)" }
    #expect(await order(fixture, of: 21) == expected)
    withExtendedLifetime((first, prefetch)) {}
  }
}
