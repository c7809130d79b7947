import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DisplayPixelsTests {
  private func pixels(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> SIMD4<UInt8>) throws -> DisplayPixels {
    var buffer = try #require(FutureImage.PixelBuffer(width: width, height: height))
    for y in 0..<height { for x in 0..<width { buffer[x, y] = pixel(x, y) } }
    return DisplayPixels(buffer)
  }

  @Test(arguments: [
    (SIMD4<UInt8>(255, 0, 0, 255), [UInt8](arrayLiteral: 0, 0, 255, 255)), (SIMD4(255, 128, 0, 128), [0, 64, 128, 128]),
    (SIMD4(200, 100, 50, 0), [0, 0, 0, 0]), (SIMD4(1, 2, 3, 255), [3, 2, 1, 255])
  ])
  func `the color of a pixel is multiplied by its alpha, and the bytes of a pixel begin with blue`(straight: SIMD4<UInt8>, bytes: [UInt8])
    throws
  {
    #expect(try Array(pixels(1, 1) { _, _ in straight }.bytes.prefix(4)) == bytes)
  }

  @Test func `the product of any color level and any alpha is rounded to the nearest level`() throws {
    let pixels = try pixels(256, 256) { x, y in SIMD4(UInt8(x), 0, 0, UInt8(y)) }
    let bytes = Array(pixels.bytes)
    for alpha in 0...255 {
      for color in 0...255 {
        let exact = UInt8((Double(color * alpha) / 255).rounded())
        if bytes[alpha * pixels.bytesPerRow + color * 4 + 2] != exact { Issue.record("the color \(color) with the alpha \(alpha)") }
      }
    }
  }

  @Test(arguments: [(1, 64), (15, 64), (16, 64), (17, 128), (33, 192)])
  func `each row of display pixels starts at a multiple of 64 bytes`(width: Int, bytesPerRow: Int) throws {
    let pixels = try pixels(width, 3) { x, y in SIMD4(UInt8(y), 0, UInt8(x), 255) }
    try #require(pixels.bytesPerRow == bytesPerRow && pixels.bytes.count == bytesPerRow * 3)
    for y in 0..<3 {
      let last = y * bytesPerRow + (width - 1) * 4
      #expect(Array(pixels.bytes)[last..<last + 4].elementsEqual([UInt8(width - 1), 0, UInt8(y), 255]))
    }
  }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  @Test func `an image is reduced for display only if a side is longer than allowed`() throws {
    let image = try #require(SampleImage.image(8, 4).cgImage)
    for (width, height) in [(8, 4), (9, 9)] {
      #expect(try image.forDisplay(within: FutureImage.PixelSize(width: width, height: height)) === image)
    }
    for (width, height) in [(4, 4), (8, 2), (4, 2)] {
      let reduced = try image.forDisplay(within: FutureImage.PixelSize(width: width, height: height))
      #expect(reduced.width == width && reduced.height == height)
    }
  }
  #endif

  @Test func `an image is opaque only if all of its pixels are opaque`() throws {
    #expect(try pixels(20, 3) { _, _ in SIMD4(1, 2, 3, 255) }.isOpaque)
    #expect(try !pixels(20, 3) { x, y in SIMD4(1, 2, 3, x == 19 && y == 2 ? 254 : 255) }.isOpaque)
  }
}
