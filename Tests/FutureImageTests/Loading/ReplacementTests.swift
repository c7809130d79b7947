import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Reloads that return another image while the old one is still being decoded, delivered, or stored.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReplacementTests {
  let decoder = GatedDecoder()
  let shop: Shop

  init() {
    let decoder = decoder
    shop = Shop { $0.decoder = decoder }
  }

  @Test func `a decode of the old image in delivery is not mistaken for the new image`() async {
    let memory = HeldMemory()
    await memory.hold(.store)
    let futures = [shop.future(policy: .tiers(memory: memory)), shop.future(policy: .tiers(memory: memory))]
    let views = [imageView(1200), imageView(1200)]
    // A second size, so that the trial of the new image leaves no pixels.
    let small = shop.future()
    small.wait(.square(8)) { _ in }
    for (future, view) in zip(futures, views) { view.futureImage = future }
    await shop.held.waitForRequests()
    shop.held.resolve(with: Colour.red.jpeg(1200, 900))
    await memory.waitForHeld()
    await waitWhile(shop.loader.pool.decodes(of: small.descriptor?.key ?? "").count < 2)
    decoder.close(width: 1200, passing: 1)
    futures[0].reload()
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Colour.blue.jpeg(1200, 900))
    await waitWhile(!futures.allSatisfy({ $0.generation == 1 && $0.requestsPixels }))
    memory.letGo()
    await decoder.waitForHeld()
    decoder.open()
    await shop.loader.waitUntilSettled()
    #expect(views.allSatisfy { Colour.blue.isNearly($0.image?.colour) })
  }

  @Test func `a view bound while the image is replaced ends with the new one`() async {
    let (old, new) = (Colour.red.jpeg(), Colour.blue.jpeg())
    var wrong = 0
    for round in 0..<60 {
      let shop = Shop()
      let futures = (0..<10).map { _ in shop.future("\(round)") }
      let views = futures.map { _ in imageView(64) }
      await shop.serve("\(round)", old)
      _ = try? await futures[0].value
      futures[0].reload()
      await shop.held.waitForRequests(2)
      Task.detached { shop.held.resolve(with: new) }
      for _ in 0..<3 {
        for (future, view) in zip(futures, views) { view.futureImage = future }
        await Task.yield()
      }
      await shop.loader.waitUntilSettled()
      wrong += views.count { !Colour.blue.isNearly($0.image?.colour) }
    }
    #expect(wrong == 0)
  }

  @Test func `a smaller decode that ends later does not replace a larger one`() async throws {
    let future = shop.future()
    await shop.serve()
    decoder.close(width: 150)
    let small = Task { try await future.value(fitting: .square(150)) }
    await decoder.waitForHeld()
    let whole = try await future.value
    decoder.open()
    _ = try await small.value
    await shop.loader.waitUntilSettled()
    guard case .ready(let image) = future.phase else { return #expect(Bool(false), "\(future.phase)") }
    #expect(image === whole)
  }

  @Test func `a larger image that needs fewer pixels replaces a smaller one`() async {
    let view = imageView(600)
    let future = shop.future()
    view.futureImage = future
    await shop.serve("a", Picture.jpeg(600, 450))
    future.reload()
    await shop.held.waitForRequests(2)
    await shop.serve("a", Picture.jpeg(2400, 1800))
    #expect(view.image?.size.width == 2400)
    guard case .ready(let image) = future.phase else { return #expect(Bool(false), "\(future.phase)") }
    #expect(image === view.image)
  }

  @Test func `a memory tier does not retain a replaced image`() async throws {
    let cache = NSCache<NSString, UIImage>()
    let first = shop.future(policy: .using(cache: cache, key: "k"))
    await shop.serve("a", Colour.red.jpeg())
    _ = try await first.value
    first.reload()
    await shop.held.waitForRequests(2)
    await shop.serve("a", Colour.blue.jpeg())
    let second = shop.future(policy: .using(cache: cache, key: "k"))
    #expect(Colour.blue.isNearly(try await second.value.colour))
  }

  @Test func `a memory tier does not retain an old image whose store was in progress`() async throws {
    let memory = HeldMemory()
    await memory.hold(.store)
    let first = shop.future(policy: .tiers(memory: memory))
    await shop.serve("a", Colour.red.jpeg())
    async let old = first.value
    await memory.waitForHeld()
    first.reload()
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Colour.blue.jpeg())
    await waitWhile(first.generation == 0)
    memory.letGo()
    _ = try await old
    await shop.loader.waitUntilSettled()
    let second = shop.future(policy: .tiers(memory: memory))
    #expect(Colour.blue.isNearly(try await second.value.colour))
  }

  @Test(.timeLimit(.minutes(5))) func `a new future gets the new image while that image waits for the store of the old one`() async throws {
    let (shop, tier) = (Shop(), HeldTier())
    tier.holdStores()
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.held.waitForHeld()
    shop.held.resolve(with: Colour.red.jpeg())
    _ = try await future.value
    await tier.waitForStores()
    future.reload()
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Colour.blue.jpeg())
    await waitWhile(future.generation == 0)
    // The first image is stored, and the store of the second one is held.
    tier.letGo()
    tier.holdStores()
    await tier.waitForStores(2)
    let newcomer = shop.future(policy: .tiers(disk: tier))
    #expect(Colour.blue.isNearly(try await newcomer.value.colour))
    // The only read is that of the first future.
    #expect(tier.readsBegun == 1)
    #expect(shop.held.requests.count == 2)
    tier.letGo()
    await shop.loader.waitUntilSettled()
  }

  @Test(.timeLimit(.minutes(5)))
  func `an image that waits to be stored is known as the newer one however many others are replaced`() async throws {
    let (shop, tier) = (Shop(), HeldTier())
    tier.holdStores()
    var future: FutureImage? = shop.future("kept", policy: .tiers(disk: tier))
    await replace(future, "kept", in: shop)
    future = nil
    for number in 0..<300 { await replace(shop.future("\(number)", policy: .modelOnly), "\(number)", in: shop) }
    let requests = shop.held.requests.count
    let newcomer = shop.future("kept", policy: .tiers(disk: tier))
    await waitWhile(newcomer.phase.name == "loading" && shop.held.heldCount == 0)
    #expect(newcomer.phase.name == "fetched")
    #expect(shop.held.requests.count == requests)
    newcomer.cancel()
    tier.letGo()
    await shop.loader.waitUntilSettled()
  }

  /// Loads an image, and replaces it by another one.
  private func replace(_ future: FutureImage?, _ name: String, in shop: Shop) async {
    await shop.held.waitForHeld()
    shop.held.resolve(Shop.url(name), with: Colour.red.jpeg())
    await waitWhile(future?.phase.name != "fetched")
    future?.reload()
    await shop.held.waitForHeld()
    shop.held.resolve(Shop.url(name), with: Colour.blue.jpeg())
    await waitWhile(future?.generation == 0)
  }
}
