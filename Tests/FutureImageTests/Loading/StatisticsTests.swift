import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The numbers that a loader counts.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct StatisticsTests {
  @Test func `only the first request after a failed one counts as a retry`() async {
    let shop = Shop { $0.retry = .never }
    let future = shop.future()
    await shop.held.waitForHeld()
    shop.held.fail()
    await shop.loader.waitUntilSettled()
    #expect(shop.loader.statistics.retries == 0)
    future.reload()
    #expect(shop.loader.statistics.retries == 1)
    await shop.serve()
    future.reload()
    #expect(shop.loader.statistics.retries == 1)
    await shop.serve()
    withExtendedLifetime(future) {}
  }

  @Test func `pixels found in the pool count as hits, and decoded ones do not`() async throws {
    let shop = Shop()
    let futures = [shop.future(policy: .modelOnly), shop.future(policy: .modelOnly)]
    await shop.serve()
    let first = try await futures[0].value
    #expect(shop.loader.statistics.poolHits == 0)
    let second = try await futures[1].value
    #expect(second === first)
    #expect(shop.loader.statistics.poolHits == 1)
  }

  @Test func `evicted pixels are counted`() async throws {
    let shop = Shop(maxPixelBytes: 64 * 48 * 4)
    let futures = [shop.future("a"), shop.future("b")]
    await shop.held.waitForHeld(2)
    shop.held.resolve(with: Picture.jpeg())
    for future in futures { _ = try await future.value }
    #expect(shop.loader.statistics.pixelsLetGo == 1)
  }

  @MainActor @Test func `the time that deliveries take on the main thread is counted`() async {
    let shop = Shop()
    #expect(shop.loader.statistics.longestMainStretch == .zero)
    shop.loader.deliver {
      let time = ThreadTime()
      while time.used < .milliseconds(1) {}
    }
    await shop.loader.delivered()
    #expect(shop.loader.statistics.longestMainStretch > .zero)
    #expect(shop.loader.statistics.longestMainWork >= .milliseconds(1))
  }
}
