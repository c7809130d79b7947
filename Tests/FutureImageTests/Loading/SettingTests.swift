import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images that an app sets in place of fetched images.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SettingTests {
  let disk = FutureImage.DiskCache.temporary()
  let fixture: LoaderFixture
  let key = FutureImage.Source.url(LoaderFixture.url()).key
  let green = TestColor(green: 250)
  let lime = SampleImage.image(64, 48, red: 0, green: 250, blue: 0)
  let blue = SampleImage.image(64, 48, red: 0, green: 0, blue: 250)

  init() {
    let disk = disk
    fixture = LoaderFixture(disk: disk) { $0.retry = .never }
  }

  @Test func `an image that the app sets is shown by every view, stored on disk, and found by a later run of the program`() async throws {
    let (futures, views) = ([fixture.future(), fixture.future()], [imageView(64), imageView(64)])
    for (future, view) in zip(futures, views) { view.futureImage = future }
    await fixture.serve("a", TestColor.red.jpeg())
    let bytes = fixture.loader.pixelBytes
    try await fixture.loader.set(blue, forKey: key)
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.pixelBytes == bytes)
    for view in views { #expect(view.image?.color == blue.color) }
    #expect(try await disk.entry(forKey: key)?.body == blue.pngData())
    let later = LoaderFixture(disk: disk)
    #expect(try await later.future().value.color == blue.color)
    #expect(later.held.requests.isEmpty)
  }

  @Test func `setting an image ends a running transfer, and its waiters get the image`() async throws {
    let future = fixture.future()
    let task = Task { try await future.value }
    await fixture.held.waitForHeld()
    try await fixture.loader.set(blue, forKey: key)
    #expect(try await task.value.color == blue.color)
    await fixture.held.waitForCancellations()
    #expect(fixture.held.heldCount == 0)
    #expect(fixture.loader.statistics.failures == 0)
  }

  @Test func `a future that waits for a slot makes no request after its image is set`() async throws {
    let fixture = LoaderFixture { $0.maxTransfersPerHost = 1 }
    let others = (0..<100).map { fixture.future("\($0)") }
    let future = fixture.future()
    try await fixture.loader.set(blue, forKey: key)
    for number in 1...100 {
      await fixture.held.waitForRequests(number)
      fixture.held.resolve(with: TestColor.red.jpeg())
    }
    #expect(try await future.value.color == blue.color)
    await fixture.loader.waitForIdle()
    #expect(!fixture.held.requests.contains { $0.url == LoaderFixture.url() })
    withExtendedLifetime(others) {}
  }

  @Test func `setting an image ends the wait between two attempts`() async throws {
    let fixture = LoaderFixture()
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .status(503))
    await fixture.clock.waitForSleepers()
    try await fixture.loader.set(blue, forKey: key)
    #expect(try await future.value.color == blue.color)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a disk lookup that is in progress when an image is set does not restore the old image`() async throws {
    let tier = HeldTier(TestColor.red.jpeg())
    tier.holdReads()
    let future = fixture.future(policy: .tiers(disk: tier))
    await tier.waitForReads()
    try await fixture.loader.set(blue, forKey: key)
    tier.release()
    #expect(try await future.value.color == blue.color)
    await fixture.loader.waitForIdle()
    #expect(tier.body == blue.pngData())
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `if an image is set during a disk lookup of an old image that must be revalidated, the new image needs no revalidation`()
    async throws
  {
    let (tier, slow) = (HeldTier(), HeldTier())
    try await tier.store(FutureImage.CacheEntry(body: TestColor.red.jpeg()).thatMustBeRevalidated(), forKey: key)
    tier.holdReads()
    slow.holdReads()
    let future = fixture.future(policy: .tiers(disk: tier))
    // While a lookup runs, the loader delays its writes. So the tier has the old entry until the lookup of this future ends.
    let other = fixture.future("b", policy: .tiers(disk: slow))
    await tier.waitForReads()
    await slow.waitForReads()
    try await fixture.loader.set(blue, forKey: key)
    tier.release()
    await waitWhile(fixture.loader.state.withLock({ $0.lookups.runCount > 1 }))
    #expect(try await future.value.color == blue.color)
    let later = fixture.future(policy: .tiers(disk: tier))
    #expect(later.phase.isFinal)
    #expect(fixture.held.requests.isEmpty)
    slow.release()
    withExtendedLifetime((future, other)) {}
  }

  @Test func `an image that is set for a key without futures is delivered to a future that is created later`() async throws {
    try await fixture.loader.set(blue, forKey: key)
    #expect(try await fixture.future().value.color == blue.color)
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `an image that the app sets replaces a permanent failure`() async throws {
    let (future, view) = (fixture.future(), imageView(64))
    view.futureImage = future
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    try await fixture.loader.set(blue, forKey: key)
    await fixture.loader.waitForIdle()
    #expect(view.image?.color == blue.color)
    #expect(try await fixture.future().value.color == blue.color)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `setting an image makes the loader forget that its source failed permanently`() async throws {
    let fixture = LoaderFixture()
    var future: FutureImage? = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    // If the first future still existed, it might get the new image, and the next future would share that image.
    await alone(&future)
    future = nil
    try await fixture.loader.set(blue, forKey: key)
    let next = fixture.future()
    await fixture.held.waitForRequests(2)
    withExtendedLifetime(next) {}
  }

  @Test func `an image that the app sets is shown without a request until a reload replaces the image`() async throws {
    let (future, view) = (fixture.future(), imageView(64))
    view.futureImage = future
    await fixture.serve("a", TestColor.red.jpeg(), headers: ["cache-control": "max-age=0"])
    try await fixture.loader.set(blue, forKey: key)
    await fixture.loader.waitForIdle()
    view.futureImage = fixture.future()
    await fixture.loader.waitForIdle()
    #expect(view.image?.color == blue.color)
    #expect(fixture.held.requests.count == 1)
    future.reload()
    await fixture.serve("a", TestColor.red.jpeg())
    #expect(TestColor.red.isNearly(view.image?.color))
  }

  @Test func `sizes and transforms apply to an image that the app sets, and a rotated photo is shown upright`() async throws {
    let pixels = try #require(SampleImage.image(64, 48).cgImage)
    let future = FutureImage(at: LoaderFixture.url(), transform: .crop(toRatio: 1), loader: fixture.loader)
    try await fixture.loader.set(UIImage(cgImage: pixels, scale: 2, orientation: .right), forKey: key)
    let shown = try await future.value
    #expect([shown.cgImage?.width, shown.cgImage?.height] == [48, 48])
    let whole = try await fixture.future().value
    #expect([whole.cgImage?.width, whole.cgImage?.height] == [48, 64])
  }

  @Test func `an image without pixels is refused and changes nothing`() async throws {
    let future = fixture.future()
    await fixture.serve("a", TestColor.red.jpeg())
    let failure = await #expect(throws: FutureImage.Failure.self) { try await fixture.loader.set(UIImage(), forKey: key) }
    #expect(failure?.reason == .unreadable("it has no pixels; set an image with pixels"))
    #expect(failure?.key == key)
    #expect(TestColor.red.isNearly(try await future.value.color))
  }

  @Test func `a 304 for the old image does not replace an image that the app has set`() async throws {
    let (future, view) = (fixture.future(), imageView(64))
    view.futureImage = future
    await fixture.serve("a", TestColor.red.jpeg(), headers: ["etag": "\"red\"", "cache-control": "max-age=60"])
    try await fixture.loader.set(blue, forKey: key)
    for _ in 0..<2 {
      let count = fixture.held.requests.count
      future.reload()
      await fixture.held.waitForRequests(count + 1)
      #expect(fixture.held.requests.last?.headers["If-None-Match"] == "\"red\"")
      fixture.held.answer(nil, FutureImage.Response(status: 304))
      await fixture.loader.waitForIdle()
      #expect(try await disk.entry(forKey: key)?.body == blue.pngData())
      #expect(view.image?.color == blue.color)
    }
    future.reload()
    await fixture.serve("a", green.jpeg(), headers: ["etag": "\"green\""])
    #expect(green.isNearly(view.image?.color))
  }

  @Test func `an image that the app sets is revalidated when its freshness ends, and is shown until a newer image arrives`() async throws {
    let time = SettableDate()
    let fixture = LoaderFixture(disk: disk) { $0.now = { time.now } }
    let future = fixture.future()
    await fixture.serve("a", TestColor.red.jpeg(), headers: ["etag": "\"red\""])
    try await fixture.loader.set(blue, forKey: key, freshFor: .seconds(300))
    await fixture.loader.waitForIdle()
    time.advance(seconds: 299)
    #expect(try await fixture.future().value.color == blue.color)
    #expect(fixture.held.requests.count == 1)
    time.advance(seconds: 2)
    let later = fixture.future()
    #expect(try await later.value.color == blue.color)
    await fixture.serve("a", green.jpeg())
    #expect(fixture.held.requests.last?.headers["If-None-Match"] == "\"red\"")
    #expect(green.isNearly(try await future.value.color))
  }

  @Test func `undoing a call of set restores the earlier image in views at once, and restores its entry on disk`() async throws {
    let (future, view) = (fixture.future(), imageView(64))
    view.futureImage = future
    await fixture.serve("a", TestColor.red.jpeg(), headers: ["etag": "\"red\""])
    let undo = try await fixture.loader.set(blue, forKey: future.key)
    await fixture.loader.waitForIdle()
    await undo()
    await fixture.loader.waitForIdle()
    #expect(TestColor.red.isNearly(view.image?.color))
    #expect(try await disk.entry(forKey: key)?.eTag == "\"red\"")
    #expect(TestColor.red.isNearly(try await LoaderFixture(disk: disk).future().value.color))
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `undoing an earlier call of set changes nothing, and undoing the latest call requests the source if no image was known`()
    async throws
  {
    let undoFirst = try await fixture.loader.set(blue, forKey: key)
    let undoSecond = try await fixture.loader.set(SampleImage.image(64, 48, red: 250, green: 0, blue: 0), forKey: key)
    await fixture.loader.waitForIdle()
    await undoFirst()
    await fixture.loader.waitForIdle()
    let future = fixture.future()
    #expect(TestColor.red.isNearly(try await future.value.color))
    await undoSecond()
    await fixture.serve("a", TestColor.blue.jpeg())
    #expect(TestColor.blue.isNearly(try await future.value.color))
    let other = fixture.future("b")
    await fixture.held.waitForHeld()
    let undo = try await fixture.loader.set(blue, forKey: other.key)
    #expect(try await other.value.color == blue.color)
    await fixture.loader.waitForIdle()
    await undo()
    await fixture.serve("b", green.jpeg())
    #expect(green.isNearly(try await other.value.color))
    let entry = try await disk.entry(forKey: other.key)
    #expect(entry?.body == green.jpeg())
  }

  @Test func `if no image was known before a call of set, undoing the call shows placeholders, even if the source fails`() async throws {
    let placeholder = FutureImage.Placeholder.color(hex: "#00FF00")
    let future = FutureImage(at: LoaderFixture.url(), placeholder: placeholder, size: CGSize(width: 64, height: 48), loader: fixture.loader)
    let (view, presented) = (imageView(64), imageView(64))
    view.futureImage = future
    presented.display(future, .init(retriesOnTap: false))
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    let undo = try await fixture.loader.set(blue, forKey: future.key)
    await fixture.loader.waitForIdle()
    #expect(view.image?.color == blue.color && presented.image?.color == blue.color)
    await undo()
    await fixture.held.waitForRequests(2)
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    #expect(view.image === future && view.futureImage === future)
    #expect(presented.image?.color != blue.color)
    #expect(future.phase.failure?.reason == .status(404))
    #expect(try await disk.entry(forKey: key) == nil)
  }

  @Test(arguments: [false, true]) func `undoing two calls of set in either order shows the image that was shown before both calls`(
    inOrder: Bool
  ) async throws {
    let (future, view) = (fixture.future(), imageView(64))
    view.futureImage = future
    await fixture.serve("a", TestColor.red.jpeg(), headers: ["etag": "\"red\""])
    let undoFirst = try await fixture.loader.set(blue, forKey: future.key)
    let undoSecond = try await fixture.loader.set(lime, forKey: future.key)
    await fixture.loader.waitForIdle()
    await (inOrder ? undoFirst : undoSecond)()
    await fixture.loader.waitForIdle()
    #expect(view.image?.color == (inOrder ? lime : blue).color)
    await (inOrder ? undoSecond : undoFirst)()
    await fixture.loader.waitForIdle()
    #expect(TestColor.red.isNearly(view.image?.color))
    #expect(try await disk.entry(forKey: key)?.eTag == "\"red\"")
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a large image that the app sets is stored as JPEG, and data that the app sets is stored unchanged`() async throws {
    try await fixture.loader.set(SampleImage.image(1200, 900, red: 250, green: 0, blue: 0), forKey: key)
    await fixture.loader.waitForIdle()
    #expect(try await disk.entry(forKey: key)?.body.starts(with: [0xFF, 0xD8]) == true)
    let photo = SampleImage.jpeg(640, 480)
    try await fixture.loader.set(photo, forKey: key)
    await fixture.loader.waitForIdle()
    #expect(try await disk.entry(forKey: key)?.body == photo)
  }

  @Test func `set refuses a future, a key that names no image, and an image that is too large for the disk cache`() async throws {
    let fixture = LoaderFixture(disk: FutureImage.DiskCache(directory: Scratch.folder(), maxBytes: 1000))
    let photo = fixture.future()
    await fixture.serve("a", TestColor.red.jpeg())
    let noise = SampleImage.jpeg(640, 480)
    let failure = await #expect(throws: FutureImage.Failure.self) { try await fixture.loader.set(noise, forKey: key) }
    #expect(failure?.key == key && failure.map { "\($0)" }?.contains("stores at most 1000 of one image") == true)
    #expect(TestColor.red.isNearly(try await photo.value.color))
    let empty = await #expect(throws: FutureImage.Failure.self) { try await fixture.loader.set(blue, forKey: FutureImage().key) }
    #expect(empty?.reason == .refused("the key names no image; use the key of a future that has a source"))
    let future = fixture.future("b")
    let plain = await #expect(throws: FutureImage.Failure.self) { try await fixture.loader.set(future, forKey: key) }
    #expect(plain?.reason == .refused("it is a future; use its value"))
    let source = FutureImage(.image(future, key: "draft"), loader: fixture.loader)
    let wrong = await #expect(throws: FutureImage.Failure.self) { try await source.value }
    #expect(wrong?.reason == .refused("it is a future; use its value"))
    // The loader must refuse the key of a future that was made from an empty string. Otherwise, the image would be shown for every empty
    // string at the same position in a feed.
    let imageless = FutureImage.From<FutureImage.DefaultRecipe, FutureImage>("", loader: fixture.loader).wrappedValue
    let refused = await #expect(throws: FutureImage.Failure.self) { try await fixture.loader.set(blue, forKey: imageless.key) }
    #expect(refused?.reason.isRefused == true)
  }

  @Test func `if a tier could not store an image that the app has set, a reload does not revalidate the tier's old entry`() async throws {
    let tier = HeldTier()
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.serve("a", TestColor.red.jpeg(), headers: ["etag": "\"red\""])
    tier.setBroken(true)
    try await fixture.loader.set(blue, forKey: key)
    await fixture.loader.waitForIdle()
    tier.setBroken(false)
    future.reload()
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.headers["If-None-Match"] == nil)
    fixture.held.fail(nil, .status(404))
    await fixture.loader.waitForIdle()
    #expect(try await future.value.color == blue.color)
  }

  /// A decoder that reads only headers.
  private struct HeadersOnly: FutureImage.ImageDecoder {
    func size(of data: Data) throws -> FutureImage.PixelSize { try FutureImage.StandardDecoder().size(of: data) }
    func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage { throw FutureImage.Failure(.undecodable("it is a header")) }
  }

  @Test func `an image that the app sets but that cannot be decoded causes no request to the source`() async throws {
    let fixture = LoaderFixture { $0.decoder = HeadersOnly() }
    let future = fixture.future()
    await fixture.held.waitForHeld()
    try await fixture.loader.set(blue, forKey: key)
    let failure = await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(failure?.reason == .undecodable("it is a header"))
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
  }
}
