/// A picture that this library decoded, reduced or animated: what lets a reduced one be told from a whole one wherever it turns up again,
/// in the pool or in an app's own NSCache. Pictures whose pixels say it all are plain `UIImage`s.
///
/// Its `size` in points is the whole transformed picture's at every step, so layout does not move when it sharpens.
///
/// UIKit copies images without calling an initializer of their class, and draws and measures copies: all that this class adds is one
/// optional object, and each override reads `super` without it. A copy that this class makes itself carries the object on.
@requires_stored_property_inits
final class DecodedImage: UIImage, @unchecked Sendable {
  // Sendable: written once, before anybody else has the object: in the initializer, or for a copy in `detailed(_:)`, which every copy
  // passes.
  private(set) var details: Details?

  /// UIKit may hand out one copy to several threads.
  private static let copies = Lock(())

  /// Facts that the bitmap does not show.
  final class Details: Sendable {
    let step: Step
    /// The whole transformed picture's, in pixels.
    let wholeSize: FutureImage.PixelSize
    /// The whole transformed picture's, in points: pixels divided by the scale would be off by what a reduced height was rounded.
    let points: CGSize
    /// Of pixels, of all frames together.
    let byteCount: Int
    /// Nil for a still picture.
    let frames: [UIImage]?
    /// Of all frames; 0 for a still picture.
    let seconds: TimeInterval
    /// The picture that this one shows in another tint or rendering mode, which lives as long: by it the pool finds the pixels.
    let original: UIImage?
    /// The transform that made it, and the size in points that its future was given: by them a memory tier's picture is known for what it is.
    let transform: FutureImage.Transform?
    let givenSize: CGSize?

    init(
      step: Step, wholeSize: FutureImage.PixelSize, points: CGSize, byteCount: Int, frames: [UIImage]?, seconds: TimeInterval,
      original: UIImage? = nil, transform: FutureImage.Transform? = nil, givenSize: CGSize? = nil
    ) {
      self.original = original
      self.transform = transform
      self.givenSize = givenSize
      self.step = step
      self.wholeSize = wholeSize
      self.points = points
      self.byteCount = byteCount
      self.frames = frames
      self.seconds = seconds
    }

    /// Those of another picture, for one that shows it differently.
    convenience init(of image: UIImage) {
      self.init(
        step: image.step, wholeSize: image.naturalSize, points: image.size, byteCount: image.byteCount, frames: image.images,
        seconds: image.duration, original: image, transform: image.decodedDetails?.transform, givenSize: image.decodedDetails?.givenSize)
    }
  }

  /// A picture of the bitmap, with another's scale and orientation.
  convenience init(_ bitmap: CGImage, like image: UIImage, _ details: Details) {
    self.init(cgImage: bitmap, scale: image.scale, orientation: image.imageOrientation)
    self.details = details
  }

  override var size: CGSize { details?.points ?? super.size }

  override var images: [UIImage]? { details?.frames ?? super.images }

  override var duration: TimeInterval { details?.seconds ?? super.duration }

  /// This image itself: a view then draws and measures it, and no copy.
  override func withConfiguration(_ configuration: UIImage.Configuration) -> UIImage { self }

  override func withRenderingMode(_ renderingMode: UIImage.RenderingMode) -> UIImage { detailed(super.withRenderingMode(renderingMode)) }

  override func withTintColor(_ color: UIColor) -> UIImage { detailed(super.withTintColor(color)) }

  override func withTintColor(_ color: UIColor, renderingMode: UIImage.RenderingMode) -> UIImage {
    detailed(super.withTintColor(color, renderingMode: renderingMode))
  }

  override func withAlignmentRectInsets(_ insets: UIEdgeInsets) -> UIImage { detailed(super.withAlignmentRectInsets(insets)) }

  override func withBaselineOffset(fromBottom offset: CGFloat) -> UIImage { detailed(super.withBaselineOffset(fromBottom: offset)) }

  override func imageWithoutBaseline() -> UIImage { detailed(super.imageWithoutBaseline()) }

  override func imageFlippedForRightToLeftLayoutDirection() -> UIImage { detailed(super.imageFlippedForRightToLeftLayoutDirection()) }

  override func withHorizontallyFlippedOrientation() -> UIImage { detailed(super.withHorizontallyFlippedOrientation()) }

  override func imageRestrictedToStandardDynamicRange() -> UIImage { detailed(super.imageRestrictedToStandardDynamicRange()) }

  /// Decoded already.
  override func preparingForDisplay() -> UIImage? { self }

  /// A plain image, as its pixels are others.
  override func preparingThumbnail(of size: CGSize) -> UIImage? { plain?.preparingThumbnail(of: size) }

  override func prepareForDisplay(completionHandler: @escaping @Sendable (UIImage?) -> Void) {
    DispatchQueue.global(qos: .userInitiated).async { completionHandler(self) }
  }

  override func prepareThumbnail(of size: CGSize, completionHandler: @escaping @Sendable (UIImage?) -> Void) {
    plain?.prepareThumbnail(of: size, completionHandler: completionHandler)
      ?? super.prepareThumbnail(of: size, completionHandler: completionHandler)
  }

  /// An archive has its pixels, and can be read where this class is not known.
  override var classForCoder: AnyClass { UIImage.self }

  override func isEqual(_ object: Any?) -> Bool { self === object as AnyObject? }

  override var hash: Int { ObjectIdentifier(self).hashValue }

  #if FUTUREIMAGE_SIMULATION
  // In apps a picture may be one of theirs, with whatever it owns.
  deinit { assertNoLockIsHeld() }
  #endif

