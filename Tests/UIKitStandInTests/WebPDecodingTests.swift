import Foundation
import Testing
import UIKitStandIn

@Suite("WebP decoding", .timeLimit(.minutes(5)))
struct WebPDecodingTests {
  private func decode(_ name: String, size: PixelSize? = nil) throws -> CGImage {
    try ImageCodecs.decode(Fixture.data("webp/\(name).webp"), size: size)
  }

  private static func expected(alpha: Bool = false) -> CGImage? {
    CGImage.drawn(97, 65) { x, y in
      let (red, green, blue) = ((x * 255 + 48) / 96, (y * 255 + 32) / 64, ((x + y) * 255 + 80) / 160)
      return Pixel(UInt8(red), UInt8(green), UInt8(blue), alpha ? UInt8(255 - red) : 255)
    }
  }

  @Test func `a lossless WebP decodes to exactly the pixels of the image from which it was made`() throws {
    #expect(try decode("lossless").hasSamePixels(as: #require(Self.expected())))
    #expect(try decode("lossless-alpha").hasSamePixels(as: #require(Self.expected(alpha: true))))
  }

  @Test(arguments: ["lossy", "icc-exif"])
  func `a lossy WebP decodes to pixels close to the image from which it was made`(name: String) throws {
    let expected = try #require(Self.expected())
    let difference = try #require(decode(name).meanDifference(from: expected))
    #expect(difference < 2, "\(difference)")
  }

  @Test func `the alpha of a lossy image is exact`() throws {
    let image = try decode("lossy-alpha")
    #expect((0..<97).allSatisfy { image.pixel($0, 20).w == UInt8(255 - ($0 * 255 + 48) / 96) })
  }

  @Test(arguments: 1...8)
  func `all orientations are applied at full and reduced size`(value: Int) throws {
    let stored = try #require(Self.expected())
    let upright = try #require(stored.turned(ExifOrientation(exif: value)))
    #expect(try decode("exif-\(value)").hasSamePixels(as: upright))
    let size = PixelSize(width: 20, height: 20)
    let reduced = try decode("exif-\(value)", size: size)
    let expected = try #require(upright.reduced(to: size))
    #expect(try #require(reduced.largestDifference(from: expected)) <= 2)
    #expect(try ImageCodecs.info(of: Fixture.data("webp/exif-\(value).webp")).orientation.rawValue == value)
  }

  @Test(
    arguments: ["lossy", "lossless", "lossy-alpha", "lossless-alpha"])
  func `a WebP that is decoded at a reduced size is close to the reduced whole image`(name: String)
    throws
  {
    for size in [PixelSize(width: 48, height: 32), .init(width: 13, height: 9), .init(width: 96, height: 5), .init(width: 1, height: 1)] {
      // libwebp averages areas. An image with alpha is reduced by another filter, because libwebp does not weight colors by alpha.
      let expected = try #require(name.hasSuffix("alpha") ? decode(name).reduced(to: size) : decode(name).averaged(to: size))
      let difference = try #require(decode(name, size: size).meanDifference(from: expected))
      #expect(difference < 1.5, "\(size): \(difference)")
    }
  }

  @Test func `a lossless image that needs too much memory is refused, but a lossy image of the same size decodes`() throws {
    var limits = CodecLimits()
    limits.maxHeldBytes = 97 * 65 * 4 - 1
    #expect(throws: CodecError.tooLarge("97 × 65 pixels that cannot be decoded row by row; raise DecodingLimits.maxBytes")) {
      try ImageCodecs.decode(Fixture.data("webp/lossless.webp"), limits: limits)
    }
    #expect(throws: Never.self) { try ImageCodecs.decode(Fixture.data("webp/lossy.webp"), limits: limits) }
  }

  @Test func `data behind the end of a WebP is ignored`() throws {
    let data = try Fixture.data("webp/lossless.webp")
    #expect(try ImageCodecs.decode(data + Data("and more".utf8)).hasSamePixels(as: ImageCodecs.decode(data)))
  }
}
