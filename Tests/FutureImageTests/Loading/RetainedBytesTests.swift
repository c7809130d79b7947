import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The bytes that the futures of an image share in memory, if no disk tier stores them.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RetainedBytesTests {
  let fixture = LoaderFixture()

  @Test func `a new future uses the bytes that another future of its key retains`() async throws {
    let other = fixture.future(policy: .modelOnly)
    await fixture.serve()
    let newcomer = fixture.future(policy: .modelOnly)
    #expect(newcomer.phase.name == "fetched")
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(other) {}
  }

  @Test func `futures that are created while another future receives the bytes use these bytes`() async {
    let calls = Lock(0)
    for number in 0..<2_000 {
      func future() -> FutureImage {
        let source = FutureImage.Source.data(key: "\(number)") {
          calls.withLock { $0 += 1 }
          return SampleImage.jpeg(8, 8)
        }
        return FutureImage(source, cachePolicy: .modelOnly, loader: fixture.loader)
      }
      let first = future()
      var newcomers: [FutureImage] = []
      // The wait frees this thread between two checks, because the transfer needs a thread, and a small machine has only two threads.
      await waitUntil {
        if first.retainedBytes == nil { newcomers += (0..<16).map { _ in future() } }
        return first.retainedBytes != nil
      }
      await fixture.loader.waitForIdle()
      withExtendedLifetime((first, newcomers)) {}
    }
    #expect(calls.withLock { $0 } == 2_000)
  }

  @Test func `futures that are created while an image is set for their key use that image`() async throws {
    let blue = SampleImage.image(8, 8, red: 0, green: 0, blue: 250)
    for number in 0..<500 {
      let first = fixture.future("\(number)", policy: .modelOnly)
      await fixture.held.waitForHeld()
      fixture.held.resolve(with: SampleImage.jpeg(8, 8))
      await fixture.loader.waitForIdle()
      let setting = Task { [loader = fixture.loader] in
        try await loader.set(blue, forKey: FutureImage.Source.url(LoaderFixture.url("\(number)")).key)
      }
      var newcomers: [FutureImage] = []
      await waitUntil {
        if first.retainedBytes?.generation != 1 { newcomers += (0..<16).map { _ in fixture.future("\(number)", policy: .modelOnly) } }
        return first.retainedBytes?.generation == 1
      }
      _ = try await setting.value
      fixture.held.resolve(with: SampleImage.jpeg(8, 8))
      await fixture.loader.waitForIdle()
      withExtendedLifetime(newcomers) {}
    }
    #expect(fixture.held.requests.count == 500)
  }

  @Test func `a new future uses bytes that another future has read from a disk tier`() async throws {
    let fixture = LoaderFixture { $0.retry = .never }
    let other = fixture.future(policy: .modelOnly)
    await fixture.held.waitForHeld()
    let body = SampleImage.jpeg()
    other.give(Encoded(data: body, size: try fixture.loader.configuration.decoder.size(of: body), isFromDisk: true))
    await fixture.loader.waitForIdle()
    let newcomer = fixture.future(policy: .modelOnly)
    #expect(newcomer.phase.name == "fetched")
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(other) {}
  }

  @Test func `a future with a disk tier reads the tier, even if another future retains the image`() async throws {
    let other = fixture.future(policy: .modelOnly)
    await fixture.serve("a", TestColor.red.jpeg())
    let newcomer = fixture.future(policy: .tiers(disk: HeldTier(TestColor.blue.jpeg())))
    #expect(TestColor.blue.isNearly(try await newcomer.value.color))
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(other) {}
  }

  @Test func `each failed read of a disk tier is counted as a cache fault`() async {
    let tier = HeldTier(SampleImage.jpeg())
    tier.setBroken(true)
    for _ in 0..<2 {
      let entry = await fixture.loader.entry("a", tier)
      #expect(entry == nil)
    }
    #expect(fixture.loader.statistics.cacheFaults == 2)
    #expect(fixture.loader.statistics.lastCacheFault == "Broken()")
  }

  @Test func `a tier without the image is not read again during the transfer, and stores the image afterward`() async {
    let (tier, key) = (HeldTier(), SourceKey(LoaderFixture.url().absoluteString))
    func count() -> Int { fixture.loader.transferWaiterCount(of: key) }
    let other = fixture.future(policy: .modelOnly)
    await fixture.held.waitForHeld()
    let first = fixture.future(policy: .tiers(disk: tier))
    await waitWhile(count() < 2)
    let second = fixture.future(policy: .tiers(disk: tier))
    #expect(count() == 3)
    await fixture.serve()
    #expect(tier.readsBegun == 1 && tier.stores == 1)
    withExtendedLifetime((other, first, second)) {}
  }
}
