import Foundation

/// An immutable picture with pixels, a scale and an orientation: the class that `UIImage` is where UIKit is missing.
///
/// It behaves as UIKit's does where that has consequences: what it derives is a copy of the same class, made without calling a subclass's
/// initializers that take arguments; equality goes by the bitmap's identity, never by its pixels; `init(data:)` decodes when the pixels are
/// first needed. Observed in UIKitCore 18 and 26.
///
/// It may be used and released on any thread. A subclass restates `@unchecked Sendable` and declares convenience initializers only, as
/// UIKit's would have to.
// Unchecked, because the class is open and NSObject is not Sendable: the four properties are written by initializers and by
// `derived(_:)` alone, before anyone else has the object.
open class PlatformImage: NSObject, NSSecureCoding, PlatformImageFactories, @unchecked Sendable {
  private var bitmap: CGImage?
  private var pixelsPerPoint: CGFloat = 1
  private var bitmapOrientation = Orientation.up
  /// Nil for most images, so that an image costs one word for it.
  private var stored: StoredAttributes?

  /// Size zero, scale 1, no bitmap.
  // Required, so that a copy of the same class can be made.
  public required override init() {
    super.init()
  }

  public init(cgImage: CGImage) {
    bitmap = cgImage
    super.init()
  }

  /// - Parameter scale: Pixels a point; 1 is taken for 0 and less.
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    bitmap = cgImage
    pixelsPerPoint = scale > 0 ? scale : 1
    bitmapOrientation = orientation
    super.init()
  }

  /// Nil for bytes that do not begin like a picture of a known format. Decoded when the pixels are first read.
  public init?(data: Data) {
    guard let (stored, orientation) = Self.stored(data) else { return nil }
    bitmap = stored
    bitmapOrientation = orientation
    super.init()
  }

  /// Nil for bytes that do not begin like a picture of a known format. Decoded when the pixels are first read.
  ///
  /// - Parameter scale: Pixels a point; 1 is taken for 0 and less.
  public init?(data: Data, scale: CGFloat) {
    guard let (stored, orientation) = Self.stored(data) else { return nil }
    bitmap = stored
    pixelsPerPoint = scale > 0 ? scale : 1
    bitmapOrientation = orientation
    super.init()
  }

  /// A name that ends in `@2x` or `@3x` before its extension sets the scale. Decoded when the pixels are first read.
  public init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path), let (stored, orientation) = Self.stored(data) else { return nil }
    bitmap = stored
    pixelsPerPoint = NamedImages.scale(ofFileNamed: path)
    bitmapOrientation = orientation
    super.init()
  }

  /// The image of that name in the main bundle.
  ///
  /// Traps for a subclass: UIKit hands out a plain UIImage there and calls it the subclass, which is memory corruption as soon as a
  /// stored property is written. Traps also when there is no such image, as UIKit does.
  public required convenience init(imageLiteralResourceName name: String) {
    precondition(
      Self.self == PlatformImage.self,
      "init(imageLiteralResourceName:) cannot make a subclass of UIImage; call UIImage(named:) and copy the image")
    guard let image = PlatformImage(named: name) else {
      preconditionFailure("there is no image named \(name); add it to the program's resources")
    }
    if let bitmap = image.cgImage {
      self.init(cgImage: bitmap, scale: image.scale, orientation: image.imageOrientation)
    } else {
      self.init()
    }
  }

  public required init?(coder: NSCoder) {
    let archive = ImageArchive(reading: coder)
    bitmap = archive.bitmap
    pixelsPerPoint = archive.scale > 0 ? archive.scale : 1
    bitmapOrientation = archive.orientation
    if let images = archive.images { stored = StoredAttributes(Attributes(images: images, duration: archive.duration)) }
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    ImageArchive(
      bitmap: bitmap, scale: pixelsPerPoint, orientation: bitmapOrientation, images: attributes?.images, duration: attributes?.duration ?? 0
    ).write(to: coder)
  }

  /// Shows the images one after another, each for the same time. Nil for no images.
  ///
  /// - Parameter duration: Seconds for all of them; for 0 each is shown for a thirtieth of a second.
  open class func animatedImage(with images: [PlatformImage], duration: TimeInterval) -> PlatformImage? {
    guard let first = images.first else { return nil }
    let image = first.cgImage.map { PlatformImage(cgImage: $0, scale: first.scale, orientation: first.imageOrientation) } ?? PlatformImage()
    image.stored = StoredAttributes(Attributes(images: images, duration: duration > 0 ? duration : Double(images.count) / 30))
    return image
  }

  /// Points, as seen.
  open var size: CGSize {
    guard let bitmap else { return .zero }
    let (width, height) = (CGFloat(bitmap.width) / pixelsPerPoint, CGFloat(bitmap.height) / pixelsPerPoint)
    return bitmapOrientation.swapsAxes ? CGSize(width: height, height: width) : CGSize(width: width, height: height)
  }

  /// Pixels a point.
  open var scale: CGFloat { pixelsPerPoint }

  /// How ``cgImage`` is to be turned.
  open var imageOrientation: Orientation { bitmapOrientation }

  /// The bitmap as stored, before ``imageOrientation``; of an animated image its first.
  open var cgImage: CGImage? { bitmap }

  /// The images of an animated one, else nil.
  open var images: [PlatformImage]? { attributes?.images }

  /// Seconds; 0 for a still picture.
  open var duration: TimeInterval { attributes?.duration ?? 0 }

  // MARK: Attributes

  private var attributes: Attributes? { stored?.value }

  /// The traits that it was made for: by default those of a screen of its own scale, and nothing else. Never nil.
  open var configuration: Configuration? { attributes?.configuration ?? .display(scale: pixelsPerPoint) }

  open var renderingMode: RenderingMode { attributes?.renderingMode ?? .automatic }

  /// Points, taken off each side for alignment.
  open var alignmentRectInsets: EdgeInsets { attributes?.alignmentRectInsets ?? .zero }

  open var flipsForRightToLeftLayoutDirection: Bool { attributes?.flipsForRightToLeft ?? false }

  /// Its variants for other traits, if it has any.
  open var imageAsset: Asset? { attributes?.asset }

  /// The color of ``withTintColor(_:)``; nil without one. UIKit keeps it private.
  package var tintColor: PlatformColor? { attributes?.tintColor }

  // MARK: Copies of the same class

  /// For equal traits this image itself; the variant that its asset has for them; else a copy of the same class, unless that equals
  /// this image.
  open func withConfiguration(_ configuration: Configuration) -> PlatformImage {
    if configuration == self.configuration { return self }
    let variant = imageAsset?.variant(for: configuration) ?? self
    let copy = (variant.bitmap === bitmap ? self : variant).derived { $0.configuration = configuration }
    return copy.isEqual(self) ? self : copy
  }

  /// The image itself in its own mode; else the same copy as before, as long as that lives.
  open func withRenderingMode(_ renderingMode: RenderingMode) -> PlatformImage {
    renderingMode == self.renderingMode ? self : sibling(renderingMode) { derived { $0.renderingMode = renderingMode } }
  }

  open func withTintColor(_ color: PlatformColor) -> PlatformImage { derived { $0.tintColor = color } }

  open func withTintColor(_ color: PlatformColor, renderingMode: RenderingMode) -> PlatformImage {
    derived {
      $0.tintColor = color
      $0.renderingMode = renderingMode
    }
  }

  /// - Parameter insets: Points.
  open func withAlignmentRectInsets(_ insets: EdgeInsets) -> PlatformImage { derived { $0.alignmentRectInsets = insets } }

  /// - Parameter offset: Points from the bottom.
  open func withBaselineOffset(fromBottom offset: CGFloat) -> PlatformImage { derived { $0.baselineOffset = offset } }

  open func imageWithoutBaseline() -> PlatformImage { derived { $0.baselineOffset = nil } }

  /// The image itself if it is flipped already.
  open func imageFlippedForRightToLeftLayoutDirection() -> PlatformImage {
    flipsForRightToLeftLayoutDirection ? self : derived { $0.flipsForRightToLeft = true }
  }

  open func withHorizontallyFlippedOrientation() -> PlatformImage {
    let copy = derived { _ in }
    copy.bitmapOrientation = bitmapOrientation.flippedHorizontally
    return copy
  }

  /// The same, as there is no other range here.
  open func imageRestrictedToStandardDynamicRange() -> PlatformImage { derived { _ in } }

  /// A decoded copy of the same class. Nil without a bitmap.
  open func preparingForDisplay() -> PlatformImage? {
    guard let prepared = bitmap?.decoded else { return nil }
    let copy = derived { _ in }
    copy.bitmap = prepared
    return copy
  }

  /// A copy of the same class of that size in points at this image's scale, stretched if the ratio differs and at most as large as this
  /// one in either direction. Nil without a bitmap.
  open func preparingThumbnail(of size: CGSize) -> PlatformImage? {
    let pixels = CGSize(width: (size.width * pixelsPerPoint).rounded(), height: (size.height * pixelsPerPoint).rounded())
    guard pixels.width > 0, pixels.height > 0 else { return nil }
    let stored = bitmapOrientation.swapsAxes ? CGSize(width: pixels.height, height: pixels.width) : pixels
    guard let reduced = bitmap?.reduced(toPixels: stored) else { return nil }
    let copy = derived { _ in }
    copy.bitmap = reduced
    return copy
  }

  /// Calls the handler on a private queue.
  open func prepareForDisplay(completionHandler: @escaping @Sendable (PlatformImage?) -> Void) {
    Self.prepare({ self.preparingForDisplay() }, completionHandler)
  }

  /// Calls the handler on a private queue.
  /// - Parameter size: Points.
  open func prepareThumbnail(of size: CGSize, completionHandler: @escaping @Sendable (PlatformImage?) -> Void) {
    Self.prepare({ self.preparingThumbnail(of: size) }, completionHandler)
  }

  /// A copy of the same class, whose own stored properties have their defaults: UIKit calls none of a subclass's initializers either.
  private func derived(_ change: (inout Attributes) -> Void) -> PlatformImage {
    let copy = type(of: self).init()
    copy.takeContent(of: self)
    var changed = attributes ?? Attributes()
    change(&changed)
    copy.stored = StoredAttributes(changed)
    return copy
  }

  /// Carries over the part of a copy that UIKit knows of. Only for a new object that nobody else has yet.
  package final func takeContent(of original: PlatformImage) {
    bitmap = original.bitmap
    pixelsPerPoint = original.pixelsPerPoint
    bitmapOrientation = original.bitmapOrientation
    stored = original.stored
  }

  // MARK: Files

  /// Upright. Nil without a bitmap.
  open func pngData() -> Data? {
    upright.flatMap(Self.png)
  }

  /// Upright, over white. Nil without a bitmap.
  ///
  /// - Parameter compressionQuality: 0 (smallest) to 1 (best).
  open func jpegData(compressionQuality: CGFloat) -> Data? {
    upright.flatMap { Self.jpeg($0, quality: compressionQuality) }
  }

  // MARK: Equality

  /// Whether the other shows the very same bitmap object in the same way. Pixels, ``size``, ``images`` and ``duration`` are not looked at.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? PlatformImage else { return false }
    return self === other || hasSameContent(as: other)
  }

  /// Of the bitmap's identity.
  open override var hash: Int { bitmap.map { ObjectIdentifier($0).hashValue } ?? 0 }

  private func hasSameContent(as other: PlatformImage) -> Bool {
    guard bitmap === other.bitmap, pixelsPerPoint == other.pixelsPerPoint, bitmapOrientation == other.bitmapOrientation else {
      return false
    }
    let (mine, theirs) = (attributes ?? Attributes(), other.attributes ?? Attributes())
    return mine.asset === theirs.asset && mine.baselineOffset == theirs.baselineOffset && mine.renderingMode == theirs.renderingMode
      && mine.flipsForRightToLeft == theirs.flipsForRightToLeft && mine.alignmentRectInsets == theirs.alignmentRectInsets
      && mine.tintColor == theirs.tintColor && configuration == other.configuration
  }

  /// For an asset that takes the image in: the same content, known to have variants.
  package func belonging(to asset: Asset, for configuration: Configuration) -> PlatformImage {
    derived {
      $0.asset = asset
      $0.configuration = configuration
    }
  }
}
