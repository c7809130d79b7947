import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The memory that a loader needs for images that no future has anymore.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct LoaderMemoryTests {
  /// A shop that remembers few images without futures.
  private func forgetfulShop() -> Shop {
    let shop = Shop { $0.maxTransfersPerHost = 24 }
    shop.loader.state.withLock { $0.pictures = Registry(limit: 50) }
    return shop
  }

  @Test func `failures of unused images are forgotten`() async {
    let shop = forgetfulShop()
    for round in 0..<5 {
      let futures = (0..<100).map { shop.future("\(round)-\($0)") }
      for number in futures.indices {
        await shop.held.waitForRequests(round * 100 + number + 1)
        shop.held.answer(nil, FutureImage.Response(status: 404))
      }
      await shop.loader.waitUntilSettled()
      #expect(futures.allSatisfy { $0.failure?.reason == .status(404) })
      #expect(shop.loader.pictureCount >= 100)
      withExtendedLifetime(futures) {}
    }
    await waitWhile(shop.loader.pictureCount > 50)
    #expect(shop.loader.pictureCount == 50)
  }

  @Test func `a failure is remembered without futures, and forgotten when it is retried`() async {
    let shop = Shop { $0.retry = .never }
    var future: FutureImage? = shop.future()
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.waitUntilSettled()
    await alone(&future)
    future = nil
    #expect(shop.loader.failureCount(of: SourceKey(Shop.url().absoluteString)) == 1)
    #expect(shop.loader.pictureCount == 1)
    shop.loader.retryFailed()
    #expect(shop.loader.pictureCount == 0)
  }

  @Test func `the failure of a transfer is forgotten with the last future of its image`() async {
    let shop = Shop { $0.retry = .never }
    var (first, second): (FutureImage?, FutureImage?) = (shop.future(), shop.future())
    await shop.held.waitForHeld()
    shop.held.fail()
    await shop.loader.waitUntilSettled()
    await alone(&first)
    await alone(&second)
    first = nil
    #expect(shop.loader.state.withLock { $0.pictures[SourceKey(Shop.url().absoluteString)]?.notes.hasFailed } == true)
    second = nil
    #expect(shop.loader.state.withLock { $0.pictures[SourceKey(Shop.url().absoluteString)] } == nil)
  }

  @Test func `generations of unused images are forgotten, and new futures still get the newest image`() async throws {
    let shop = forgetfulShop()
    let tiers = (0..<1_000).map { _ in HeldTier(Colour.red.jpeg(8, 6)) }
    for first in stride(from: 0, to: 1_000, by: 20) {
      let futures = (first..<first + 20).map { shop.future("\($0)", policy: .tiers(disk: tiers[$0])) }
      if first == 0 { for future in futures { #expect(Colour.red.isNearly(try await future.value.colour)) } }
      for future in futures { future.reload() }
      await shop.held.waitForHeld(20)
      shop.held.resolve(with: Colour.blue.jpeg(8, 6))
      await shop.loader.waitUntilSettled()
      if first == 0 { for future in futures { #expect(Colour.blue.isNearly(try await future.value.colour)) } }
    }
    #expect(shop.loader.pictureCount <= 100)
    for number in [0, 1, 9, 500, 999] {
      let newcomer = shop.future("\(number)", policy: .tiers(disk: tiers[number]))
      #expect(Colour.blue.isNearly(try await newcomer.value.colour))
    }
  }

  @Test func `the generation of an image that a future has is not forgotten`() async throws {
    let shop = forgetfulShop()
    let keeper = shop.future("kept", policy: .modelOnly)
    await shop.serve("kept", Colour.red.jpeg(8, 6))
    keeper.reload()
    await shop.serve("kept", Colour.blue.jpeg(8, 6))
    for first in stride(from: 0, to: 600, by: 20) {
      let futures = (first..<first + 20).map { shop.future("\($0)") }
      for future in futures { future.reload() }
      await shop.held.waitForHeld(20)
      shop.held.resolve(with: Colour.red.jpeg(8, 6))
      await shop.loader.waitUntilSettled()
      withExtendedLifetime(futures) {}
    }
    #expect(shop.loader.generation(of: SourceKey(keeper.key)) == 1)
    #expect(Colour.blue.isNearly(try await shop.future("kept", policy: .modelOnly).value.colour))
    #expect(shop.held.requests.count { $0.url == Shop.url("kept") } == 2)
  }

  @Test func `pixels that must be revalidated are forgotten with the validity of their image`() async throws {
    let shop = Shop()
    shop.loader.state.withLock { $0.pictures = Registry(limit: 0) }
    var future: FutureImage? = shop.future()
    await shop.serve(headers: ["cache-control": "no-cache"])
    _ = try await future?.value
    #expect(shop.loader.pixelBytes > 0)
    await alone(&future)
    future = nil
    #expect(shop.loader.pictureCount == 0)
    #expect(shop.loader.pixelBytes == 0)
    let later = shop.future()
    try #require(!later.phase.isFinal)
    await shop.held.waitForRequests(2)
    withExtendedLifetime(later) {}
  }

  @Test func `a tier without an entry is retained as long as its miss is remembered`() async {
    let shop = Shop()
    let other = shop.future()
    await shop.held.waitForHeld()
    var tier: HeldTier? = HeldTier()
    var future: FutureImage? = shop.future(policy: .tiers(disk: tier))
    weak let weakTier = tier
    tier = nil
    await waitWhile(shop.loader.transferWaiterCount(of: SourceKey(Shop.url().absoluteString)) < 2)
    #expect(future != nil)
    future = nil
    // A new tier at the same address would pass for the one without an entry.
    #expect(weakTier != nil)
    shop.held.resolve(with: Picture.jpeg())
    await shop.loader.waitUntilSettled()
    await waitWhile(weakTier != nil)
    withExtendedLifetime(other) {}
  }
}
