import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// If no disk tier stores the bytes of an image, its futures share those that they retain.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct KeptBytesTests {
  let shop = Shop()

  @Test func `a new future uses the bytes that another future of its key retains`() async throws {
    let keeper = shop.future(policy: .modelOnly)
    await shop.serve()
    let newcomer = shop.future(policy: .modelOnly)
    #expect(newcomer.phase.name == "fetched")
    #expect(shop.held.requests.count == 1)
    withExtendedLifetime(keeper) {}
  }

  @Test func `futures created while another receives its bytes use those`() async {
    let asked = Lock(0)
    for number in 0..<2_000 {
      func future() -> FutureImage {
        let source = FutureImage.Source.data(key: "\(number)") {
          asked.withLock { $0 += 1 }
          return Picture.jpeg(8, 8)
        }
        return FutureImage(source, cachePolicy: .modelOnly, loader: shop.loader)
      }
      let first = future()
      var newcomers: [FutureImage] = []
      // The transfer needs a thread, too, and a small machine has only two: the wait frees this one between two looks.
      await waitUntil {
        if first.retainedBytes == nil { newcomers += (0..<16).map { _ in future() } }
        return first.retainedBytes != nil
      }
      await shop.loader.waitUntilSettled()
      withExtendedLifetime((first, newcomers)) {}
    }
    #expect(asked.withLock { $0 } == 2_000)
  }

  @Test func `futures created while another receives a set image use that image`() async throws {
    let blue = Picture.image(8, 8, red: 0, green: 0, blue: 250)
    for number in 0..<500 {
      let first = shop.future("\(number)", policy: .modelOnly)
      await shop.held.waitForHeld()
      shop.held.resolve(with: Picture.jpeg(8, 8))
      await shop.loader.waitUntilSettled()
      let setting = Task { [loader = shop.loader] in try await loader.set(blue, forKey: FutureImage.Source.url(Shop.url("\(number)")).key) }
      var newcomers: [FutureImage] = []
      await waitUntil {
        if first.retainedBytes?.generation != 1 { newcomers += (0..<16).map { _ in shop.future("\(number)", policy: .modelOnly) } }
        return first.retainedBytes?.generation == 1
      }
      _ = try await setting.value
      shop.held.resolve(with: Picture.jpeg(8, 8))
      await shop.loader.waitUntilSettled()
      withExtendedLifetime(newcomers) {}
    }
    #expect(shop.held.requests.count == 500)
  }

  @Test func `a new future uses bytes that another one has from a disk tier`() async throws {
    let shop = Shop { $0.retry = .never }
    let keeper = shop.future(policy: .modelOnly)
    await shop.held.waitForHeld()
    let body = Picture.jpeg()
    keeper.give(Encoded(data: body, size: try shop.loader.configuration.decoder.size(of: body), isFromDisk: true))
    await shop.loader.waitUntilSettled()
    let newcomer = shop.future(policy: .modelOnly)
    #expect(newcomer.phase.name == "fetched")
    #expect(shop.held.requests.count == 1)
    withExtendedLifetime(keeper) {}
  }

  @Test func `a future with a disk tier reads that, whatever other futures retain`() async throws {
    let keeper = shop.future(policy: .modelOnly)
    await shop.serve("a", Colour.red.jpeg())
    let newcomer = shop.future(policy: .tiers(disk: HeldTier(Colour.blue.jpeg())))
    #expect(Colour.blue.isNearly(try await newcomer.value.colour))
    #expect(shop.held.requests.count == 1)
    withExtendedLifetime(keeper) {}
  }

  @Test func `each failed read of a disk tier is reported`() async {
    let tier = HeldTier(Picture.jpeg())
    tier.setBroken(true)
    for _ in 0..<2 {
      let entry = await shop.loader.entry("a", tier)
      #expect(entry == nil)
    }
    #expect(shop.loader.statistics.cacheFaults == 2)
    #expect(shop.loader.statistics.lastCacheFault == "Broken()")
  }

  @Test func `a tier that lacks an image is not read again during its transfer, and then gets it`() async {
    let (tier, key) = (HeldTier(), SourceKey(Shop.url().absoluteString))
    func count() -> Int { shop.loader.transferWaiterCount(of: key) }
    let other = shop.future(policy: .modelOnly)
    await shop.held.waitForHeld()
    let first = shop.future(policy: .tiers(disk: tier))
    await waitWhile(count() < 2)
    let second = shop.future(policy: .tiers(disk: tier))
    #expect(count() == 3)
    await shop.serve()
    #expect(tier.readsBegun == 1 && tier.stores == 1)
    withExtendedLifetime((other, first, second)) {}
  }
}
