import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The hashes that an app or a server makes of its images: BlurHash and ThumbHash.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PlaceholderHashesTests {
  private typealias Placeholder = FutureImage.Placeholder
  private typealias PixelBuffer = FutureImage.PixelBuffer

  private func image(_ pixels: FutureImage.PixelBuffer, orientation: UIImage.Orientation = .up) throws -> UIImage {
    UIImage(cgImage: try #require(pixels.makeImage()), scale: 2, orientation: orientation)
  }

  private func mean(_ image: UIImage?) throws -> [Double] {
    let bitmap = try #require(image?.cgImage)
    return try #require(PixelBuffer(bitmap, scale: 1)).mean
  }

  @Test func `a small image is not reduced before its hashes are made`() throws {
    let blurred = try #require(HashReference.blurHashes.first)
    #expect(try Placeholder.makeBlurHash(of: image(blurred.pixels)) == blurred.hash)
    for reference in HashReference.thumbHashes where reference.size.width == 100 {
      let image = try image(reference.pixels)
      #expect(try Placeholder.makeThumbHash(of: image) == reference.hash)
    }
  }

  @Test func `the BlurHash and the ThumbHash of a large image are those of the reduced image`() throws {
    let large = PixelBuffer(400, 300) { x, y in SIMD4(UInt8(x * 255 / 400), UInt8(y * 255 / 300), UInt8(255 - x * 255 / 400), 255) }
    func reduced(_ width: Int, _ height: Int) throws -> FutureImage.PixelBuffer {
      try #require(large.resampled(origin: .zero, extent: SIMD2(400, 300), width: width, height: height))
    }
    let image = try image(large)
    #expect(try Placeholder.makeBlurHash(of: image) == BlurHash.text(of: reduced(64, 48), columns: 4, rows: 3))
    let thumb = try Data(ThumbHash.bytes(of: reduced(100, 75))).base64EncodedString()
    #expect(try Placeholder.makeThumbHash(of: image) == thumb)
  }

  @Test(arguments: [UIImage.Orientation.up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored])
  func `the BlurHash and the ThumbHash of a rotated or mirrored image are those of the upright image`(
    orientation: UIImage.Orientation
  ) throws {
    let pixels = PixelBuffer(30, 20) { x, y in SIMD4(UInt8(x * 8), UInt8(y * 12), x < 10 && y < 5 ? 255 : 0, 255) }
    let turned = try image(pixels, orientation: orientation)
    let bitmap = try #require(uprightBitmap(of: turned))
    let upright = try image(try #require(PixelBuffer(bitmap, scale: 1)))
    #expect((upright.size.height > upright.size.width) == [.left, .right, .leftMirrored, .rightMirrored].contains(orientation))
    let (blur, thumb) = (try Placeholder.makeBlurHash(of: turned), try Placeholder.makeThumbHash(of: turned))
    #expect(try Placeholder.makeBlurHash(of: upright) == blur && Placeholder.makeThumbHash(of: upright) == thumb)
    let plain = try image(pixels)
    #expect((try Placeholder.makeBlurHash(of: plain) == blur) == (orientation == .up))
    #expect((try Placeholder.makeThumbHash(of: plain) == thumb) == (orientation == .up))
  }

  @Test func `the placeholder of a BlurHash has the average color of the image`() throws {
    let pixels = PixelBuffer(160, 90) { x, y in SIMD4(UInt8(120 + x / 8), UInt8(90 + y / 5), UInt8(60 + (x + y) / 10), 255) }
    let hash = try Placeholder.makeBlurHash(of: image(pixels))
    let shown = try mean(Placeholder.blurHash(hash).image(size: CGSize(width: 160, height: 90)))
    for (mine, theirs) in zip(shown, pixels.mean) { #expect(abs(mine - theirs) <= 2) }
  }

  @Test func `the placeholder of a ThumbHash has the average luminance and nearly the aspect ratio of the image`() throws {
    let pixels = PixelBuffer(160, 90) { x, y in SIMD4(UInt8(120 + x / 8), UInt8(90 + y / 5), UInt8(60 + (x + y) / 10), 255) }
    let placeholder = Placeholder.thumbHash(try Placeholder.makeThumbHash(of: image(pixels)))
    let shown = try mean(placeholder.image(size: CGSize(width: 160, height: 90)))
    func luminance(_ mean: [Double]) -> Double { (mean[0] + mean[1] + mean[2]) / 3 }
    // The format has 64 steps of luminance, so rounding changes the luminance by up to two levels. Decoders truncate levels, which changes
    // the average by another half level.
    #expect(abs(luminance(shown) - luminance(pixels.mean)) <= 2.5)
    for (mine, theirs) in zip(shown, pixels.mean) { #expect(abs(mine - theirs) <= 8) }
    // The format's nearest aspect ratio to 160 : 90 is 7 : 4.
    #expect(placeholder.image()?.size == CGSize(width: 32, height: 18))
  }

  @Test(arguments: [(4000, 1), (1, 4000), (2000, 9)])
  func `a very wide or very tall image has a BlurHash and a ThumbHash`(width: Int, height: Int) throws {
    let image = try image(.plain(width, height, SIMD4(90, 120, 60, 255)))
    let blur = try Placeholder.makeBlurHash(of: image)
    // `fQ` encodes a component of zero. All 11 components other than the average color are zero.
    #expect(blur.hasSuffix(String(repeating: "fQ", count: 11)))
    let size = try #require(Placeholder.thumbHash(try Placeholder.makeThumbHash(of: image)).image()?.size)
    #expect(size == (width > height ? CGSize(width: 32, height: 5) : CGSize(width: 5, height: 32)))
  }

  @Test func `an image of one pixel has a BlurHash and a ThumbHash of its color`() throws {
    let image = try image(.plain(1, 1, SIMD4(9, 19, 176, 255)))
    #expect(try Placeholder.makeBlurHash(of: image, columns: 1, rows: 1) == "0013T3")
    let shown = try mean(Placeholder.thumbHash(try Placeholder.makeThumbHash(of: image)).image())
    for (mine, theirs) in zip(shown, [9.0, 19, 176, 255]) { #expect(abs(mine - theirs) <= 8) }
  }

  @Test func `a transparent image has an opaque BlurHash and a transparent ThumbHash`() throws {
    let image = try image(.plain(30, 20, SIMD4(0, 0, 0, 0)))
    #expect(try Placeholder.makeBlurHash(of: image, columns: 2, rows: 1) == "100000fQ")
    let shown = try mean(Placeholder.thumbHash(try Placeholder.makeThumbHash(of: image)).image())
    #expect(shown == [0, 0, 0, 0])
  }

  @Test func `numbers of components outside of 1 to 9 are limited to that range`() throws {
    let image = try image(.noise(20, 10, seed: 6))
    func hash(_ columns: Int, _ rows: Int) throws -> String { try Placeholder.makeBlurHash(of: image, columns: columns, rows: rows) }
    #expect(try hash(0, 3) == hash(1, 3) && hash(.min, .max) == hash(1, 9) && hash(10, -1) == hash(9, 1))
    #expect(try hash(9, 9).count == 166 && hash(1, 1).count == 6 && hash(4, 3).count == 28)
    #expect(try Placeholder.makeBlurHash(of: image) == hash(4, 3))
  }

  @Test func `an image without pixels has neither a BlurHash nor a ThumbHash, and the failure says so`() {
    for make in [{ try Placeholder.makeBlurHash(of: UIImage()) }, { try Placeholder.makeThumbHash(of: UIImage()) }] {
      let failure = #expect(throws: FutureImage.Failure.self) { _ = try make() }
      #expect(failure?.description == "The image could not be read: it has no pixels; use an image with pixels.")
    }
  }

  @Test func `a future has no hash of its own, but its value has a BlurHash and a ThumbHash`() async throws {
    let fixture = LoaderFixture()
    let future = fixture.future()
    for make in [{ try Placeholder.makeBlurHash(of: future) }, { try Placeholder.makeThumbHash(of: future) }] {
      let failure = #expect(throws: FutureImage.Failure.self) { _ = try make() }
      #expect(failure?.reason == .refused("it is a future; use its value"))
    }
    await fixture.serve("a", SampleImage.jpeg(64, 48))
    let value = try await future.value
    #expect(try Placeholder.makeBlurHash(of: value).hasSuffix(String(repeating: "fQ", count: 11)))
    #expect(Placeholder.thumbHash(try Placeholder.makeThumbHash(of: value)).image()?.size == CGSize(width: 32, height: 23))
  }

  @Test func `all threads make the same BlurHash and ThumbHash of an image`() throws {
    let image = try image(.noise(40, 30, seed: 7))
    let hashes = Lock<Set<[String]>>([])
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      let both = [try? Placeholder.makeBlurHash(of: image), try? Placeholder.makeThumbHash(of: image)].compactMap { $0 }
      hashes.withLock { _ = $0.insert(both) }
    }
    let all = hashes.withLock { $0 }
    #expect(all.count == 1 && all.first?.count == 2)
  }
}
