import Foundation
import FutureImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PixelSizeTests {
  typealias PixelSize = FutureImage.PixelSize

  @Test(arguments: [(44, 3, 132), (44.5, 2, 89), (44.5, 3, 134), (100.1, 1, 101), (0.1, 1, 1), (0, 3, 0)] as [(CGFloat, CGFloat, Int)])
  func `a part of a pixel counts as a whole pixel`(points: CGFloat, scale: CGFloat, pixels: Int) {
    #expect(PixelSize(CGSize(width: points, height: 7), scale: scale) == PixelSize(width: pixels, height: 7 * Int(scale)))
    #expect(PixelSize(CGSize(width: 7, height: points), scale: scale) == PixelSize(width: 7 * Int(scale), height: pixels))
  }

  @Test func `a rounding error in a sum of points does not add a pixel`() {
    var points = CGFloat.zero
    for pixels in 1...2_000 {
      points += 1 / 3
      #expect(PixelSize(CGSize(width: points, height: points), scale: 3) == PixelSize(width: pixels, height: pixels))
    }
  }

  @Test(arguments: [
    (CGFloat.infinity, Int.max), (.greatestFiniteMagnitude, .max), (CGFloat(Int.max), .max), (-1, 0), (-.infinity, 0), (.nan, 0)
  ])
  func `a side that is too long gets the greatest number of pixels, and a negative or invalid side gets no pixels`(
    points: CGFloat, pixels: Int
  ) {
    #expect(PixelSize(CGSize(width: points, height: points), scale: 1) == PixelSize(width: pixels, height: pixels))
  }

  @Test func `a fitting with a width and a height equals the fitting with that size`() {
    #expect(FutureImage.Fitting.fit(width: 3, height: 4) == .fit(PixelSize(width: 3, height: 4)))
    #expect(FutureImage.Fitting.fill(width: 3, height: 4) == .fill(PixelSize(width: 3, height: 4)))
  }
}
