/// A picture that this library decoded, and how much of it: what lets a reduced one be told from a whole one wherever it turns up again,
/// in the pool or in an app's own NSCache.
///
/// Its `size` in points is the whole picture's at every step, so layout does not move when it sharpens.
final class DecodedImage: UIImage, @unchecked Sendable {
  // Sendable: all are written once, before anybody else has the object.
  fileprivate var decodedStep = Step.full
  fileprivate var wholeSize = FutureImage.PixelSize(width: 0, height: 0)

  private var points = CGSize.zero
  private var frames: [UIImage]?
  private var seconds: TimeInterval = 0

  /// Bytes of pixels, of all frames together.
  private(set) var byteCount = 0

  /// - Parameters:
  ///   - pixels: the picture as it was decoded, before the key's transform.
  ///   - natural: the whole picture's size in pixels, before the transform.
  /// - Throws: what the transform throws.
  convenience init(_ pixels: CGImage, _ key: PixelPool.Key, natural: FutureImage.PixelSize) throws(FutureImage.Failure) {
    try self.init([(pixels, 0)], key, natural: natural)
  }

  /// An animated one: its first frame, with all of them as its ``images``, each as often as makes up for the equal time that they are shown.
  convenience init(_ animation: FutureImage.Animation, _ key: PixelPool.Key, natural: FutureImage.PixelSize) throws(FutureImage.Failure) {
    try self.init(animation.frames.map { ($0.image, $0.duration) }, key, natural: natural)
  }

  private convenience init(
    _ decoded: [(image: CGImage, seconds: TimeInterval)], _ key: PixelPool.Key, natural: FutureImage.PixelSize
  ) throws(FutureImage.Failure) {
    guard let first = decoded.first?.image else { throw FutureImage.Failure(.undecodable("it has no frames")) }
    let whole = key.variant.size ?? CGSize(width: natural.width, height: natural.height)
    let scale = CGFloat(first.width) / max(whole.width, 1)
    var made: [CGImage] = []
    for frame in decoded { made.append(try frame.image.changed(by: key.variant.transform, scale: scale)) }
    let image = made[0]
    self.init(cgImage: image, scale: scale, orientation: .up)
    // Of another shape than the picture's: what was known of the picture's size does not hold.
    let isReshaped = (image.width, image.height) != (first.width, first.height)
    let points = CGSize(width: CGFloat(image.width) / scale, height: CGFloat(image.height) / scale)
    finish(key.step, natural, points: isReshaped ? points : whole)
    byteCount = made.reduce(0) { $0 + $1.width * $1.height * 4 }
    guard made.count > 1 else { return }
    let (times, each) = FutureImage.Animation.times(decoded.map(\.seconds))
    frames = zip(made, times).flatMap { image, times in
      Array(repeating: UIImage(cgImage: image, scale: scale, orientation: .up), count: times)
    }
    seconds = each * Double(times.reduce(0, +))
  }

  private func finish(_ step: Step, _ natural: FutureImage.PixelSize, points: CGSize) {
    decodedStep = step
    wholeSize = natural
    self.points = points
  }

  /// Exactly the whole picture's: pixels divided by the scale would be off by what a reduced height was rounded.
  override var size: CGSize { points }

  override var images: [UIImage]? { frames }

  override var duration: TimeInterval { seconds }
}

extension CGImage {
  fileprivate func changed(by transform: FutureImage.Transform?, scale: CGFloat) throws(FutureImage.Failure) -> CGImage {
    guard let transform else { return self }
    guard let buffer = FutureImage.PixelBuffer(self, scale: scale) else {
      throw FutureImage.Failure(.transformFailed("the pixels cannot be read"))
    }
    guard let image = try transform.apply(to: buffer).makeImage() else {
      throw FutureImage.Failure(.transformFailed("the pixels cannot be made a picture"))
    }
    return image
  }
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
