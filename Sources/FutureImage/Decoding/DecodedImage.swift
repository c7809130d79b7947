/// A reduced or animated image that this library decoded. When the library finds an image again, in the pool or in an app's own NSCache,
/// this class shows that the image is not a whole still image. An image whose pixels contain all information is a plain `UIImage` instead.
///
/// At every decode step, its `size` is the size of the whole transformed image in points, so the layout does not change when the image
/// sharpens.
///
/// UIKit copies images without calling an initializer of their class, and draws and measures the copies. So this class adds only one
/// optional object. If that object is nil, each override returns what `super` returns. The copies that methods of this class return have
/// the object, too.
@requires_stored_property_inits
final class DecodedImage: BaseImage, @unchecked Sendable {
  // Sendable: `details` is written once, before other code can access the object. The initializer writes it. For a copy, `detailed(_:)`
  // writes it, and every copy passes through that method.
  private(set) var details: Details?

  /// Guards the details of copies, because UIKit may return one copy to several threads.
  private static let copies = Lock(())

  /// Information that the bitmap does not contain.
  final class Details: Sendable {
    let step: DecodeStep
    /// The size of the whole transformed image. The size in points is stored, because the height of a reduced image is rounded, so the
    /// pixels divided by the scale would be inexact.
    let whole: (pixels: FutureImage.PixelSize, points: CGSize)
    /// The size of the pixels of the image and of the frames in `animation`, in bytes.
    let byteCount: Int
    /// The frames of an image that animates itself; nil for a still image, and for a frame of an ``AnimationFeed``.
    let animation: Frames?
    /// The origin of the image: another image, a transform, or an animation.
    let origin: Origin

    /// The frames of an animated image.
    struct Frames {
      let images: [BaseImage]
      /// The duration of all frames.
      let seconds: TimeInterval
      /// The number of times to play the animation; 0 means forever.
      let playCount: Int
    }

    struct Origin {
      /// The original image, if this image shows it in another tint or rendering mode. This image retains the original, so the pool finds
      /// the original's pixels for as long as this image exists.
      var original: BaseImage?
      /// The transform that made the image, and the size in points with which its future was created. Together, they identify an image in a
      /// memory tier.
      var transform: FutureImage.Transform?
      var givenSize: CGSize?
      /// The frames of the animation, and the index of this image among them, if this image is one of its frames.
      var feed: AnimationFeed?
      var frameIndex = 0
    }

    init(
      step: DecodeStep, whole: (pixels: FutureImage.PixelSize, points: CGSize), byteCount: Int, animation: Frames? = nil,
      origin: Origin = Origin()
    ) {
      self.step = step
      self.whole = whole
      self.byteCount = byteCount
      self.animation = animation
      self.origin = origin
    }

    /// Creates the details for an image that shows another image differently.
    /// - Parameter points: the size in points; nil for the size of `image`.
    convenience init(of image: BaseImage, points: CGSize? = nil) {
      let frames = image.images.map { Frames(images: $0, seconds: image.duration, playCount: image.animationPlayCount) }
      var origin = image.decodedDetails?.origin ?? Origin()
      origin.original = image
      self.init(
        step: image.step, whole: (image.naturalSize, points ?? image.size),
        byteCount: image.decodedDetails?.byteCount ?? image.byteCount, animation: frames, origin: origin)
    }
  }

  /// Creates an image of the bitmap, with another image's scale and orientation.
  convenience init(_ bitmap: CGImage, like image: BaseImage, _ details: Details) {
    self.init(cgImage: bitmap, scale: image.scale, orientation: image.imageOrientation)
    self.details = details
  }

  override var size: CGSize { details?.whole.points ?? super.size }

  override var images: [BaseImage]? { details?.animation?.images ?? super.images }

  override var duration: TimeInterval { details?.animation?.seconds ?? super.duration }

  /// Returns this image itself, so that a view draws and measures it, not a copy.
  override func withConfiguration(_ configuration: BaseImage.Configuration) -> BaseImage { self }

  override func withRenderingMode(_ renderingMode: BaseImage.RenderingMode) -> BaseImage {
    detailed(super.withRenderingMode(renderingMode))
  }

  override func withTintColor(_ color: FutureImage.PlatformColor) -> BaseImage { detailed(super.withTintColor(color)) }

  override func withTintColor(_ color: FutureImage.PlatformColor, renderingMode: BaseImage.RenderingMode) -> BaseImage {
    detailed(super.withTintColor(color, renderingMode: renderingMode))
  }

  override func withAlignmentRectInsets(_ insets: FutureImage.PlatformInsets) -> BaseImage {
    detailed(super.withAlignmentRectInsets(insets))
  }

  override func withBaselineOffset(fromBottom offset: CGFloat) -> BaseImage { detailed(super.withBaselineOffset(fromBottom: offset)) }

