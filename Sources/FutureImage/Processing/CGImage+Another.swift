extension CGImage {
  /// Another object with the same pixels. The pixels are not copied if the system can share them.
  ///
  /// UIKit treats images of one bitmap as equal, and a view ignores an image that equals its current image. According to Apple's
  /// documentation, `copy()` returns a copy, which may be the same object, and `copy(colorSpace:)` returns a new image.
  var another: CGImage? {
    if let copy = copy(), copy !== self { return copy }
    if let space = colorSpace, let copy = copy(colorSpace: space), copy !== self { return copy }
    return FutureImage.PixelBuffer(self, scale: 1)?.makeImage()
  }

  /// An image of one transparent pixel.
  static let transparent = FutureImage.PixelBuffer(width: 1, height: 1, bytes: [0, 0, 0, 0])?.makeImage()
}
