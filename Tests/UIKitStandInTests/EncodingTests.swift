import Foundation
import Testing
import UIKitStandIn

@Suite("Encoding", .timeLimit(.minutes(5)))
struct EncodingTests {
  @Test(arguments: [true, false])
  func `an image that is encoded as PNG decodes to the same pixels`(opaque: Bool) throws {
    let image = try #require(CGImage.noise(37, 23, opaque: opaque))
    let data = try #require(ImageCodecs.png(image))
    #expect(try ImageCodecs.decode(data).hasSamePixels(as: image))
    // The color type of IHDR: 2 is RGB, 6 is RGBA.
    #expect(data[25] == (opaque ? 2 : 6))
  }

  @Test func `an image that is encoded as JPEG decodes to similar pixels, which are closer at a higher quality`() throws {
    let image = try ImageCodecs.decode(Fixture.data("exif/Landscape_1.jpg"))
    let best = try #require(ImageCodecs.jpeg(image, quality: 1))
    let worst = try #require(ImageCodecs.jpeg(image, quality: 0))
    let near = try #require(ImageCodecs.decode(best).meanDifference(from: image))
    let far = try #require(ImageCodecs.decode(worst).meanDifference(from: image))
    #expect(near < 4 && near < far && worst.count < best.count)
    // A quality outside of 0 ... 1 counts as the nearest of the two ends.
    #expect(ImageCodecs.jpeg(image, quality: 7) == best && ImageCodecs.jpeg(image, quality: -7) == worst)
  }

  @Test func `an image with alpha is drawn over white in a JPEG`() throws {
    let image = try #require(CGImage.drawn(16, 16) { x, _ in Pixel(0, 0, 0, x < 8 ? 0 : 128) })
    let decoded = try ImageCodecs.decode(#require(ImageCodecs.jpeg(image, quality: 1)))
    #expect(decoded.pixel(1, 8).x > 250)
    #expect(abs(Int(decoded.pixel(14, 8).x) - 127) < 5)
  }

  @Test func `a JPEG that is larger than the encoder's initial buffer is written completely`() throws {
    let image = try #require(CGImage.noise(200, 200, opaque: true))
    let data = try #require(ImageCodecs.jpeg(image, quality: 1))
    #expect(data.count > 20_000 && data.suffix(2) == Data([0xFF, 0xD9]))
    #expect(try ImageCodecs.decode(data).width == 200)
  }

  @Test func `an image with a side too long for JPEG is not encoded as JPEG`() throws {
    let image = try #require(CGImage(width: 65_501, height: 1, rgba: [UInt8](repeating: 9, count: 65_501 * 4)))
    #expect(ImageCodecs.jpeg(image, quality: 0.5) == nil)
    #expect(ImageCodecs.png(image) != nil)
  }
}
