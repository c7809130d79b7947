#if canImport(CoreGraphics)
@testable import FutureImage

extension CGImage {
  /// Returns whether both images look the same when they are drawn. The stand-in for UIKit has a method with the same name.
  func hasSamePixels(as other: CGImage) -> Bool {
    guard let mine = FutureImage.PixelBuffer(self, scale: 1) else { return false }
    return mine == FutureImage.PixelBuffer(other, scale: 1)
  }
}
#endif
