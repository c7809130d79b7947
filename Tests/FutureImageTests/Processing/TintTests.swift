import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct TintTests {
  typealias Transform = FutureImage.Transform
  typealias Color = FutureImage.Color
  typealias PixelBuffer = FutureImage.PixelBuffer

  let pair = PixelBuffer(2, 1) { x, _ in x == 0 ? SIMD4(200, 100, 50, 255) : SIMD4(10, 20, 30, 100) }

  @Test func `a tint gives one color in the shape of the image`() throws {
    let tinted = try pair.after(.tint(Color(red: 1, green: 0.5, blue: 0)))
    #expect(tinted.bytes == [255, 128, 0, 255, 255, 128, 0, 100])
    #expect(try pair.after(.tint(Color(red: 1, green: 1, blue: 1, alpha: 0.5))).alphas == [128, 50])
  }

  @Test func `the components of a color are clamped to the range from 0 to 1`() {
    #expect(Color(red: 7, green: -3, blue: .nan, alpha: .infinity) == Color(red: 1, green: 0, blue: 0, alpha: 1))
    #expect(Color(red: -.infinity, green: .infinity, blue: 0.25) == Color(red: 0, green: 1, blue: 0.25))
  }

  @Test func `a color component of negative zero equals a component of zero`() {
    let (negative, positive) = (Color(red: -0.0, green: 0, blue: 0, alpha: -0.0), Color(red: 0, green: 0, blue: 0, alpha: 0))
    #expect(negative == positive && Transform.tint(negative) == .tint(positive))
  }

  @Test func `a UIColor is converted to sRGB and clamped`() {
    #expect(Color(UIColor(red: 0.25, green: 0.5, blue: 0.75, alpha: 0.5)) == Color(red: 0.25, green: 0.5, blue: 0.75, alpha: 0.5))
    #expect(Color(.white) == Color(red: 1, green: 1, blue: 1))
    #expect(Color(UIColor(red: 1.1, green: -0.2, blue: 0, alpha: 1)) == Color(red: 1, green: 0, blue: 0))
    #expect(Transform.tint(Color(.red)) == .tint(Color(red: 1, green: 0, blue: 0)))
  }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  @Test func `a UIColor without components becomes clear, and getRed accepts nil for unneeded components`() {
    final class Pattern: UIColor, @unchecked Sendable {
      override func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?, blue: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
      ) -> Bool { false }
    }
    #expect(Color(Pattern(red: 1, green: 1, blue: 1, alpha: 1)) == Color(red: 0, green: 0, blue: 0, alpha: 0))
    var blue = CGFloat.zero
    #expect(UIColor.blue.getRed(nil, green: nil, blue: &blue, alpha: nil))
    #expect(blue == 1)
  }
  #endif

  @Test func `two tint transforms are equal only if all components of their colors are equal`() {
    let colors = [
      Color(red: 0.1, green: 0.2, blue: 0.3), Color(red: 0.2, green: 0.1, blue: 0.3), Color(red: 0.1, green: 0.3, blue: 0.2),
      Color(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.5)
    ]
    #expect(Set(colors.map { Transform.tint($0) }).count == 4)
  }
}
