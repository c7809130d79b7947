extension CGImage {
  /// Another object with the same pixels, which are not duplicated if the system can help it.
  ///
  /// Images of one bitmap are equal to UIKit, and a view ignores an image that equals its current one. Apple documents `copy()` as a copy,
  /// which may be the same object, and `copy(colorSpace:)` as a new image.
  var another: CGImage? {
    if let copy = copy(), copy !== self { return copy }
    if let space = colorSpace, let copy = copy(colorSpace: space), copy !== self { return copy }
    return FutureImage.PixelBuffer(self, scale: 1)?.makeImage()
  }

  /// One pixel without color.
  static let transparent = FutureImage.PixelBuffer(width: 1, height: 1, bytes: [0, 0, 0, 0])?.makeImage()
}