  override func imageWithoutBaseline() -> BaseImage { detailed(super.imageWithoutBaseline()) }

  override func imageFlippedForRightToLeftLayoutDirection() -> BaseImage { detailed(super.imageFlippedForRightToLeftLayoutDirection()) }

  override func withHorizontallyFlippedOrientation() -> BaseImage { detailed(super.withHorizontallyFlippedOrientation()) }

  override func imageRestrictedToStandardDynamicRange() -> BaseImage { detailed(super.imageRestrictedToStandardDynamicRange()) }

  /// Returns this image, which is already decoded.
  override func preparingForDisplay() -> BaseImage? { self }

  /// Returns a plain image, because a thumbnail has different pixels.
  override func preparingThumbnail(of size: CGSize) -> BaseImage? { plain?.preparingThumbnail(of: size) }

  override func prepareForDisplay(completionHandler: @escaping @Sendable (BaseImage?) -> Void) {
    DispatchQueue.global(qos: .userInitiated).async { completionHandler(self) }
  }

  override func prepareThumbnail(of size: CGSize, completionHandler: @escaping @Sendable (BaseImage?) -> Void) {
    plain?.prepareThumbnail(of: size, completionHandler: completionHandler)
      ?? super.prepareThumbnail(of: size, completionHandler: completionHandler)
  }

  /// `UIImage`, so that an archive of the image, which contains the pixels, can be read where this class is unknown.
  override var classForCoder: AnyClass { BaseImage.self }

  override func isEqual(_ object: Any?) -> Bool { self === object as AnyObject? }

  override var hash: Int { ObjectIdentifier(self).hashValue }

  #if FUTUREIMAGE_SIMULATION
  // In an app, a released image may be the app's own, and may own any object of the app. So no image is released while a lock is held.
  deinit { assertNoLockIsHeld() }
  #endif

  /// Adds this image's details to a copy that UIKit made, in which the property `details` is nil or consists of zero bytes. If nothing
  /// changes, UIKit returns the image itself. It may also return a copy that it made before.
  private func detailed(_ copy: BaseImage) -> BaseImage {
    guard copy !== self, let decoded = copy as? DecodedImage else { return copy }
    Self.copies.withLock { _ in
      if decoded.details == nil { decoded.details = details }
    }
    return copy
  }
}

extension BaseImage {
  /// Creates an image from its pixels.
  /// - Parameters:
  ///   - pixels: the pixels, decoded for the key's step, before the transform.
  ///   - plan: the variant's plan for the size of the whole image.
  ///   - feed: the frames of an animation whose first frame is this image; nil for a still image.
  /// - Throws: the transform's failure.
  static func decoded(
    _ pixels: CGImage, for key: PixelPool.Key, by plan: FutureImage.Transform.Plan, of feed: AnimationFeed? = nil
  ) throws(FutureImage.Failure) -> BaseImage {
    try decoded([(pixels, 0)], playCount: 0, for: key, by: plan, of: feed)
  }

  /// Creates an animated image from the bitmap of the first frame, with all frames as its `images`. A frame with a longer duration occurs
  /// several times, because all `images` are shown for the same duration.
  static func decoded(
    _ animation: DecodedFrames, for key: PixelPool.Key, by plan: FutureImage.Transform.Plan
  ) throws(FutureImage.Failure) -> BaseImage {
    try decoded(animation.frames.map { ($0.image, $0.duration) }, playCount: animation.playCount, for: key, by: plan, of: nil)
  }

  private static func decoded(
    _ decoded: [(image: CGImage, seconds: TimeInterval)], playCount: Int, for key: PixelPool.Key, by plan: FutureImage.Transform.Plan,
    of feed: AnimationFeed?
  ) throws(FutureImage.Failure) -> BaseImage {
    var made: [Changed] = []
    for frame in decoded { made.append(try frame.image.changed(by: key, plan)) }
    guard let first = made.first else { throw FutureImage.Failure(.undecodable("it has no frames")) }
    // UIKit rounds the size of a view to whole pixels at the scale of its image. A bitmap that was reduced from 4000 to 30 pixels has a
    // scale of 0.0075, at which a small view would be rounded to nothing. So the scale of a reduced image is at least 1, and views and this
    // library measure the image by its `size`. The scale matters only to content modes that do not scale, and these get images that are not
    // reduced.
    let scale = key.step == .full ? first.scale : max(1, first.scale)
    let still = BaseImage(cgImage: first.image, scale: scale, orientation: .up)
    let variant = key.variant
    if feed == nil, made.count == 1, key.step == .full, variant.transform == nil, variant.size == nil, still.size == first.points,
      still.naturalSize == plan.whole
    {
      return still
    }
    let byteCount = made.reduce(0) { $0 + $1.image.byteCount }
    let origin = DecodedImage.Details.Origin(transform: variant.transform, givenSize: variant.size, feed: feed)
    guard made.count > 1 else {
      let details = DecodedImage.Details(step: key.step, whole: (plan.whole, first.points), byteCount: byteCount, origin: origin)
      return DecodedImage(first.image, like: still, details)
    }
    let (times, each) = DecodedFrames.times(decoded.map(\.seconds))
    let images = zip(made, times).flatMap { frame, times in
      Array(repeating: BaseImage(cgImage: frame.image, scale: scale, orientation: .up), count: times)
    }
    let frames = DecodedImage.Details.Frames(images: images, seconds: each * Double(times.reduce(0, +)), playCount: playCount)
    let details = DecodedImage.Details(
      step: key.step, whole: (plan.whole, first.points), byteCount: byteCount, animation: frames, origin: origin)
    // The image gets its own bitmap, which shares the pixels with the first frame. Otherwise, a view that shows the animation would ignore
    // its first frame, because images of one bitmap are equal.
    return DecodedImage(first.image.another ?? first.image, like: still, details)
  }

