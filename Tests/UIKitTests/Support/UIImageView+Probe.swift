#if canImport(UIKit) || canImport(UIKitStandIn)
import Testing

@testable import FutureImage

// The extensions read what a test can know of an image view's content, because UIKit draws the content in another process.
#if canImport(UIKit)
extension UIImageView {
  /// Whether the view's layer has contents. Without contents, an image view is blank.
  var isDisplaying: Bool {
    layoutIfNeeded()
    CATransaction.flush()
    return layer.contents != nil
  }

  /// Returns the first pixel that the view draws, at one pixel per point: red, green, blue, and alpha.
  func firstDrawnPixel() throws -> SIMD4<UInt8> { try drawnPixel(.zero) }
}

extension UIView {
  /// The two methods of drawing a view: by its layers, or as the screen shows the view.
  enum Rendering: CaseIterable {
    case layers, screen
  }

  /// Returns a pixel that the view draws, at one pixel per point: red, green, blue, and alpha.
  /// - Parameter place: the position of the pixel in the view, with coordinates from 0 to 1.
  func drawnPixel(_ place: CGPoint, by rendering: Rendering = .layers) throws -> SIMD4<UInt8> {
    let format = UIGraphicsImageRendererFormat()
    format.scale = 1
    layoutIfNeeded()
    let image = UIGraphicsImageRenderer(size: bounds.size, format: format).image { context in
      switch rendering {
      case .layers: layer.render(in: context.cgContext)
      case .screen: _ = drawHierarchy(in: bounds, afterScreenUpdates: true)
      }
    }
    let bitmap = try #require(image.cgImage)
    let buffer = try #require(FutureImage.PixelBuffer(bitmap, scale: 1))
    return buffer[Int(place.x * CGFloat(bitmap.width - 1)), Int(place.y * CGFloat(bitmap.height - 1))]
  }
}
#else
extension UIImageView {
  var isDisplaying: Bool { displayedBitmap != nil }

  /// Returns the first pixel that the view draws: red, green, blue, and alpha.
  func firstDrawnPixel() throws -> SIMD4<UInt8> { try #require(displayedBitmap.flatMap(Pixels.first)) }
}
#endif
#endif
