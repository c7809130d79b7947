/// A picture that this library decoded, and how much of it: what lets a reduced one be told from a whole one wherever it turns up again,
/// in the pool or in an app's own NSCache.
///
/// Its `size` in points is the whole transformed picture's at every step, so layout does not move when it sharpens.
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
  ///   - pixels: the picture as it was decoded for the key's step, before its transform.
  ///   - plan: the variant's, for the whole picture's size.
  /// - Throws: what the transform throws.
  convenience init(_ pixels: CGImage, _ key: PixelPool.Key, _ plan: FutureImage.Transform.Plan) throws(FutureImage.Failure) {
    try self.init([(pixels, 0)], key, plan)
  }

  /// An animated one: its first frame, with all of them as its ``images``, each as often as makes up for the equal time that they are
  /// shown.
  convenience init(_ animation: FutureImage.Animation, _ key: PixelPool.Key, _ plan: FutureImage.Transform.Plan) throws(FutureImage.Failure)
  {
    try self.init(animation.frames.map { ($0.image, $0.duration) }, key, plan)
  }

  private convenience init(
    _ decoded: [(image: CGImage, seconds: TimeInterval)], _ key: PixelPool.Key, _ plan: FutureImage.Transform.Plan
  ) throws(FutureImage.Failure) {
    var made: [Changed] = []
    for frame in decoded { made.append(try frame.image.changed(by: key, plan)) }
    guard let first = made.first else { throw FutureImage.Failure(.undecodable("it has no frames")) }
    self.init(cgImage: first.image, scale: first.scale, orientation: .up)
    finish(key.step, plan.whole, points: first.points)
    byteCount = made.reduce(0) { $0 + $1.image.width * $1.image.height * 4 }
    guard made.count > 1 else { return }
    let (times, each) = FutureImage.Animation.times(decoded.map(\.seconds))
    frames = zip(made, times).flatMap { frame, times in
      Array(repeating: UIImage(cgImage: frame.image, scale: frame.scale, orientation: .up), count: times)
    }
    seconds = each * Double(times.reduce(0, +))
  }

  private func finish(_ step: Step, _ whole: FutureImage.PixelSize, points: CGSize) {
    decodedStep = step
    wholeSize = whole
    self.points = points
  }

  /// Exactly the whole picture's: pixels divided by the scale would be off by what a reduced height was rounded.
  override var size: CGSize { points }

  override var images: [UIImage]? { frames }

  override var duration: TimeInterval { seconds }
}

private struct Changed {
  let image: CGImage
  /// Pixels a point.
  let scale: CGFloat
  /// The whole picture's size.
  let points: CGSize
}

extension CGImage {
  fileprivate func changed(by key: PixelPool.Key, _ plan: FutureImage.Transform.Plan) throws(FutureImage.Failure) -> Changed {
    let scale = CGFloat(width) / CGFloat(plan.startPoints.x)
    guard let transform = key.variant.transform else {
      return Changed(image: self, scale: scale, points: key.variant.size ?? plan.points.cgSize)
    }
    guard let buffer = FutureImage.PixelBuffer(self, scale: scale) else {
      throw FutureImage.Failure(.transformFailed("the pixels cannot be read"))
    }
    let (changed, points) = try transform.apply(to: buffer, plan, at: key.step)
    guard let image = changed.makeImage() else { throw FutureImage.Failure(.transformFailed("the pixels cannot be made a picture")) }
    return Changed(image: image, scale: changed.scale, points: points)
  }
}

extension UIImage {
  /// How much of the whole picture this is. One that is not of our decoding is taken for whole.
  var step: Step { (self as? DecodedImage)?.decodedStep ?? .full }

  /// The whole picture's size in pixels, after its transform.
  var naturalSize: FutureImage.PixelSize {
    (self as? DecodedImage)?.wholeSize
      ?? FutureImage.PixelSize(width: max(1, cgImage?.width ?? 1), height: max(1, cgImage?.height ?? 1))
  }
}
