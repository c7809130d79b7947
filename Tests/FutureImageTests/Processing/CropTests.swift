import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CropTests {
  typealias Transform = FutureImage.Transform
  typealias PixelBuffer = FutureImage.PixelBuffer

  /// An image in which the color of each pixel is its position.
  let map = PixelBuffer(12, 8) { x, y in SIMD4(UInt8(x), UInt8(y), 0, 255) }

  /// Returns the part of the image that the transform leaves: x, y, width, and height, in pixels.
  func part(_ transform: Transform, of buffer: PixelBuffer? = nil) throws -> [Int] {
    let part = try (buffer ?? map).after(transform)
    #expect(part[part.width - 1, part.height - 1] &- part[0, 0] == SIMD4(UInt8(part.width - 1), UInt8(part.height - 1), 0, 0))
    return [Int(part[0, 0].x), Int(part[0, 0].y), part.width, part.height]
  }

  @Test func `a crop to a rectangle in points gives exactly the pixels in the rectangle`() throws {
    #expect(try part(.crop(CGRect(x: 3, y: 2, width: 4, height: 5))) == [3, 2, 4, 5])
    #expect(try part(.crop(CGRect(x: 1, y: 1, width: 2, height: 2)), of: map.scaled(2)) == [2, 2, 4, 4])
  }

  @Test func `a crop ignores the part of its rectangle that is outside the image`() throws {
    #expect(try part(.crop(CGRect(x: -3, y: 6, width: 5, height: 50))) == [0, 6, 2, 2])
    #expect(try part(.crop(.infinite)) == [0, 0, 12, 8])
  }

  @Test func `a crop rectangle with fractional edges is rounded to whole pixels inside the image`() throws {
    #expect(try part(.crop(CGRect(x: 0.5, y: 0, width: 11.5, height: 8))) == [1, 0, 11, 8])
  }

  @Test(arguments: [
    CGRect.zero, .null, CGRect(x: 20, y: 0, width: 4, height: 4), CGRect(x: 2, y: 2, width: 0, height: 3),
    CGRect(x: CGFloat.nan, y: 0, width: 3, height: 3), CGRect(x: 0, y: 0, width: CGFloat.nan, height: 3)
  ])
  func `a crop to a rectangle that contains no part of the image changes nothing`(rect: CGRect) throws {
    #expect(try part(.crop(rect)) == [0, 0, 12, 8])
  }

  @Test func `a crop to a rectangle smaller than a pixel gives one pixel`() throws {
    #expect(try part(.crop(CGRect(x: 11.9, y: 7.9, width: 0.05, height: 0.05))) == [11, 7, 1, 1])
  }

  @Test(arguments: [
    (CGPoint(x: 0.5, y: 0.5), [2, 0]), (CGPoint(x: 0.5, y: 0), [2, 0]), (CGPoint(x: 0, y: 0.5), [0, 0]), (CGPoint(x: 0.25, y: 1), [1, 0]),
    (CGPoint(x: 1, y: 0.5), [4, 0]), (CGPoint(x: 7, y: 0), [4, 0]), (CGPoint(x: -CGFloat.infinity, y: 0), [0, 0]),
    (CGPoint(x: CGFloat.nan, y: 0), [2, 0])
  ])
  func `the anchor of a crop decides the position of a square in a wide image`(anchor: CGPoint, at: [Int]) throws {
    #expect(try part(.crop(toRatio: 1, anchor: anchor)) == at + [8, 8])
  }

  @Test func `the anchor of a crop decides whether a strip is at the top, in the middle, or at the bottom`() throws {
    #expect(try part(.crop(toRatio: 3, anchor: CGPoint(x: 0.5, y: 0))) == [0, 0, 12, 4])
    #expect(try part(.crop(toRatio: 3)) == [0, 2, 12, 4])
    #expect(try part(.crop(toRatio: 3, anchor: CGPoint(x: 0, y: 1))) == [0, 4, 12, 4])
    #expect(try part(.crop(toRatio: 1e9)) == [0, 4, 12, 1])
  }

  @Test(arguments: [0, -1, .nan, .infinity, -.infinity] as [CGFloat])
  func `a crop to an invalid ratio leaves the image unchanged`(ratio: CGFloat) throws {
    #expect(try part(.crop(toRatio: ratio)) == [0, 0, 12, 8])
  }

  @Test func `the size requested for a cropped image is the size of the cropped part, not of the whole image`() async throws {
    let fixture = LoaderFixture()
    let future = FutureImage(
      .url(LoaderFixture.url()), size: CGSize(width: 120, height: 90), transform: .crop(CGRect(x: 0, y: 0, width: 30, height: 30)),
      loader: fixture.loader)
    #expect(future.size == CGSize(width: 30, height: 30))
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    // The cropped part has 300 × 300 pixels. Three eighths of 300 pixels are 113 pixels, rounded up.
    for (edge, pixels) in [(100, 113), (300, 300)] {
      let image = try await future.value(fitting: .square(edge))
      #expect(image.cgImage?.width == pixels)
      #expect(image.size == CGSize(width: 30, height: 30))
    }
  }

  @Test func `two crop transforms are equal only if all their arguments are equal`() {
    let transforms: [Transform] = [
      .crop(CGRect(x: 1, y: 2, width: 3, height: 4)), .crop(CGRect(x: 2, y: 1, width: 3, height: 4)),
      .crop(CGRect(x: 1, y: 2, width: 4, height: 3)), .crop(toRatio: 1), .crop(toRatio: 1, anchor: .zero), .crop(toRatio: 1.5)
    ]
    #expect(Set(transforms).count == transforms.count)
  }
}
