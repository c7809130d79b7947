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
  ///   - pixels: the picture as it was decoded, before the key's transform.
  ///   - natural: the whole picture's size in pixels, before the transform.
  /// - Throws: what the transform throws.
  convenience init(_ pixels: CGImage, _ key: PixelPool.Key, natural: FutureImage.PixelSize) throws(FutureImage.Failure) {
    let whole = key.variant.size ?? CGSize(width: natural.width, height: natural.height)
    let scale = CGFloat(pixels.width) / max(whole.width, 1)
    guard let transform = key.variant.transform else {
      self.init(cgImage: pixels, scale: scale, orientation: .up)
      finish(key.step, natural, points: whole)
      return
    }
    guard let buffer = FutureImage.PixelBuffer(pixels, scale: scale) else {
      throw FutureImage.Failure(.transformFailed("the pixels cannot be read"))
    }
    let changed = try transform.apply(to: buffer)
    guard let image = changed.makeImage() else { throw FutureImage.Failure(.transformFailed("the pixels cannot be made a picture")) }
    self.init(cgImage: image, scale: scale, orientation: .up)
    // Of another shape than the picture's: what was known of the picture's size does not hold.
    let isReshaped = (changed.width, changed.height) != (pixels.width, pixels.height)
    let points = CGSize(width: CGFloat(changed.width) / scale, height: CGFloat(changed.height) / scale)
    finish(key.step, natural, points: isReshaped ? points : whole)
  }

  private func finish(_ step: Step, _ natural: FutureImage.PixelSize, points: CGSize) {
    decodedStep = step
    wholeSize = natural
    self.points = points
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
