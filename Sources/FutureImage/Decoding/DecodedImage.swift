/// A picture that this library decoded, and how much of it: what lets a reduced one be told from a whole one wherever it turns up again,
/// in the pool or in an app's own NSCache.
///
/// Its `size` in points is the whole picture's at every step, so layout does not move when it sharpens.
final class DecodedImage: UIImage, @unchecked Sendable {
  // Sendable: all are written once, before anybody else has the object.
  fileprivate var decodedStep = Step.full
  fileprivate var wholeSize = FutureImage.PixelSize(width: 0, height: 0)

  private var points = CGSize.zero

  /// - Parameters:
  ///   - natural: the whole picture's size in pixels.
  ///   - size: the whole picture's size in points; nil for a point a pixel.
  convenience init(_ pixels: CGImage, step: Step, natural: FutureImage.PixelSize, size: CGSize?) {
    let size = size ?? CGSize(width: natural.width, height: natural.height)
    self.init(cgImage: pixels, scale: CGFloat(pixels.width) / max(size.width, 1), orientation: .up)
    decodedStep = step
    wholeSize = natural
    points = size
  }

  /// Exactly the whole picture's: pixels divided by the scale would be off by what a reduced height was rounded.
  override var size: CGSize { points }

  var byteCount: Int { (cgImage?.width ?? 0) * (cgImage?.height ?? 0) * 4 }
}

extension UIImage {
  /// How much of the whole picture this is. One that is not of our decoding is taken for whole.
  var step: Step { (self as? DecodedImage)?.decodedStep ?? .full }

  /// The whole picture's size in pixels.
  var naturalSize: FutureImage.PixelSize {
    (self as? DecodedImage)?.wholeSize
      ?? FutureImage.PixelSize(width: max(1, cgImage?.width ?? 1), height: max(1, cgImage?.height ?? 1))
  }
}
