import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images that their source creates in the needed size.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SizedSourceTests {
  private let fixture = LoaderFixture()
  private let renditions = RenditionSource()

  private func future(
    _ source: FutureImage.Source? = nil, policy: FutureImage.CachePolicy = .automatic, transform: FutureImage.Transform? = nil
  ) -> FutureImage {
    FutureImage(source ?? renditions.source(), cachePolicy: policy, transform: transform, loader: fixture.loader)
  }

  private func size(_ width: CGFloat, _ height: CGFloat) -> CGSize { CGSize(width: width, height: height) }

  private func pixels(_ image: UIImage?) -> CGSize? {
    image?.cgImage.map { CGSize(width: $0.width, height: $0.height) }
  }

  // MARK: Requested sizes

  @Test func `an image is created only when pixels are needed, and in the needed size`() async throws {
    let photo = future()
    await fixture.loader.waitForIdle()
    #expect(renditions.asked.isEmpty)
    #expect(fixture.held.requests.isEmpty)
    let image = try await photo.value(fitting: .square(160))
    // 160 of 1200 pixels are 8.5 of 64 parts. The next decode step has 16 parts.
    #expect(renditions.asked == [size(300, 225)])
    #expect(pixels(image) == size(300, 225))
    #expect(image.size == size(1200, 900))
    #expect(TestColor.red.isNearly(image.color))
    #expect(photo.url == nil && photo.key == "asset")
  }

  @Test func `for each size, futures with the same key share one call of the source's closure`() async throws {
    renditions.hold()
    let (one, other) = (future(), future())
    let first = Task { try await one.value(fitting: .square(160)) }
    let second = Task { try await other.value(fitting: .square(170)) }
    await renditions.waitForCalls()
    await waitWhile(fixture.loader.decodeCount < 1 || !other.requestsPixels)
    renditions.release()
    let (image, same) = (try await first.value, try await second.value)
    #expect(image === same)
    #expect(renditions.asked.count == 1)
    _ = try await one.value
    #expect(renditions.asked == [size(300, 225), size(1200, 900)])
    // The existing pixels are used for smaller sizes, too.
    _ = try await other.value(fitting: .square(500))
    #expect(renditions.asked.count == 2)
  }

  @Test func `evicted pixels are created again`() async throws {
    let photo = future()
    _ = try await photo.value(fitting: .square(160))
    await fixture.forgetPixels(of: photo)
    _ = try await photo.value(fitting: .square(160))
    #expect(renditions.asked == [size(300, 225), size(300, 225)])
  }

  @Test func `a transform is applied to the created image, and determines the size that is requested`() async throws {
    let photo = future(transform: .circle)
    let image = try await photo.value(fitting: .square(225))
    #expect(renditions.asked == [size(300, 225)])
    #expect(pixels(image) == size(225, 225))
    #expect(image.size == size(900, 900))
  }

  // MARK: Returned images

  @Test(arguments: [(1200, 900, 300, 225), (300, 225, 300, 225), (100, 75, 100, 75), (301, 226, 300, 225)])
  func `a created image that is larger than requested is reduced, and a smaller image is not changed`(
    width: CGFloat, height: CGFloat, shownWidth: CGFloat, shownHeight: CGFloat
  ) async throws {
    renditions.reshape { _ in CGSize(width: width, height: height) }
    let image = try await future().value(fitting: .square(160))
    #expect(pixels(image) == size(shownWidth, shownHeight))
    #expect(image.size == size(1200, 900))
  }

  @Test(arguments: [(1200, 900, 300, 225), (80, 60, 80, 60)])
  func `encoded bytes are decoded in the needed size`(
    width: Int, height: Int, shownWidth: CGFloat, shownHeight: CGFloat
  ) async throws {
    let source = FutureImage.Source.sized(key: "page", wholeSize: size(1200, 900)) { _ in .bytes(TestColor.blue.jpeg(width, height)) }
    let image = try await future(source).value(fitting: .square(160))
    #expect(pixels(image) == size(shownWidth, shownHeight))
    #expect(TestColor.blue.isNearly(image.color))
  }

  @Test func `the closure of a sized source may return an image with an orientation`() async throws {
    let bitmap = FutureImage.Source.sized(key: "bitmap", wholeSize: size(64, 48)) { _ in
      guard let pixels = SampleImage.image(64, 48).cgImage else { throw RenditionSource.Broken() }
      return .image(UIImage(cgImage: pixels))
    }
    let plain = try await future(bitmap).value
    #expect(pixels(plain) == size(64, 48))
    let turned = FutureImage.Source.sized(key: "turned", wholeSize: size(48, 64)) { _ in
      guard let pixels = SampleImage.image(64, 48).cgImage else { throw RenditionSource.Broken() }
      return .image(UIImage(cgImage: pixels, scale: 2, orientation: .right))
    }
    let upright = try await future(turned).value
    #expect(pixels(upright) == size(48, 64))
  }

  @Test func `an image whose proportions differ from those of the whole size fails as unreadable`() async {
    renditions.reshape { _ in CGSize(width: 225, height: 300) }
    let photo = future()
    let failure = await #expect(throws: FutureImage.Failure.self) { try await photo.value(fitting: .square(160)) }
    guard case .unreadable = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func `a source's closure is not called for more pixels than the decoder's limits allow`() async {
    var limits = FutureImage.DecodingLimits()
    limits.maxBytes = 4 * 1200 * 900 - 4
    let fixture = LoaderFixture { [limits] in $0.decoder = FutureImage.StandardDecoder(limits: limits) }
    let photo = FutureImage(renditions.source(), loader: fixture.loader)
    let failure = await #expect(throws: FutureImage.Failure.self) { try await photo.value }
    guard case .tooManyPixels = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(renditions.asked.isEmpty)
  }

  // MARK: Unknown sizes

  @Test func `if the whole size is unknown, a small image is requested first to get the proportions`() async throws {
    let renditions = RenditionSource(whole: size(3000, 2000))
    let photo = FutureImage(renditions.sourceOfUnknownSize(), loader: fixture.loader)
    await fixture.loader.waitForIdle()
    #expect(renditions.asked == [size(256, 256)])
    let image = try await photo.value(fitting: .square(500))
    // The closure returned 256 × 171 pixels, so the whole image counts as 4096 × 2736. An eighth of that is enough for 500 pixels. The
    // closure fits its image into the requested 512 × 342 pixels, so it returns 512 × 341 pixels.
    #expect(renditions.asked.last == size(512, 342))
    #expect(pixels(image) == size(512, 341))
    #expect(image.size == size(4096, 2736))
    #expect(renditions.asked.count == 2)
  }

  // If the longer side is about 256 pixels or points, the image counts as reduced from a whole image with a longer side of 4096 pixels. Any
  // other image counts as whole.
  @Test(arguments: [
    ((256, 171), 1, (4096, 2736)), ((171, 256), 1, (2736, 4096)), ((256, 256), 1, (4096, 4096)), ((255, 128), 1, (4096, 2056)),
    ((256, 1), 1, (4096, 16)), ((100, 80), 1, (100, 80)), ((1, 1), 1, (1, 1)), ((1200, 900), 1, (1200, 900)), ((259, 100), 1, (259, 100)),
    ((768, 513), 3, (4096, 2736)), ((256, 171), 2, (4096, 2736)), ((1200, 900), 3, (1200, 900))
  ])
  func `the size of the whole image is derived from the size of a small image`(made: (Int, Int), scale: Double, whole: (Int, Int)) {
    let size = SizedSource.wholeSize(made: FutureImage.PixelSize(width: made.0, height: made.1), scale: scale)
    #expect(size == FutureImage.PixelSize(width: whole.0, height: whole.1))
  }

  @Test(arguments: [
    ((300, 225), (1200, 900), true), ((299, 225), (1200, 900), true), ((300, 226), (1200, 900), true), ((400, 392), (400, 400), true),
    ((225, 300), (300, 225), false), ((300, 300), (300, 225), false), ((1200, 900), (1200, 675), false), ((2, 1), (4, 3), true)
  ])
  func `two sizes have the same proportions if, apart from the rounding of each side, they differ by at most two percent`(
    one: (Int, Int), other: (Int, Int), expected: Bool
  ) {
    let (one, other) = (FutureImage.PixelSize(width: one.0, height: one.1), FutureImage.PixelSize(width: other.0, height: other.1))
    #expect(one.hasProportions(of: other) == expected)
    #expect(other.hasProportions(of: one) == expected)
  }

  @Test(arguments: [
    CGSize.zero, CGSize(width: -1, height: 5), CGSize(width: CGFloat.nan, height: 5), CGSize(width: 5, height: CGFloat.infinity)
  ])
  func `a whole size that no image can have is refused`(whole: CGSize) async {
    let photo = future(.sized(key: "nothing", wholeSize: whole) { try await renditions.make($0) })
    let failure = await #expect(throws: FutureImage.Failure.self) { try await photo.value }
    guard case .refused = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(renditions.asked.isEmpty)
  }

  // MARK: Errors and cancellation

  @Test func `after an error, a source's closure is not called again until the loader has forgotten the failure`() async {
    renditions.fail()
    let photo = future()
    let failure = await #expect(throws: FutureImage.Failure.self) { try await photo.value }
    #expect(failure?.reason == .unreadable("the closure of its source failed; check it (Broken())"))
    #expect(failure?.key == "asset")
    await #expect(throws: FutureImage.Failure.self) { try await photo.value }
    #expect(renditions.asked.count == 1)
    fixture.clock.advance(by: .seconds(31))  // The loader remembers the failure for 30 seconds.
    await #expect(throws: Never.self) { try await photo.value }
    #expect(renditions.asked.count == 2)
  }

  @Test func `a transient failure is retried according to the loader's policy`() async throws {
    renditions.fail(FutureImage.Failure(.transport(.offline)))
    let photo = future()
    let waiting = Task { try await photo.value }
    await fixture.clock.waitForSleepers()
    #expect(renditions.asked.count == 1)
    fixture.clock.advance(by: .seconds(10))
    let image = try await waiting.value
    #expect(TestColor.red.isNearly(image.color))
    #expect(renditions.asked.count == 2)
    #expect(fixture.loader.statistics.retries == 1)
  }

  @Test func `a cancellation error cancels the image, which can be requested again`() async {
    renditions.fail(CancellationError())
    let photo = future()
    let failure = await #expect(throws: FutureImage.Failure.self) { try await photo.value }
    #expect(failure?.reason == .cancelled)
    await #expect(throws: Never.self) { try await photo.value }
  }

  @Test func `when no future needs a size, the call of the source's closure for that size is canceled while no lock is held`() async {
    renditions.hold()
    let loader = fixture.loader
    let source = FutureImage.Source.sized(key: "asset", wholeSize: renditions.whole) { [renditions] in
      try await renditions.make($0, cancelling: loader)
    }
    let photo = future(source)
    let waiting = Task { try await photo.value }
    await renditions.waitForCalls()
    photo.cancel()
    await renditions.waitForCancellations()
    await #expect(throws: FutureImage.Failure(.cancelled, key: "asset")) { try await waiting.value }
    await fixture.loader.waitForIdle()
    renditions.release()
    await #expect(throws: Never.self) { try await photo.value }
    #expect(renditions.asked.count == 2)
    #expect(fixture.loader.state.withLock { $0.decodes.runCount == 0 })
  }

  @MainActor @Test func `when a future is released, only the call of its source's closure is canceled`() async throws {
    renditions.hold()
    let retainedFuture = future()
    var releasedFuture: FutureImage? = future()
    let (small, large) = (imageView(100), imageView(1200))
    small.futureImage = retainedFuture
    large.futureImage = releasedFuture
    await renditions.waitForCalls(2)
    large.futureImage = nil
    releasedFuture = nil
    await renditions.waitForCancellations()
    renditions.release()
    await fixture.loader.waitForIdle()
    #expect(TestColor.red.isNearly(small.image?.color))
    #expect(large.image == nil)
  }

  @Test func `a source's closure may await another image of the same loader`() async throws {
    let fixture = LoaderFixture { $0.maxDecodes = 1 }
    let renditions = renditions
    let futures = (0..<20).map { number in
      FutureImage(
        .sized(key: "outer \(number)", wholeSize: renditions.whole) { pixels in
          let inner = FutureImage(renditions.source("inner \(number)"), loader: fixture.loader)
          return .image(try await inner.value(fitting: .fit(FutureImage.PixelSize(pixels, scale: 1))))
        }, loader: fixture.loader)
    }
    for future in futures {
      let image = try await future.value
      #expect(TestColor.red.isNearly(image.color))
    }
  }

  // MARK: Caches

  @Test func `the memory tier stores the image of a sized source, and no disk tier is read or written`() async throws {
    let (memory, tier) = (NSCache<NSString, UIImage>(), HeldTier())
    let key = "thumb"
    var photo: FutureImage? = future(policy: .using(cache: memory, key: key))
    _ = try await photo?.value
    photo = nil
    fixture.loader.removeCachedPixels()
    #expect(pixels(memory.object(forKey: key as NSString)) == size(1200, 900))
    _ = try await future(policy: .using(cache: memory, key: key)).value
    #expect(renditions.asked.count == 1)
    let stored = FutureImage(renditions.source("other"), cachePolicy: .tiers(disk: tier), loader: fixture.loader)
    _ = try await stored.value
    await fixture.loader.waitForIdle()
    #expect(tier.readsBegun == 0 && tier.stores == 0)
  }

  @MainActor @Test func `a reload creates the image again for every view`() async throws {
    let (photo, other) = (future(), future())
    let (view, second) = (imageView(100), imageView(200))
    view.futureImage = photo
    second.futureImage = other
    await fixture.loader.waitForIdle()
    renditions.paint(.blue)
    photo.reload()
    await fixture.loader.waitForIdle()
    #expect(TestColor.blue.isNearly(view.image?.color))
    #expect(TestColor.blue.isNearly(second.image?.color))
  }

  @MainActor @Test func `a failed reload does not replace the image`() async throws {
    let photo = future()
    let view = imageView(100)
    view.futureImage = photo
    await fixture.loader.waitForIdle()
    renditions.fail()
    photo.reload()
    await fixture.loader.waitForIdle()
    #expect(TestColor.red.isNearly(view.image?.color))
    let image = try await photo.value
    #expect(TestColor.red.isNearly(image.color))
  }

  @MainActor
  @Test(arguments: [
    FutureImage.Source.Rendition.bytes(Data("no image".utf8)), .image(UIImage()), .image(SampleImage.image(100, 300))
  ])
  func `a reload with an unusable image does not replace the current image`(_ rendition: FutureImage.Source.Rendition) async throws {
    let given = Lock<FutureImage.Source.Rendition?>(nil)
    let renditions = renditions
    let source = FutureImage.Source.sized(key: "asset", wholeSize: renditions.whole) { pixels in
      if let rendition = given.withLock({ $0 }) { return rendition }
      return try await renditions.make(pixels)
    }
    let photo = future(source)
    let view = imageView(100)
    view.futureImage = photo
    await fixture.loader.waitForIdle()
    #expect(TestColor.red.isNearly(view.image?.color))
    given.withLock { $0 = rendition }
    let failures = await [photo].reload()
    await fixture.loader.waitForIdle()
    #expect(failures.first??.reason != nil)
    #expect(TestColor.red.isNearly(view.image?.color))
    given.withLock { $0 = nil }
    let image = try await photo.value
    #expect(TestColor.red.isNearly(image.color))
  }

  @Test(arguments: [
    CGSize(width: CGFloat.infinity, height: 10), CGSize(width: CGFloat.nan, height: 10), CGSize(width: 1e300, height: 1e300)
  ])
  func `an image of impossible size fails without a crash`(_ size: CGSize) async throws {
    let image = Endless(size)
    let source = FutureImage.Source.sized(key: "endless") { _ in .image(image) }
    await #expect(throws: FutureImage.Failure.self) { try await future(source).value }
  }

  /// An image such as UIKit creates from a Core Image generator without bounds.
  private final class Endless: UIImage, @unchecked Sendable {
    // Sendable, because only `init` writes the property.
    private var side = CGSize.zero

    convenience init(_ size: CGSize) {
      self.init()
      side = size
    }

    override var size: CGSize { side }
  }

  @MainActor @Test func `if the app sets an image, the image is shown, and the call of the source's closure is canceled`() async throws {
    renditions.hold()
    let photo = future()
    let view = imageView(100)
    view.futureImage = photo
    await renditions.waitForCalls()
    try await fixture.loader.set(SampleImage.image(64, 48, red: 0, green: 0, blue: 250), forKey: "asset")
    await renditions.waitForCancellations()
    await fixture.loader.waitForIdle()
    #expect(TestColor.blue.isNearly(view.image?.color))
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension SizedSourceTests {
  @MainActor @Test func `an image is created in the size of its view, and is created again when the view has grown`() async {
    let view = imageView(100)
    let photo = future()
    view.futureImage = photo
    await fixture.loader.waitForIdle()
    let scale = view.traitCollection.displayScale
    let need = DecodeStep(
      showing: FutureImage.PixelSize(width: 1200, height: 900), .fit(FutureImage.PixelSize(size(100, 75), scale: scale)))
    let small = need.size(of: FutureImage.PixelSize(width: 1200, height: 900))
    #expect(renditions.asked == [size(CGFloat(small.width), CGFloat(small.height))])
    #expect(TestColor.red.isNearly(view.image?.color))
    view.frame = CGRect(x: 0, y: 0, width: 1200, height: 900)
    view.futureImage = photo
    await fixture.loader.waitForIdle()
    #expect(renditions.asked.last == size(1200, 900))
    #expect(renditions.asked.count == 2)
  }
}
#endif