  /// Gives a copy by UIKit, whose Swift property is nil or zero bytes, what this picture knows. UIKit hands out the picture itself where
  /// nothing changes, and a copy that it made before.
  private func detailed(_ copy: UIImage) -> UIImage {
    guard copy !== self, let decoded = copy as? DecodedImage else { return copy }
    Self.copies.withLock { _ in
      if decoded.details == nil { decoded.details = details }
    }
    return copy
  }
}

extension UIImage {
  /// A picture from its pixels.
  /// - Parameters:
  ///   - pixels: decoded for the key's step, before the transform.
  ///   - plan: the variant's, for the whole picture's size.
  /// - Throws: the transform's failure.
  static func decoded(
    _ pixels: CGImage, _ key: PixelPool.Key, _ plan: FutureImage.Transform.Plan
  ) throws(FutureImage.Failure) -> UIImage {
    try decoded([(pixels, 0)], key, plan)
  }

  /// An animated one: its first frame, with all of them as its `images`, each as often as makes up for the equal time that they are shown.
  static func decoded(
    _ animation: FutureImage.Animation, _ key: PixelPool.Key, _ plan: FutureImage.Transform.Plan
  ) throws(FutureImage.Failure) -> UIImage {
    try decoded(animation.frames.map { ($0.image, $0.duration) }, key, plan)
  }

  private static func decoded(
    _ decoded: [(image: CGImage, seconds: TimeInterval)], _ key: PixelPool.Key, _ plan: FutureImage.Transform.Plan
  ) throws(FutureImage.Failure) -> UIImage {
    var made: [Changed] = []
    for frame in decoded { made.append(try frame.image.changed(by: key, plan)) }
    guard let first = made.first else { throw FutureImage.Failure(.undecodable("it has no frames")) }
    let still = UIImage(cgImage: first.image, scale: first.scale, orientation: .up)
    let variant = key.variant
    if made.count == 1, key.step == .full, variant.transform == nil, variant.size == nil, still.size == first.points,
      still.naturalSize == plan.whole
    {
      return still
    }
    let byteCount = made.reduce(0) { $0 + $1.image.byteCount }
    guard made.count > 1 else {
      let details = DecodedImage.Details(
        step: key.step, wholeSize: plan.whole, points: first.points, byteCount: byteCount, frames: nil, seconds: 0,
        transform: variant.transform, givenSize: variant.size)
      return DecodedImage(first.image, like: still, details)
    }
    let (times, each) = FutureImage.Animation.times(decoded.map(\.seconds))
    let frames = zip(made, times).flatMap { frame, times in
      Array(repeating: UIImage(cgImage: frame.image, scale: frame.scale, orientation: .up), count: times)
    }
    let details = DecodedImage.Details(
      step: key.step, wholeSize: plan.whole, points: first.points, byteCount: byteCount, frames: frames,
      seconds: each * Double(times.reduce(0, +)), transform: variant.transform, givenSize: variant.size)
    // A bitmap of its own, which shares the pixels: a view that shows the animation would take its first frame for the same image, and
    // ignore it.
    return DecodedImage(first.image.copy() ?? first.image, like: still, details)
  }

  /// Nil where the pixels say it all.
  fileprivate var decodedDetails: DecodedImage.Details? { (self as? DecodedImage)?.details }

  /// Whether a future of that transform and size would make this picture of its source. One that is not of our decoding is taken for the
  /// source's own, in its own size.
  func isMade(by transform: FutureImage.Transform?, size given: CGSize?) -> Bool {
    let details = decodedDetails
    guard details?.transform == transform else { return false }
    return details?.givenSize == given || size == given
  }

  /// How much of the whole picture this is. One that is not of our decoding is taken for whole.
  var step: Step { decodedDetails?.step ?? .full }

  /// The whole picture's size in pixels, after its transform.
  var naturalSize: FutureImage.PixelSize {
    decodedDetails?.wholeSize
      ?? FutureImage.PixelSize(width: max(1, cgImage?.width ?? 1), height: max(1, cgImage?.height ?? 1))
  }

  /// Bytes of its pixels, of all frames together.
  var byteCount: Int { decodedDetails?.byteCount ?? cgImage?.byteCount ?? 0 }

  /// An image of the same pixels without a class of ours; nil without pixels.
  var plain: UIImage? { cgImage.map { UIImage(cgImage: $0, scale: scale, orientation: imageOrientation) } }
}

private struct Changed {
  let image: CGImage
  /// Pixels a point.
  let scale: CGFloat
  /// The whole picture's size.
  let points: CGSize
}

extension CGImage {
  fileprivate var byteCount: Int { width * height * 4 }

  fileprivate func changed(by key: PixelPool.Key, _ plan: FutureImage.Transform.Plan) throws(FutureImage.Failure) -> Changed {
    let scale = CGFloat(width) / CGFloat(plan.startPoints.x)
    guard let transform = key.variant.transform else {
      return Changed(image: self, scale: scale, points: key.variant.size ?? plan.points.cgSize)
    }
    guard let buffer = FutureImage.PixelBuffer(self, scale: scale) else {
      throw FutureImage.Failure(.transformFailed("its pixels cannot be read; release memory and try again"))
    }
    let (changed, points) = try transform.apply(to: buffer, plan, at: key.step)
    guard let image = changed.makeImage() else {
      throw FutureImage.Failure(.transformFailed("there is not enough memory for the result; release memory, or request fewer pixels"))
    }
    return Changed(image: image, scale: changed.scale, points: points)
  }
}
