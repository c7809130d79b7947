import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images that an app sets in place of fetched ones.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SettingTests {
  let disk = FutureImage.DiskCache.temporary()
  let shop: Shop
  let key = FutureImage.Source.url(Shop.url()).key
  let green = Colour(green: 250)
  let lime = Picture.image(64, 48, red: 0, green: 250, blue: 0)
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

  @Test func `a disk lookup in progress says nothing about the validity of a set image`() async throws {
    let (tier, busy) = (HeldTier(), HeldTier())
    try await tier.store(FutureImage.CacheEntry(body: Colour.red.jpeg(), mustRevalidate: true), forKey: key)
    tier.holdReads()
    busy.holdReads()
    let future = shop.future(policy: .tiers(disk: tier))
    // Until its lookup ends, the loader is not quiet, so that the tier still has the old entry.
    let other = shop.future("b", policy: .tiers(disk: busy))
    await tier.waitForReads()
    await busy.waitForReads()
    try await shop.loader.set(blue, forKey: key)
    tier.letGo()
    await waitWhile(shop.loader.state.withLock({ $0.lookups.runCount > 1 }))
    #expect(try await future.value.colour == blue.colour)
    let later = shop.future(policy: .tiers(disk: tier))
    #expect(later.phase.isFinal)
    #expect(shop.held.requests.isEmpty)
    busy.letGo()
    withExtendedLifetime((future, other)) {}
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

  @Test func `a server that still has the old image does not bring it back`() async throws {
    let (future, view) = (shop.future(), imageView(64))
    view.futureImage = future
    await shop.serve("a", Colour.red.jpeg(), headers: ["etag": "\"red\"", "cache-control": "max-age=60"])
    try await shop.loader.set(blue, forKey: key)
    for _ in 0..<2 {
      let count = shop.held.requests.count
      future.reload()
      await shop.held.waitForRequests(count + 1)
      #expect(shop.held.requests.last?.headers["If-None-Match"] == "\"red\"")
      shop.held.answer(nil, FutureImage.Response(status: 304))
      await shop.loader.waitUntilSettled()
      #expect(try await disk.entry(forKey: key)?.body == blue.pngData())
      #expect(view.image?.colour == blue.colour)
    }
    future.reload()
    await shop.serve("a", green.jpeg(), headers: ["etag": "\"green\""])
    #expect(green.isNearly(view.image?.colour))
  }

  @Test func `a set image is revalidated once its time has passed, and lasts until the source has a newer one`() async throws {
    let time = SettableDate()
    let shop = Shop(disk: disk) { $0.now = { time.now } }
    let future = shop.future()
    await shop.serve("a", Colour.red.jpeg(), headers: ["etag": "\"red\""])
    try await shop.loader.set(blue, forKey: key, freshFor: .seconds(300))
    await shop.loader.waitUntilSettled()
    time.advance(seconds: 299)
    #expect(try await shop.future().value.colour == blue.colour)
    #expect(shop.held.requests.count == 1)
    time.advance(seconds: 2)
    let later = shop.future()
    #expect(try await later.value.colour == blue.colour)
    await shop.serve("a", green.jpeg())
    #expect(shop.held.requests.last?.headers["If-None-Match"] == "\"red\"")
    #expect(green.isNearly(try await future.value.colour))
  }

  @Test func `restoring undoes a set image at once, and also for a later run of the program`() async throws {
    let (future, view) = (shop.future(), imageView(64))
    view.futureImage = future
    await shop.serve("a", Colour.red.jpeg(), headers: ["etag": "\"red\""])
    let replaced = try await shop.loader.set(blue, forKey: future.key)
    await shop.loader.waitUntilSettled()
    await shop.loader.restore(replaced)
    await shop.loader.waitUntilSettled()
    #expect(Colour.red.isNearly(view.image?.colour))
    #expect(try await disk.entry(forKey: key)?.eTag == "\"red\"")
    #expect(Colour.red.isNearly(try await Shop(disk: disk).future().value.colour))
    #expect(shop.held.requests.count == 1)
  }

  @Test func `restoring changes nothing once the key has another image, and asks the source if none was known`() async throws {
    let first = try await shop.loader.set(blue, forKey: key)
    let second = try await shop.loader.set(Picture.image(64, 48, red: 250, green: 0, blue: 0), forKey: key)
    await shop.loader.waitUntilSettled()
    await shop.loader.restore(first)
    await shop.loader.waitUntilSettled()
    let future = shop.future()
    #expect(Colour.red.isNearly(try await future.value.colour))
    await shop.loader.restore(second)
    await shop.serve("a", Colour.blue.jpeg())
    #expect(Colour.blue.isNearly(try await future.value.colour))
    let other = shop.future("b")
    await shop.held.waitForHeld()
    let replaced = try await shop.loader.set(blue, forKey: other.key)
    #expect(try await other.value.colour == blue.colour)
    await shop.loader.waitUntilSettled()
    await shop.loader.restore(replaced)
    await shop.serve("b", green.jpeg())
    #expect(green.isNearly(try await other.value.colour))
    let entry = try await disk.entry(forKey: other.key)
    #expect(entry?.body == green.jpeg())
  }

  @Test func `views show their placeholder again once an image that replaced none is restored, also if the source has none`() async throws {
    let placeholder = FutureImage.Placeholder.color(hex: "#00FF00")
    let future = FutureImage(at: Shop.url(), placeholder: placeholder, size: CGSize(width: 64, height: 48), loader: shop.loader)
    let (view, presented) = (imageView(64), imageView(64))
    view.futureImage = future
    presented.display(future, .init(retriesOnTap: false))
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.waitUntilSettled()
    let replaced = try await shop.loader.set(blue, forKey: future.key)
    await shop.loader.waitUntilSettled()
    #expect(view.image?.colour == blue.colour && presented.image?.colour == blue.colour)
    await shop.loader.restore(replaced)
    await shop.held.waitForRequests(2)
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.waitUntilSettled()
    #expect(view.image === future && view.futureImage === future)
    #expect(presented.image?.colour != blue.colour)
    #expect(future.phase.failure?.reason == .status(404))
    #expect(try await disk.entry(forKey: key) == nil)
  }

  @Test(arguments: [false, true]) func `two images that were set and both restored leave the one before them`(inOrder: Bool) async throws {
    let (future, view) = (shop.future(), imageView(64))
    view.futureImage = future
    await shop.serve("a", Colour.red.jpeg(), headers: ["etag": "\"red\""])
    let first = try await shop.loader.set(blue, forKey: future.key)
    let second = try await shop.loader.set(lime, forKey: future.key)
    await shop.loader.waitUntilSettled()
    await shop.loader.restore(inOrder ? first : second)
    await shop.loader.waitUntilSettled()
    #expect(view.image?.colour == (inOrder ? lime : blue).colour)
    await shop.loader.restore(inOrder ? second : first)
    await shop.loader.waitUntilSettled()
    #expect(Colour.red.isNearly(view.image?.colour))
    #expect(try await disk.entry(forKey: key)?.eTag == "\"red\"")
    #expect(shop.held.requests.count == 1)
  }

  @Test func `a large photo is stored as JPEG, and data as it is`() async throws {
    try await shop.loader.set(Picture.image(1200, 900, red: 250, green: 0, blue: 0), forKey: key)
    await shop.loader.waitUntilSettled()
    #expect(try await disk.entry(forKey: key)?.body.starts(with: [0xFF, 0xD8]) == true)
    let photo = Picture.jpeg(640, 480)
    try await shop.loader.set(photo, forKey: key)
    await shop.loader.waitUntilSettled()
    #expect(try await disk.entry(forKey: key)?.body == photo)
  }

  @Test func `an image that the disk cache cannot store and an empty key are refused, and nothing changes`() async throws {
    let shop = Shop(disk: FutureImage.DiskCache(directory: Scratch.folder(), maxBytes: 1000))
    let photo = shop.future()
    await shop.serve("a", Colour.red.jpeg())
    let noise = Picture.jpeg(640, 480)
    let failure = await #expect(throws: FutureImage.Failure.self) { try await shop.loader.set(noise, forKey: key) }
    #expect(failure?.source == key && failure.map { "\($0)" }?.contains("stores at most 1000 of one image") == true)
    #expect(Colour.red.isNearly(try await photo.value.colour))
    let empty = await #expect(throws: FutureImage.Failure.self) { try await shop.loader.set(blue, forKey: FutureImage().key) }
    #expect(empty?.reason == .refused("the key names no image; use the key of a future that has a source"))
    let future = shop.future("b")
    let plain = await #expect(throws: FutureImage.Failure.self) { try await shop.loader.set(future, forKey: key) }
    #expect(plain?.reason == .refused("it is a future; use its value"))
    let source = FutureImage(.image(future, key: "draft"), loader: shop.loader)
    let wrong = await #expect(throws: FutureImage.Failure.self) { try await source.value }
    #expect(wrong?.reason == .refused("it is a future; use its value"))
    // Another model whose text names no image, at the same place of its feed, would get it.
    let nobody = FutureImage.From<FutureImage.Plain, FutureImage>("", loader: shop.loader).wrappedValue
    let refused = await #expect(throws: FutureImage.Failure.self) { try await shop.loader.set(blue, forKey: nobody.key) }
    #expect(refused?.reason.isRefused == true)
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
