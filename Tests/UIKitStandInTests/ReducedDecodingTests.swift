import Foundation
import Testing
import UIKitStandIn

@Suite("Reduced decoding", .timeLimit(.minutes(5)))
struct ReducedDecodingTests {
  @Test(
    arguments: [
      PixelSize(width: 61, height: 46), .init(width: 60, height: 47), .init(width: 33, height: 20), .init(width: 16, height: 45),
      .init(width: 7, height: 45), .init(width: 3, height: 2), .init(width: 1, height: 1)
    ], [true, false])
  func `a PNG is reduced by a Lanczos filter weighted by alpha`(size: PixelSize, opaque: Bool) throws {
    let image = try #require(CGImage.noise(61, 47, opaque: opaque))
    let png = try #require(ImageCodecs.png(image))
    let expected = try #require(image.resampled(to: size, lobes: 3, averaging: true))
    let reduced = try ImageCodecs.decode(png, size: size)
    // Rounding may differ by one level. Pixels with little alpha are not compared, because their colors are quotients of two small numbers.
    for y in 0..<size.height {
      for x in 0..<size.width where opaque || expected.pixel(x, y).w > 16 {
        let (found, right) = (reduced.pixel(x, y), expected.pixel(x, y))
        #expect((0..<4).allSatisfy { abs(Int(found[$0]) - Int(right[$0])) <= 1 }, "\(x), \(y): \(found) for \(right)")
      }
    }
    #expect(try #require(image.reduced(to: size)).hasSamePixels(as: reduced))
  }

  // A 16-bit sum of pixels of the highest level, which is 255, would overflow after 257 rows.
  @Test(arguments: [514, 1028, 1032, 1100, 3000])
  func `a row of a reduced image can combine hundreds of rows without an overflow`(height: Int) throws {
    let size = PixelSize(width: 2, height: 2)
    let white = try #require(CGImage.drawn(9, height) { _, _ in Pixel(255, 255, 255, 255) })
    let reducedWhite = try #require(white.reduced(to: size))
    for place in [(0, 0), (1, 0), (0, 1), (1, 1)] { #expect(reducedWhite.pixel(place.0, place.1) == Pixel(255, 255, 255, 255)) }
    let noise = try #require(CGImage.noise(9, height, opaque: true))
    let (reduced, expected) = (try #require(noise.reduced(to: size)), try #require(noise.resampled(to: size, lobes: 3, averaging: true)))
    #expect(try #require(reduced.meanDifference(from: expected)) <= 1)
  }

  @Test func `the colors of transparent pixels do not change the colors of their neighbors`() throws {
    let image = try #require(CGImage.drawn(2, 2) { x, _ in x == 0 ? Pixel(255, 0, 0, 255) : Pixel(0, 255, 0, 0) })
    #expect(try #require(image.reduced(to: PixelSize(width: 1, height: 1))).pixel(0, 0) == Pixel(255, 0, 0, 128))
  }

  @Test(arguments: ["0g08", "3p04", "4a16", "6a08"])
  func `an interlaced PNG is reduced to the same pixels as the same image without interlacing`(kind: String) throws {
    let size = PixelSize(width: 13, height: 9)
    let interlaced = try ImageCodecs.decode(Fixture.data("pngsuite/basi\(kind).png"), size: size)
    let plain = try ImageCodecs.decode(Fixture.data("pngsuite/basn\(kind).png"), size: size)
    #expect(interlaced.hasSamePixels(as: plain))
  }

  @Test(arguments: ["baseline", "progressive", "gray", "cmyk-adobe"])
  func `a JPEG has exactly the requested size`(name: String) throws {
    let data = try Fixture.data("jpeg/\(name).jpg")
    for width in 1...97 {
      let size = PixelSize(width: width, height: 1 + (width * 29) % 65)
      let image = try ImageCodecs.decode(data, size: size)
      #expect(image.width == size.width && image.height == size.height)
    }
  }

  @Test(arguments: [97, 96, 90, 73, 61, 49, 48, 37, 25, 24, 13, 12, 5])
  func `a reduced JPEG looks like the averaged whole image`(width: Int) throws {
    let data = try Fixture.data("jpeg/full-chroma.jpg")
    let size = PixelSize(width: width, height: max(1, width * 65 / 97))
    let expected = try #require(ImageCodecs.decode(data).averaged(to: size))
    let reduced = try ImageCodecs.decode(data, size: size)
    // The scaled transform of libjpeg differs slightly from a box filter. At the right and lower edges, it also includes padding.
    let mean = try #require(reduced.meanDifference(from: expected))
    #expect(mean < 2, "\(mean)")
  }

  @Test(arguments: [(96, 8), (8, 64), (96, 63), (50, 30)])
  func `an image retains its detail along a side that is only slightly reduced`(width: Int, height: Int) throws {
    let data = try Fixture.data("exif/Landscape_1.jpg")
    let size = PixelSize(width: width, height: height)
    let expected = try #require(ImageCodecs.decode(data).averaged(to: size))
    let mean = try #require(ImageCodecs.decode(data, size: size).meanDifference(from: expected))
    #expect(mean < 4, "\(mean)")
  }

  @Test func `an image is never enlarged, and each of its sides has at least one pixel`() throws {
    let data = try Fixture.data("jpeg/baseline.jpg")
    let large = try ImageCodecs.decode(data, size: PixelSize(width: 1000, height: 10))
    #expect(large.width == 97 && large.height == 10)
    let small = try ImageCodecs.decode(data, size: PixelSize(width: 0, height: -5))
    #expect(small.width == 1 && small.height == 1)
  }
}
