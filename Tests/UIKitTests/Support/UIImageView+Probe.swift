import FutureImage
import Testing

// The content that an image view puts on the screen, as far as a process can read it.
#if canImport(UIKit)
extension UIImageView {
  /// Whether the view's layer has contents. An image view without them is blank.
  var isDisplaying: Bool {
    layoutIfNeeded()
    CATransaction.flush()
    return layer.contents != nil
  }

  /// Whether the view's layer replaces its contents with an animation.
  var isPlaying: Bool {
    layoutIfNeeded()
    CATransaction.flush()
    let animations = (layer.animationKeys() ?? []).compactMap { layer.animation(forKey: $0) as? CAPropertyAnimation }
    return animations.contains { $0.keyPath == "contents" }
  }

  /// Returns the first pixel that the view draws, at one pixel per point: red, green, blue, and alpha.
  func firstDrawnPixel() throws -> SIMD4<UInt8> {
    let format = UIGraphicsImageRendererFormat()
    format.scale = 1
    layoutIfNeeded()
    let image = UIGraphicsImageRenderer(size: bounds.size, format: format).image { layer.render(in: $0.cgContext) }
    return try #require(image.cgImage.flatMap(Pixels.first))
  }
}
#else
extension UIImageView {
  var isDisplaying: Bool { displayedBitmap != nil }

  var isPlaying: Bool { displayedFrames != nil }

  /// Returns the first pixel that the view draws: red, green, blue, and alpha.
  func firstDrawnPixel() throws -> SIMD4<UInt8> { try #require(displayedBitmap.flatMap(Pixels.first)) }
}
#endif
