import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The pending work of a loader, by what it waits for.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ActivityTests {
  private let decoder = GatedDecoder()
  private let tier = HeldTier()
  private let shop: Shop

  init() { shop = Shop { [decoder] in $0.decoder = decoder } }

  @Test func `a transfer, a lookup, and a decode each count as a run`() async {
    let transferred = shop.future("transferred", policy: .modelOnly)
    await shop.held.waitForHeld()
    #expect(shop.loader.activity.runs == 1)

    let full = HeldTier(Picture.jpeg())
    full.holdReads()
    let found = shop.future("found", policy: .tiers(disk: full))
    await full.waitForReads()
    #expect(shop.loader.activity.runs == 2)

    decoder.close()
    transferred.wait(.full) { _ in }
    shop.held.resolve(with: Picture.jpeg())
    await decoder.waitForHeld()
    await waitWhile(shop.loader.transferCount > 0)
    #expect(shop.loader.activity.runs == 2)

    decoder.open()
    full.letGo()
    await shop.loader.waitUntilSettled()
    #expect(shop.loader.activity.runs == 0)
    withExtendedLifetime(found) {}
  }

  @Test func `a write counts as a run, and one that waits for it in the same tier counts as nothing`() async {
    tier.holdStores()
    let first = shop.future("first", policy: .tiers(disk: tier))
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg())
    await tier.waitForStores()
    let second = shop.future("second", policy: .tiers(disk: tier))
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg())
    await waitWhile(!shop.loader.state.withLock({ $0.isQuiet && $0.fetches.isEmpty }) || shop.loader.writeCount != 2)
    let activity = shop.loader.activity
    #expect(activity.runs == 1)
    #expect(activity.work == 0)
    tier.letGo()
    await shop.loader.waitUntilSettled()
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a write that nothing delays counts as work`() async {
    _ = shop.loader.configuration.writes.add(.removal(tier.place, by: shop.loader))
    #expect(shop.loader.activity.work == 1)
    #expect(shop.loader.activity.runs == 0)
    await shop.loader.waitUntilSettled()
    #expect(shop.loader.activity.work == 0)
  }

  @Test func `a write that waits for a decode counts as nothing`() async {
    decoder.close()
    let future = shop.future(policy: .tiers(disk: tier))
    future.wait(.full) { _ in }
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg())
    await decoder.waitForHeld()
    await waitWhile(!shop.loader.state.withLock({ $0.work.pending == 0 && $0.fetches.isEmpty }) || shop.loader.writeCount != 1)
    let activity = shop.loader.activity
    #expect(activity.runs == 1)
    #expect(activity.work == 0)
    decoder.open()
    await shop.loader.waitUntilSettled()
  }

  @Test func `a delivery counts once`() async {
    shop.loader.deliver {}
    let activity = shop.loader.activity
    #expect(activity.deliveries == 1)
    #expect(activity.work == 0)
    await shop.loader.delivered()
  }
}
