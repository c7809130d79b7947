import FutureImage
import Testing

// What an image view puts on the screen, as far as a process can see it.
#if canImport(UIKit)
extension UIImageView {
  /// Whether the view's layer has contents: an image view without them is blank.
  var isDisplaying: Bool {
    layoutIfNeeded()
    CATransaction.flush()
    return layer.contents != nil
  }

  /// Whether the view's layer replaces its contents by an animation.
  var isPlaying: Bool {
    layoutIfNeeded()
    CATransaction.flush()
    let animations = (layer.animationKeys() ?? []).compactMap { layer.animation(forKey: $0) as? CAPropertyAnimation }
    return animations.contains { $0.keyPath == "contents" }
  }

  /// The first pixel of what the view draws, at one pixel per point: red, green, blue and alpha.
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

  /// The first pixel of what the view draws: red, green, blue and alpha.
  func firstDrawnPixel() throws -> SIMD4<UInt8> { try #require(displayedBitmap.flatMap(Pixels.first)) }
}
#endif
