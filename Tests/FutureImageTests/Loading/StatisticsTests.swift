import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The numbers that a loader counts.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct StatisticsTests {
  @Test func `only the first request after a failed request counts as a retry`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.retries == 0)
    future.reload()
    #expect(fixture.loader.statistics.retries == 1)
    await fixture.serve()
    future.reload()
    #expect(fixture.loader.statistics.retries == 1)
    await fixture.serve()
    withExtendedLifetime(future) {}
  }

  @Test func `pixels that are found in the pool count as hits, and pixels that are decoded do not`() async throws {
    let fixture = LoaderFixture()
    let futures = [fixture.future(policy: .modelOnly), fixture.future(policy: .modelOnly)]
    await fixture.serve()
    let first = try await futures[0].value
    #expect(fixture.loader.statistics.poolHits == 0)
    let second = try await futures[1].value
    #expect(second === first)
    #expect(fixture.loader.statistics.poolHits == 1)
  }

  @Test func `evicted pixels are counted`() async throws {
    let fixture = LoaderFixture(maxPixelBytes: 64 * 48 * 4)
    let futures = [fixture.future("a"), fixture.future("b")]
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    for future in futures { _ = try await future.value }
    #expect(fixture.loader.statistics.evictions == 1)
  }

  @MainActor @Test func `the time that deliveries take on the main thread is counted`() async {
    let fixture = LoaderFixture()
    #expect(fixture.loader.statistics.longestMainStretch == .zero)
    fixture.loader.deliver {
      let time = ThreadTime()
      while time.used < .milliseconds(1) {}
    }
    await fixture.loader.delivered()
    #expect(fixture.loader.statistics.longestMainStretch > .zero)
    #expect(fixture.loader.statistics.longestMainWork >= .milliseconds(1))
  }
}
