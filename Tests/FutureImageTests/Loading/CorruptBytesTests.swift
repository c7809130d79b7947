import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Corrupt bytes of an image in a disk tier. The header of the image is valid, so only a decode detects that the bytes are corrupt.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CorruptBytesTests {
  let decoder = GatedDecoder()
  let fixture: LoaderFixture
  let tier: HeldTier
  let good = TestColor.blue.jpeg()

  init() {
    let decoder = decoder
    fixture = LoaderFixture {
      $0.decoder = decoder
      $0.retry = .never
      $0.maxDecodes = 4
    }
    let noise = SampleImage.noise(64, 48)
    tier = HeldTier(noise.prefix(noise.count / 2))
  }

  /// Returns a future, and the tasks that await it in two sizes.
  private func awaited() -> (future: FutureImage, small: Task<TestColor?, any Error>, whole: Task<TestColor?, any Error>) {
    let future = fixture.future(policy: .tiers(disk: tier))
    let small = Task { try await future.value(fitting: .square(16)).color }
    let whole = Task { try await future.value.color }
    return (future, small, whole)
  }

  @Test(arguments: [64, 16])
  func `corrupt bytes that are decoded in two sizes cause only one new request, whichever decode fails first`(held: Int) async throws {
    decoder.close()
    let (future, small, whole) = awaited()
    await decoder.waitForHeld(2)
    // One decode fails. The other decode waits until the good bytes have arrived.
    decoder.open(except: held)
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: good)
    _ = held == 64 ? try await small.value : try await whole.value
    decoder.open()
    #expect(TestColor.blue.isNearly(try await small.value))
    #expect(TestColor.blue.isNearly(try await whole.value))
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    #expect(tier.body == good)
    #expect(future.failure == nil)
  }

  @Test func `corrupt bytes that fail to decode in two sizes at the same time cause only one new request`() async throws {
    for _ in 0..<50 {
      let fixture = LoaderFixture { $0.maxDecodes = 2 }
      let noise = SampleImage.noise(64, 48)
      let future = fixture.future(policy: .tiers(disk: HeldTier(noise.prefix(noise.count / 2))))
      async let small = future.value(fitting: .square(16))
      async let whole = future.value
      await fixture.held.waitForHeld()
      fixture.held.resolve(with: good)
      _ = try await (small, whole)
      await fixture.loader.waitForIdle()
      #expect(fixture.held.requests.count == 1)
    }
  }

  @Test func `while corrupt bytes are being removed, one new request serves the waiters of two sizes`() async throws {
    tier.holdRemovals()
    let corrupt = try #require(tier.body)
    let future = fixture.future(policy: .tiers(disk: tier))
    async let small = future.value(fitting: .square(16))
    await fixture.held.waitForHeld()
    // The pending removal retains the corrupt bytes, to compare them with the bytes of the tier.
    #expect(fixture.loader.configuration.writes.use.bytes == corrupt.count)
    async let whole = future.value
    await waitWhile(future.waiterCount < 2)
    fixture.held.resolve(with: good)
    #expect(TestColor.blue.isNearly(try await whole.color))
    tier.release()
    #expect(TestColor.blue.isNearly(try await small.color))
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    #expect(tier.body == good)
  }

  @Test func `a decode of corrupt bytes does not remove good bytes that were stored before the decode failed`() async throws {
    // The thumbnail is made from a decode of this width.
    decoder.close(width: 48)
    let whole = fixture.future(policy: .tiers(disk: tier))
    let thumbnail = FutureImage(
      .url(LoaderFixture.url()), cachePolicy: .tiers(disk: tier), transform: .resize(to: CGSize(width: 16, height: 12), .fit),
      loader: fixture.loader)
    let second = Task { try await thumbnail.value }
    await decoder.waitForHeld()
    async let first = whole.value
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: good)
    _ = try await first
    // Stores wait until the loader is quiet, but only for a limited time.
    await fixture.writeClock.waitForSleepers()
    fixture.writeClock.advance(by: WriteBehind.longestWait)
    await tier.waitForStored()
    decoder.open()
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .status(404))
    await #expect(throws: FutureImage.Failure.self) { try await second.value }
    await fixture.loader.waitForIdle()
    #expect(tier.body == good)
  }

  @Test func `if an image with corrupt bytes cannot be fetched again, the waiters of both sizes get the failure of one request`() async {
    let (future, small, whole) = awaited()
    await fixture.held.waitForHeld()
    await waitWhile(future.waiterCount < 2)
    fixture.held.fail()
    for task in [small, whole] {
      await #expect { try await task.value } throws: { ($0 as? FutureImage.Failure)?.reason == .transport(.connectionLost) }
    }
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    #expect(future.failure?.reason == .transport(.connectionLost))
  }

  // The new future needs the pixels. If it got the same bytes, it would decode them again and again, without end.
  @Test(.timeLimit(.minutes(5)))
  func `undecodable bytes that are still being stored are not delivered to a new future`() async throws {
    let (tier, noise) = (HeldTier(), SampleImage.noise(64, 48))
    tier.holdStores()
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: noise.prefix(noise.count / 2))
    // The store must start before the decode fails, because the loader stores no bytes that it could not decode.
    await tier.waitForStores()
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    // The failure is no longer remembered.
    fixture.clock.advance(by: .seconds(31))
    let newcomer = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: good)
    #expect(TestColor.blue.isNearly(try await newcomer.value.color))
    tier.release()
    await fixture.loader.waitForIdle()
  }
}
