import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images that an app sets in place of fetched ones.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SettingTests {
  let disk = FutureImage.DiskCache.temporary()
  let shop: Shop
  let key = FutureImage.Source.url(Shop.url()).key
  let blue = Picture.image(64, 48, red: 0, green: 0, blue: 250)

  init() {
    let disk = disk
    shop = Shop(disk: disk) { $0.retry = .never }
  }

  @Test func `every view and the disk get the set image, and a later run of the program finds it`() async throws {
    let (futures, views) = ([shop.future(), shop.future()], [imageView(64), imageView(64)])
    for (future, view) in zip(futures, views) { view.futureImage = future }
    await shop.serve("a", Colour.red.jpeg())
    let bytes = shop.loader.pixelBytes
    try await shop.loader.set(blue, forKey: key)
    await shop.loader.waitUntilSettled()
    #expect(shop.loader.pixelBytes == bytes)
    for view in views { #expect(view.image?.colour == blue.colour) }
    #expect(try await disk.entry(forKey: key)?.body == blue.pngData())
    let later = Shop(disk: disk)
    #expect(try await later.future().value.colour == blue.colour)
    #expect(later.held.requests.isEmpty)
  }

  @Test func `setting an image ends a running transfer, and its waiters get the image`() async throws {
    let future = shop.future()
    let task = Task { try await future.value }
    await shop.held.waitForHeld()
    try await shop.loader.set(blue, forKey: key)
    #expect(try await task.value.colour == blue.colour)
    await shop.held.waitForCancellations()
    #expect(shop.held.heldCount == 0)
    #expect(shop.loader.statistics.failures == 0)
  }

  @Test func `a future that waits for a slot makes no request once its image is set`() async throws {
    let shop = Shop { $0.maxTransfersPerHost = 1 }
    let others = (0..<100).map { shop.future("\($0)") }
    let future = shop.future()
    try await shop.loader.set(blue, forKey: key)
    for number in 1...100 {
      await shop.held.waitForRequests(number)
      shop.held.resolve(with: Colour.red.jpeg())
    }
    #expect(try await future.value.colour == blue.colour)
    await shop.loader.waitUntilSettled()
    #expect(!shop.held.requests.contains { $0.url == Shop.url() })
    withExtendedLifetime(others) {}
  }

  @Test func `setting an image ends the wait between two attempts`() async throws {
    let shop = Shop()
    let future = shop.future()
    await shop.held.waitForHeld()
    shop.held.fail(nil, .status(503))
    await shop.clock.waitForSleepers()
    try await shop.loader.set(blue, forKey: key)
    #expect(try await future.value.colour == blue.colour)
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.count == 1)
  }

  @Test func `a disk lookup in progress does not restore the old image`() async throws {
    let tier = HeldTier(Colour.red.jpeg())
    tier.holdReads()
    let future = shop.future(policy: .tiers(disk: tier))
    await tier.waitForReads()
    try await shop.loader.set(blue, forKey: key)
    tier.letGo()
    #expect(try await future.value.colour == blue.colour)
    await shop.loader.waitUntilSettled()
    #expect(tier.body == blue.pngData())
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `futures created later find a set image that no future had`() async throws {
    try await shop.loader.set(blue, forKey: key)
    #expect(try await shop.future().value.colour == blue.colour)
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `a set image replaces a permanent failure`() async throws {
    let (future, view) = (shop.future(), imageView(64))
    view.futureImage = future
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.waitUntilSettled()
    try await shop.loader.set(blue, forKey: key)
    await shop.loader.waitUntilSettled()
    #expect(view.image?.colour == blue.colour)
    #expect(try await shop.future().value.colour == blue.colour)
    #expect(shop.held.requests.count == 1)
  }

  @Test func `setting an image makes the loader forget that its source failed permanently`() async throws {
    let shop = Shop()
    var future: FutureImage? = shop.future()
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.waitUntilSettled()
    // Otherwise it might get the new image, and the next future would take it from there.
    await alone(&future)
    future = nil
    try await shop.loader.set(blue, forKey: key)
    let next = shop.future()
    await shop.held.waitForRequests(2)
    withExtendedLifetime(next) {}
  }

  @Test func `a set image stays until it is reloaded`() async throws {
    let (future, view) = (shop.future(), imageView(64))
    view.futureImage = future
    await shop.serve("a", Colour.red.jpeg(), headers: ["cache-control": "max-age=0"])
    try await shop.loader.set(blue, forKey: key)
    await shop.loader.waitUntilSettled()
    view.futureImage = shop.future()
    await shop.loader.waitUntilSettled()
    #expect(view.image?.colour == blue.colour)
    #expect(shop.held.requests.count == 1)
    future.reload()
    await shop.serve("a", Colour.red.jpeg())
    #expect(Colour.red.isNearly(view.image?.colour))
  }

  @Test func `sizes and transforms apply to a set image, and a rotated photo is shown upright`() async throws {
    let pixels = try #require(Picture.image(64, 48).cgImage)
    let future = FutureImage(at: Shop.url(), transform: .crop(toRatio: 1), loader: shop.loader)
    try await shop.loader.set(UIImage(cgImage: pixels, scale: 2, orientation: .right), forKey: key)
    let shown = try await future.value
    #expect([shown.cgImage?.width, shown.cgImage?.height] == [48, 48])
    let whole = try await shop.future().value
    #expect([whole.cgImage?.width, whole.cgImage?.height] == [48, 64])
  }

  @Test func `an image without pixels is refused and changes nothing`() async throws {
    let future = shop.future()
    await shop.serve("a", Colour.red.jpeg())
    let failure = await #expect(throws: FutureImage.Failure.self) { try await shop.loader.set(UIImage(), forKey: key) }
    #expect(failure?.reason == .unreadable("it has no pixels; set an image that has some"))
    #expect(failure?.source == key)
    #expect(Colour.red.isNearly(try await future.value.colour))
  }

  @Test func `an immediate reload does not restore the old image`() async throws {
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
    // The response of a server that still has the old image. It does not answer an unconditional request, which is made once more.
    shop.held.answer(nil, FutureImage.Response(status: 304))
    await shop.held.waitForRequests(3)
    shop.held.fail(nil, .status(404))
    tier.letGo()
    await shop.loader.waitUntilSettled()
    #expect(tier.body == blue.pngData())
    #expect(view.image?.colour == blue.colour)
  }

  @Test func `a reload does not revalidate an entry that a tier could not remove`() async throws {
    let tier = HeldTier()
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.serve("a", Colour.red.jpeg(), headers: ["etag": "\"red\""])
    tier.setBroken(true)
    try await shop.loader.set(blue, forKey: key)
    await shop.loader.waitUntilSettled()
    tier.setBroken(false)
    future.reload()
    await shop.held.waitForRequests(2)
    #expect(shop.held.requests.last?.headers["If-None-Match"] == nil)
    shop.held.fail(nil, .status(404))
    await shop.loader.waitUntilSettled()
    #expect(try await future.value.colour == blue.colour)
  }

  /// A decoder that reads headers only.
  private struct HeadersOnly: FutureImage.ImageDecoder {
    func size(of data: Data) throws -> FutureImage.PixelSize { try FutureImage.StandardDecoder().size(of: data) }
    func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage { throw FutureImage.Failure(.undecodable("it is a header")) }
  }

  @Test func `a set image that cannot be decoded is not fetched in its place`() async throws {
    let shop = Shop { $0.decoder = HeadersOnly() }
    let future = shop.future()
    await shop.held.waitForHeld()
    try await shop.loader.set(blue, forKey: key)
    let failure = await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(failure?.reason == .undecodable("it is a header"))
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.count == 1)
  }
}
