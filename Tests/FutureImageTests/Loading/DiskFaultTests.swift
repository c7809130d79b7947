import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Disk tiers that are broken, full, or slow.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DiskFaultTests {
  let shop = Shop()

  @Test func `a corrupt body requested in two sizes is fetched again, and both waiters get their image`() async throws {
    let good = Picture.noise(600, 450)
    let tier = HeldTier(good.prefix(good.count / 2))
    tier.holdReads()
    let future = shop.future(policy: .tiers(disk: tier))
    let widths = Lock<[Int?]>([])
    for fitting in [FutureImage.Fitting.square(150), .full] {
      future.wait(fitting) { result in widths.withLock { $0.append((try? result.get())?.cgImage?.width) } }
    }
    tier.letGo()
    let pump = Task {
      while !Task.isCancelled {
        await shop.held.waitForHeld()
        shop.held.resolve(with: good)
      }
    }
    await shop.held.waitForRequests()
    await shop.loader.waitUntilSettled()
    pump.cancel()
    #expect(widths.withLock { $0.count } == 2)
    #expect(widths.withLock { $0.contains(600) && !$0.contains(nil) })
    #expect(tier.body == good)
  }

  @Test func `a tier's corrupt body is not taken again from another future that has it`() async throws {
    let good = Picture.noise(600, 450)
    let shop = Shop { $0.retry = .never }
    let (keeper, asker) = (shop.future(policy: .modelOnly), shop.future(policy: .modelOnly))
    await shop.held.waitForHeld()
    // As if from a future with a tier, at the moment when that future had the bytes.
    let size = FutureImage.PixelSize(width: 600, height: 450)
    let rotten = Encoded(data: good.prefix(good.count / 2), size: size, isFromDisk: true)
    for future in [keeper, asker] { future.give(rotten) }
    await shop.loader.waitUntilSettled()
    #expect(asker.retainedBytes?.isFromDisk == true)
    let value = Task { try await asker.value }
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: good)
    #expect(try await value.value.cgImage?.width == 600)
  }

  @MainActor @Test func `a view bound while the store fails gets the image without a second download`() async {
    let tier = HeldTier()
    tier.fill()
    tier.holdStores()
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.held.waitForRequests()
    shop.held.resolve(with: Picture.jpeg(1200, 900))
    await tier.waitForStores()
    let early = imageView(150)
    early.futureImage = future
    tier.letGo()
    await shop.loader.waitUntilSettled()
    #expect(early.image?.cgImage?.width == 150)
    let late = imageView(1200)
    late.futureImage = future
    await shop.loader.waitUntilSettled()
    #expect(late.image?.cgImage?.width == 1200)
    #expect(shop.held.requests.count == 1)
    #expect(shop.loader.statistics.cacheFaults > 0)
  }

  @Test func `bytes that no tier could store are neither read nor fetched again while their picture holds them`() async throws {
    let tier = HeldTier()
    tier.fill()
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.serve()
    await shop.loader.waitUntilSettled()
    #expect(future.retainedBytes != nil)
    future.requestBytesAgain()
    await shop.loader.waitUntilSettled()
    #expect(tier.readsBegun == 1)
    #expect(!future.requestsBytes)
    #expect(shop.held.requests.count == 1)
  }

  @Test func `a tier that cannot store a reloaded image does not return the old one`() async throws {
    let tier = HeldTier(Colour.red.jpeg())
    let first = shop.future(policy: .tiers(disk: tier))
    #expect(Colour.red.isNearly(try await first.value.colour))
    tier.fill()
    first.reload()
    await shop.serve("a", Colour.blue.jpeg())
    shop.loader.emptyPixelPool()
    let second = shop.future(policy: .tiers(disk: tier))
    let pump = Task {
      await shop.held.waitForHeld()
      shop.held.resolve(with: Colour.blue.jpeg())
    }
    #expect(Colour.blue.isNearly(try await second.value.colour))
    pump.cancel()
  }

  @Test func `bytes staged for one tier are also stored in the tier of a later future`() async throws {
    let (slow, late) = (HeldTier(), HeldTier())
    slow.holdStores()
    let first = shop.future(policy: .tiers(disk: slow))
    let picture = Picture.jpeg()
    await shop.held.waitForRequests()
    shop.held.resolve(with: picture)
    await slow.waitForStores()
    let second = shop.future(policy: .tiers(disk: late))
    _ = try await second.value
    slow.letGo()
    await shop.loader.waitUntilSettled()
    #expect(late.stores == 1)
    #expect(late.body == picture)
    #expect(slow.body == picture)
    #expect(shop.held.requests.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `bytes staged for one tier are also stored in another whose lookup was in progress`() async throws {
    let (other, asked) = (HeldTier(), HeldTier())
    asked.holdReads()
    let second = shop.future(policy: .tiers(disk: asked))
    await asked.waitForReads()
    let first = shop.future(policy: .tiers(disk: other))
    let picture = Picture.jpeg()
    await shop.held.waitForRequests()
    shop.held.resolve(with: picture)
    // The write waits, because a lookup is under way.
    await waitWhile(first.requestsBytes)
    asked.letGo()
    _ = try await second.value
    await shop.loader.waitUntilSettled()
    #expect(asked.body == picture)
    #expect(other.body == picture)
    #expect(shop.held.requests.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `staged bytes are not found after a newer image has arrived that no tier stores`() async throws {
    let tier = HeldTier()
    tier.holdStores()
    weak var gone: FutureImage?
    do {
      let first = shop.future(policy: .tiers(disk: tier))
      gone = first
      await shop.held.waitForRequests()
      shop.held.resolve(with: Colour.red.jpeg())
      await tier.waitForStores()
    }
    // The thread that delivered its bytes may retain the future for a moment. Until then its tier would get the newer image, too.
    await waitWhile(gone != nil)
    let second = shop.future(policy: .modelOnly)
    second.reload()
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Colour.blue.jpeg())
    await waitWhile(shop.loader.generation(of: SourceKey(second.key)) != 1)
    // In another size; otherwise it would use the pixels of the second future.
    let third = shop.future(policy: .tiers(disk: tier), size: CGSize(width: 4, height: 3))
    await shop.held.waitForRequests(3)
    shop.held.resolve(with: Colour.blue.jpeg())
    #expect(Colour.blue.isNearly(try await third.value.colour))
    tier.letGo()
    await shop.loader.waitUntilSettled()
    #expect(tier.body == Colour.blue.jpeg())
    #expect(shop.held.requests.count == 3)
  }

  @Test func `bytes staged for one tier do not replace the image that another has`() async throws {
    let (other, asked) = (HeldTier(), HeldTier(Colour.blue.jpeg()))
    asked.holdReads()
    let second = shop.future(policy: .tiers(disk: asked))
    await asked.waitForReads()
    let first = shop.future(policy: .tiers(disk: other))
    await shop.held.waitForRequests()
    shop.held.resolve(with: Colour.red.jpeg())
    // The write waits, because a lookup is under way.
    await waitWhile(first.requestsBytes)
    asked.letGo()
    #expect(Colour.blue.isNearly(try await second.value.colour))
    await shop.loader.waitUntilSettled()
    #expect(asked.stores == 0 && other.stores == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `hundreds of futures that wait for one lookup all get the image`() async {
    let tier = HeldTier(Picture.jpeg())
    tier.holdReads()
    let futures = (0..<600).map { _ in shop.future(policy: .tiers(disk: tier)) }
    await tier.waitForReads()
    tier.letGo()
    await shop.loader.waitUntilSettled()
    #expect(futures.allSatisfy { $0.phase.name == "fetched" })
    #expect(tier.readsBegun == 1)
    #expect(shop.held.requests.isEmpty)
  }
}
