import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The sizes, attempts, and failures of images that their source creates in the needed size.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SizedLimitsTests {
  private let fixture = LoaderFixture()
  private let renditions = RenditionSource()

  private func future(_ source: FutureImage.Source? = nil) -> FutureImage {
    FutureImage(source ?? renditions.source(), loader: fixture.loader)
  }

  // MARK: Sizes

  /// An image without pixels that reports the given size.
  private final class ImageOfStatedSize: UIImage, @unchecked Sendable {
    // Sendable, because only `init` writes the property.
    private var side = CGSize.zero

    convenience init(_ width: CGFloat, _ height: CGFloat) {
      self.init()
      side = CGSize(width: width, height: height)
    }

    override var size: CGSize { side }
  }

  @Test(arguments: [(1, 1), (65_535, 1), (1, 65_535)])
  func `an image may have one pixel on a side, or as many as JPEG allows`(width: Int, height: Int) throws {
    let size = try fixture.loader.size(of: .image(ImageOfStatedSize(CGFloat(width), CGFloat(height))))
    #expect(size == FutureImage.PixelSize(width: width, height: height))
    let source = SizedSource(wholeSize: CGSize(width: width, height: height)) { try await renditions.make($0) }
    #expect(try source.wholeSize == size)
  }

  @Test(arguments: [(0, 10), (10, 0.25), (65_536, 10), (10, 65_536)])
  func `an image without pixels, or with more pixels on a side than JPEG allows, is refused`(width: CGFloat, height: CGFloat) {
    #expect(throws: FutureImage.Failure.self) { try fixture.loader.size(of: .image(ImageOfStatedSize(width, height))) }
    let source = SizedSource(wholeSize: CGSize(width: width, height: height)) { try await renditions.make($0) }
    #expect(throws: FutureImage.Failure.self) { try source.wholeSize }
  }

  // If the size of an image is unknown, its source is first asked for an image that fits into 256 × 256 pixels.
  @Test(arguments: [(258, 129), (254, 127)])
  func `an image whose longer side differs from the requested length by two pixels counts as reduced from a larger image`(
    width: Int, height: Int
  ) {
    let whole = SizedSource.wholeSize(made: FutureImage.PixelSize(width: width, height: height))
    #expect(whole == FutureImage.PixelSize(width: 4096, height: 2048))
  }

  @Test func `proportions that differ by exactly the tolerance count as equal`() {
    // The products 4 · 6 and 5 · 10 differ by 26. The tolerance is 26, too: two percent of the greater product, which is 1, and the sum of
    // the four sides, which is 25.
    let (one, other) = (FutureImage.PixelSize(width: 4, height: 5), FutureImage.PixelSize(width: 10, height: 6))
    #expect(one.hasProportions(of: other))
    #expect(other.hasProportions(of: one))
  }

  @Test(arguments: [((4, 3), true), ((3, 2), true), ((5, 3), false), ((4, 4), false), ((5, 2), false)])
  func `one size fits into another size only if it is neither wider nor higher`(size: (Int, Int), fits: Bool) {
    let size = FutureImage.PixelSize(width: size.0, height: size.1)
    #expect(size.fits(in: FutureImage.PixelSize(width: 4, height: 3)) == fits)
  }

  @Test func `an image with exactly as many pixels as the decoder's limits allow is loaded`() async throws {
    var limits = FutureImage.DecodingLimits()
    limits.maxBytes = 4 * 1200 * 900
    let fixture = LoaderFixture { [limits] in $0.decoder = FutureImage.StandardDecoder(limits: limits) }
    let image = try await FutureImage(renditions.source(), loader: fixture.loader).value
    #expect(image.cgImage?.width == 1200)
  }

  // MARK: Attempts and failures

  @Test(arguments: [true, false])
  func `a closure that fails transiently is called as often as the retry policy allows`(isSizeKnown: Bool) async {
    for _ in 0..<3 { renditions.fail(FutureImage.Failure(.transport(.offline))) }
    let photo = future(isSizeKnown ? renditions.source() : renditions.sourceOfUnknownSize())
    let waiting = Task { try await photo.value }
    await waitWhile(photo.waiterCount == 0)
    for _ in 0..<2 {
      await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .seconds(10))
    }
    await #expect(throws: FutureImage.Failure(.transport(.offline), key: "asset")) { try await waiting.value }
    await fixture.loader.waitForIdle()
    #expect(renditions.asked.count == 3)
    #expect(fixture.loader.statistics.failures == 1)
  }

  @Test func `after a closure has failed permanently, other futures of the same key fail without another call`() async {
    renditions.fail()
    let photo = future()
    await #expect(throws: FutureImage.Failure.self) { try await photo.value }
    let other = future()
    await fixture.loader.waitForIdle()
    #expect(other.failure?.reason.isUnreadable == true)
    #expect(renditions.asked.count == 1)
    #expect(fixture.loader.statistics.failures == 1)
  }

  @Test func `a CancellationError that a closure throws does not count as a failure`() async {
    renditions.fail(CancellationError())
    let photo = future()
    await #expect(throws: FutureImage.Failure.self) { try await photo.value }
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.failures == 0)
  }

  @Test func `a canceled task calls no closure`() async {
    let source = SizedSource(wholeSize: nil) { [renditions] in try await renditions.make($0) }
    let task = Task {
      await waitWhile(!Task.isCancelled)
      _ = try await source.rendition(FutureImage.PixelSize(width: 4, height: 3))
    }
    task.cancel()
    await #expect(throws: FutureImage.Failure(.cancelled)) { try await task.value }
    #expect(renditions.asked.isEmpty)
  }

  @Test func `a reload with bytes that cannot be decoded leaves the current image in place`() async throws {
    let (isBroken, noise) = (Lock(false), SampleImage.noise(64, 48))
    let source = FutureImage.Source.sized(key: "asset", wholeSize: CGSize(width: 64, height: 48)) { _ in
      .bytes(isBroken.withLock { $0 } ? noise.prefix(noise.count / 2) : TestColor.red.jpeg())
    }
    let photo = future(source)
    #expect(TestColor.red.isNearly(try await photo.value.color))
    isBroken.withLock { $0 = true }
    let failures = await [photo].reload()
    #expect(failures.first??.reason.isUndecodable == true)
    #expect(TestColor.red.isNearly(try await photo.value.color))
  }
}