  /// The details; nil if the pixels contain all information.
  fileprivate var decodedDetails: DecodedImage.Details? { (self as? DecodedImage)?.details }

  /// Returns whether a future with that transform and size makes this image from its source. An image that this library did not decode
  /// counts as the untransformed image of the source, in its own size.
  func isMade(by transform: FutureImage.Transform?, size given: CGSize?) -> Bool {
    let origin = decodedDetails?.origin
    guard origin?.transform == transform else { return false }
    return origin?.givenSize == given || size == given
  }

  /// The step at which this image was decoded. An image that this library did not decode counts as decoded at full size.
  var step: DecodeStep { decodedDetails?.step ?? .full }

  /// The whole image's size in pixels, after its transform.
  var naturalSize: FutureImage.PixelSize {
    decodedDetails?.whole.pixels
      ?? FutureImage.PixelSize(width: max(1, cgImage?.width ?? 1), height: max(1, cgImage?.height ?? 1))
  }

  /// The number of times that an animated image plays, as its file states; 0 means forever. A still image has 0, too. Image views play
  /// every animated image forever.
  package var animationPlayCount: Int { decodedDetails?.animation?.playCount ?? 0 }

  /// The size of the pixels in bytes. For an animation, includes the encoded bytes and the frames that are in memory.
  var byteCount: Int {
    guard let details = decodedDetails else { return cgImage?.byteCount ?? 0 }
    return details.byteCount + (details.origin.feed?.heldBytes ?? 0)
  }

  /// The frames of the animation to which this image belongs; nil for other images.
  var feed: AnimationFeed? { decodedDetails?.origin.feed }

  /// The index of this frame of an animation; 0 for other images.
  var frameIndex: Int { decodedDetails?.origin.frameIndex ?? 0 }

  /// The first frame of this image's animation; this image itself if it is the first frame.
  var firstFrame: BaseImage { frameIndex == 0 ? self : decodedDetails?.origin.original ?? self }

  /// Creates the image of another frame of an animation. This image must be the first frame.
  func frame(_ index: Int, _ bitmap: CGImage) -> BaseImage? {
    guard let details = decodedDetails else { return nil }
    var origin = details.origin
    // Each frame retains the first frame, so that the pool finds it for as long as a view shows any frame.
    (origin.original, origin.frameIndex) = (self, index)
    return DecodedImage(
      bitmap, like: self, DecodedImage.Details(step: details.step, whole: details.whole, byteCount: details.byteCount, origin: origin))
  }

  /// A plain `UIImage` of the same pixels; nil if there are no pixels.
  var plain: BaseImage? { cgImage.map { BaseImage(cgImage: $0, scale: scale, orientation: imageOrientation) } }
}

/// A bitmap after a variant's transform.
private struct Changed {
  let image: CGImage
  /// Pixels per point.
  let scale: CGFloat
  /// The whole image's size in points.
  let points: CGSize
}

extension CGImage {
  var byteCount: Int { width * height * 4 }

  /// Returns the bitmap after the variant's transform.
  func transformed(by key: PixelPool.Key, _ plan: FutureImage.Transform.Plan) throws(FutureImage.Failure) -> CGImage {
    try changed(by: key, plan).image
  }

  fileprivate func changed(by key: PixelPool.Key, _ plan: FutureImage.Transform.Plan) throws(FutureImage.Failure) -> Changed {
    let scale = CGFloat(width) / CGFloat(plan.startPoints.x)
    guard let transform = key.variant.transform else {
      return Changed(image: self, scale: scale, points: key.variant.size ?? plan.points.cgSize)
    }
    let changed = try transform.apply(to: self, scale: scale, plan, at: key.step)
    return Changed(image: changed.image, scale: changed.scale, points: changed.points)
  }
}
