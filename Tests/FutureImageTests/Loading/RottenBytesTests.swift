import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Bytes of a disk tier with a valid header and a corrupt body, which only a decode detects.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RottenBytesTests {
  let decoder = GatedDecoder()
  let shop: Shop
  let tier: HeldTier
  let good = Colour.blue.jpeg()

  init() {
    let decoder = decoder
    shop = Shop {
      $0.decoder = decoder
      $0.retry = .never
      $0.maxDecodes = 4
    }
    let noise = Picture.noise(64, 48)
    tier = HeldTier(noise.prefix(noise.count / 2))
  }

  /// Returns a future, and the tasks that await it in two sizes.
  private func asked() -> (future: FutureImage, small: Task<Colour?, any Error>, whole: Task<Colour?, any Error>) {
    let future = shop.future(policy: .tiers(disk: tier))
    let small = Task { try await future.value(fitting: .square(16)).colour }
    let whole = Task { try await future.value.colour }
    return (future, small, whole)
  }

  @Test(arguments: [64, 16])
  func `corrupt bytes decoded to two sizes at once are fetched again once, whichever fails first`(held: Int) async throws {
    decoder.close()
    let (future, small, whole) = asked()
    await decoder.waitForHeld(2)
    // One decode fails. The other one waits until the good bytes have arrived.
    decoder.open(except: held)
    await shop.held.waitForHeld()
    shop.held.resolve(with: good)
    _ = held == 64 ? try await small.value : try await whole.value
    decoder.open()
    #expect(Colour.blue.isNearly(try await small.value))
    #expect(Colour.blue.isNearly(try await whole.value))
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.count == 1)
    #expect(tier.body == good)
    #expect(future.failure == nil)
  }

  @Test func `corrupt bytes that fail in two sizes at the same time are fetched again once`() async throws {
    for _ in 0..<50 {
      let shop = Shop { $0.maxDecodes = 2 }
      let noise = Picture.noise(64, 48)
      let future = shop.future(policy: .tiers(disk: HeldTier(noise.prefix(noise.count / 2))))
      async let small = future.value(fitting: .square(16))
      async let whole = future.value
      await shop.held.waitForHeld()
      shop.held.resolve(with: good)
      _ = try await (small, whole)
      await shop.loader.waitUntilSettled()
      #expect(shop.held.requests.count == 1)
    }
  }

  @Test func `bytes fetched for one size also serve another whose corrupt bytes are removed slowly`() async throws {
    tier.holdRemovals()
    let rotten = try #require(tier.body)
    let future = shop.future(policy: .tiers(disk: tier))
    async let small = future.value(fitting: .square(16))
    await shop.held.waitForHeld()
    // The removal retains the bytes to compare them.
    #expect(shop.loader.configuration.writes.use.bytes == rotten.count)
    async let whole = future.value
    await waitWhile(future.waiterCount < 2)
    shop.held.resolve(with: good)
    #expect(Colour.blue.isNearly(try await whole.colour))
    tier.letGo()
    #expect(Colour.blue.isNearly(try await small.colour))
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.count == 1)
    #expect(tier.body == good)
  }

  @Test func `corrupt bytes that fail late do not remove good ones stored in the meantime`() async throws {
    // The thumbnail is made from a decode of that width.
    decoder.close(width: 48)
    let whole = shop.future(policy: .tiers(disk: tier))
    let thumbnail = FutureImage(
      .url(Shop.url()), cachePolicy: .tiers(disk: tier), transform: .resize(to: CGSize(width: 16, height: 12), .fit), loader: shop.loader)
    let second = Task { try await thumbnail.value }
    await decoder.waitForHeld()
    async let first = whole.value
    await shop.held.waitForHeld()
    shop.held.resolve(with: good)
    _ = try await first
    // Stores wait until the loader is quiet, but not forever.
    await shop.writeClock.waitForSleepers()
    shop.writeClock.advance(by: WriteBehind.longestWait)
    await tier.waitForStored()
    decoder.open()
    await shop.held.waitForHeld()
    shop.held.fail(nil, .status(404))
    await #expect(throws: FutureImage.Failure.self) { try await second.value }
    await shop.loader.waitUntilSettled()
    #expect(tier.body == good)
  }

  @Test func `both waiters get the failure of one request if no better bytes arrive`() async {
    let (future, small, whole) = asked()
    await shop.held.waitForHeld()
    await waitWhile(future.waiterCount < 2)
    shop.held.fail()
    for task in [small, whole] {
      await #expect { try await task.value } throws: { ($0 as? FutureImage.Failure)?.reason == .transport(.connectionLost) }
    }
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.count == 1)
    #expect(future.failure?.reason == .transport(.connectionLost))
  }

  // The view needs the pixels, so taking the bytes again would decode them again, without end.
  @Test(.timeLimit(.minutes(5)))
  func `undecodable bytes that are still being stored are not given to a new future`() async throws {
    let (tier, noise) = (HeldTier(), Picture.noise(64, 48))
    tier.holdStores()
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.held.waitForHeld()
    shop.held.resolve(with: noise.prefix(noise.count / 2))
    // Later, they would not be stored at all.
    await tier.waitForStores()
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    // The failure is no longer remembered.
    shop.clock.advance(by: .seconds(31))
    let newcomer = shop.future(policy: .tiers(disk: tier))
    await shop.held.waitForHeld()
    shop.held.resolve(with: good)
    #expect(Colour.blue.isNearly(try await newcomer.value.colour))
    tier.letGo()
    await shop.loader.waitUntilSettled()
  }
}
