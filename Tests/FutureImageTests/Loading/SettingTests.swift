import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Pictures that an app puts in the place of what was fetched.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SettingTests {
  let disk = FutureImage.DiskCache.temporary()
  let shop: Shop
  let key = FutureImage.Source.url(Shop.url()).key
  let blue = Picture.image(64, 48, red: 0, green: 0, blue: 250)

  init() {
    let disk = disk
    shop = Shop(disk: disk) { $0.retry = .never }
  }

  @Test func `every view and the disk have the new picture, and a later run of the program finds it`() async throws {
    let (futures, views) = ([shop.future(), shop.future()], [imageView(64), imageView(64)])
    for (future, view) in zip(futures, views) { view.futureImage = future }
    await shop.serve("a", Colour.red.jpeg())
    let bytes = shop.loader.pixelBytes
    try await shop.loader.set(blue, forKey: key)
    await shop.loader.settled()
    #expect(shop.loader.pixelBytes == bytes)
    for view in views { #expect(view.image?.colour == blue.colour) }
    #expect(try await disk.entry(forKey: key)?.body == blue.pngData())
    let later = Shop(disk: disk)
    #expect(try await later.future().value.colour == blue.colour)
    #expect(later.held.requests.isEmpty)
  }

  @Test func `a transfer under way ends, and whoever waits for it gets the picture`() async throws {
    let future = shop.future()
    let task = Task { try await future.value }
    await shop.held.waitForHeld()
    try await shop.loader.set(blue, forKey: key)
    #expect(try await task.value.colour == blue.colour)
    await shop.held.waitForCancellations()
    #expect(shop.held.heldCount == 0)
    #expect(shop.loader.statistics.failures == 0)
  }

  @Test func `a future whose turn has not come asks for nothing any more`() async throws {
    let shop = Shop { $0.maxTransfersPerHost = 1 }
    let others = (0..<100).map { shop.future("\($0)") }
    let future = shop.future()
    try await shop.loader.set(blue, forKey: key)
    for number in 1...100 {
      await shop.held.waitForRequests(number)
      shop.held.resolve(with: Colour.red.jpeg())
    }
    #expect(try await future.value.colour == blue.colour)
    await shop.loader.settled()
    #expect(!shop.held.requests.contains { $0.url == Shop.url() })
    withExtendedLifetime(others) {}
  }

  @Test func `a wait between two attempts ends, too`() async throws {
    let shop = Shop()
    let future = shop.future()
    await shop.held.waitForHeld()
    shop.held.fail(nil, .status(503))
    await shop.clock.waitForSleepers()
    try await shop.loader.set(blue, forKey: key)
    #expect(try await future.value.colour == blue.colour)
    await shop.loader.settled()
    #expect(shop.held.requests.count == 1)
  }

  @Test func `a disk that is asked meanwhile does not bring the old picture`() async throws {
    let tier = HeldTier(Colour.red.jpeg())
    tier.holdReads()
    let future = shop.future(policy: .tiers(disk: tier))
    await tier.waitForReads()
    try await shop.loader.set(blue, forKey: key)
    tier.letGo()
    #expect(try await future.value.colour == blue.colour)
    await shop.loader.settled()
    #expect(tier.body == blue.pngData())
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `futures made later find it, though nobody had the picture`() async throws {
    try await shop.loader.set(blue, forKey: key)
    #expect(try await shop.future().value.colour == blue.colour)
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `what failed for good is there`() async throws {
    let (future, view) = (shop.future(), imageView(64))
    view.futureImage = future
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.settled()
    try await shop.loader.set(blue, forKey: key)
    await shop.loader.settled()
    #expect(view.image?.colour == blue.colour)
    #expect(try await shop.future().value.colour == blue.colour)
    #expect(shop.held.requests.count == 1)
  }

  @Test func `that the source failed for good is forgotten`() async throws {
    let shop = Shop()
    var future: FutureImage? = shop.future()
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.settled()
    // Else it might have the new picture, and give it to the next.
    await alone(&future)
    future = nil
    try await shop.loader.set(blue, forKey: key)
    let next = shop.future()
    await shop.held.waitForRequests(2)
    withExtendedLifetime(next) {}
  }

  @Test func `it stays until it is reloaded`() async throws {
    let (future, view) = (shop.future(), imageView(64))
    view.futureImage = future
    await shop.serve("a", Colour.red.jpeg(), headers: ["cache-control": "max-age=0"])
    try await shop.loader.set(blue, forKey: key)
    await shop.loader.settled()
    view.futureImage = shop.future()
    await shop.loader.settled()
    #expect(view.image?.colour == blue.colour)
    #expect(shop.held.requests.count == 1)
    future.reload()
    await shop.serve("a", Colour.red.jpeg())
    #expect(Colour.red.isNearly(view.image?.colour))
  }

  @Test func `sizes and transforms apply, and a photo that lies turned is shown upright`() async throws {
    let pixels = try #require(Picture.image(64, 48).cgImage)
    let future = FutureImage(at: Shop.url(), transform: .crop(toRatio: 1), loader: shop.loader)
    try await shop.loader.set(UIImage(cgImage: pixels, scale: 2, orientation: .right), forKey: key)
    let shown = try await future.value
    #expect([shown.cgImage?.width, shown.cgImage?.height] == [48, 48])
    let whole = try await shop.future().value
    #expect([whole.cgImage?.width, whole.cgImage?.height] == [48, 64])
  }

  @Test func `an image without pixels is refused, and changes nothing`() async throws {
    let future = shop.future()
    await shop.serve("a", Colour.red.jpeg())
    let failure = await #expect(throws: FutureImage.Failure.self) { try await shop.loader.set(UIImage(), forKey: key) }
    #expect(failure?.reason == .unreadable("it has no pixels; set an image that has some"))
    #expect(failure?.source == key)
    #expect(Colour.red.isNearly(try await future.value.colour))
  }

  @Test func `a reload at once does not bring the old picture back`() async throws {
    let tier = HeldTier()
    let (future, view) = (shop.future(policy: .tiers(disk: tier)), imageView(64))
    view.futureImage = future
    await shop.serve("a", Colour.red.jpeg(), headers: ["etag": "\"red\""])
    #expect(tier.stores == 1)
    tier.holdStores()
    try await shop.loader.set(blue, forKey: key)
    future.reload()
    await shop.held.waitForRequests(2)
    #expect(shop.held.requests.last?.headers["If-None-Match"] == nil)
    // What a server says that has the old picture still. It is no answer to a request without a condition, which is made once more.
    shop.held.answer(nil, FutureImage.Response(status: 304))
    await shop.held.waitForRequests(3)
    shop.held.fail(nil, .status(404))
    tier.letGo()
    await shop.loader.settled()
    #expect(tier.body == blue.pngData())
    #expect(view.image?.colour == blue.colour)
  }

  @Test func `a reload does not ask about what a tier could not be rid of`() async throws {
    let tier = HeldTier()
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.serve("a", Colour.red.jpeg(), headers: ["etag": "\"red\""])
    tier.setBroken(true)
    try await shop.loader.set(blue, forKey: key)
    await shop.loader.settled()
    tier.setBroken(false)
    future.reload()
    await shop.held.waitForRequests(2)
    #expect(shop.held.requests.last?.headers["If-None-Match"] == nil)
    shop.held.fail(nil, .status(404))
    await shop.loader.settled()
    #expect(try await future.value.colour == blue.colour)
  }
}
