import Foundation

/// An immutable image with pixels, a scale, and an orientation. It is the class behind `UIImage` on platforms without UIKit.
///
/// Subclasses and views depend on some behavior of UIKit's class, which this class imitates. Derived images are copies of the same class. A
/// copy is made by `init()`, so no other initializer of a subclass is called. Equality compares the identity of bitmaps, never their
/// pixels. An image of `init(data:)` is decoded when its pixels are first needed. This behavior was observed in UIKitCore 18 and 26.
///
/// Use and release an image on any thread. A subclass restates `@unchecked Sendable` and declares only convenience initializers, as a
/// subclass of UIKit's class must.
// Unchecked, because the class is open and NSObject is not Sendable. It is safe because the four properties are written only before any
// other code has the object: by initializers, and by methods that make a copy.
open class BaseImage: NSObject, NSSecureCoding, BaseImageFactories, @unchecked Sendable {
  private var bitmap: CGImage?
  private var pixelsPerPoint: CGFloat = 1
  private var bitmapOrientation = Orientation.up
  /// The attributes; nil for most images. So an image without attributes needs only one word for this property.
  private var stored: StoredAttributes?

  /// Creates an image of size zero at scale 1, without a bitmap.
  // This initializer is required, so that `derived` can make a copy of the same class.
  public required override init() {
    super.init()
  }

  public init(cgImage: CGImage) {
    bitmap = cgImage
    super.init()
  }

  /// - Parameter scale: pixels per point; 0 or less counts as 1.
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    bitmap = cgImage
    pixelsPerPoint = scale > 0 ? scale : 1
    bitmapOrientation = orientation
    super.init()
  }

  /// Creates an image that is decoded when its pixels are first read. Returns nil for bytes that do not begin like an image of a known
  /// format.
  public init?(data: Data) {
    guard let (stored, orientation) = Self.stored(data) else { return nil }
    bitmap = stored
    bitmapOrientation = orientation
    super.init()
  }

  /// Creates an image that is decoded when its pixels are first read. Returns nil for bytes that do not begin like an image of a known
  /// format.
  ///
  /// - Parameter scale: pixels per point; 0 or less counts as 1.
  public init?(data: Data, scale: CGFloat) {
    guard let (stored, orientation) = Self.stored(data) else { return nil }
    bitmap = stored
    pixelsPerPoint = scale > 0 ? scale : 1
    bitmapOrientation = orientation
    super.init()
  }

  /// Creates an image that is decoded when its pixels are first read. A file name that ends in `@2x` or `@3x` before its extension sets the
  /// scale.
  public init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path), let (stored, orientation) = Self.stored(data) else { return nil }
    bitmap = stored
    pixelsPerPoint = NamedImages.scale(ofFileNamed: path)
    bitmapOrientation = orientation
    super.init()
  }

  /// Creates the image of that name in the main bundle.
  ///
  /// Traps if it is called for a subclass. In UIKit, such a call returns a plain UIImage that is treated as an object of the subclass, and
  /// the first write to a stored property of the subclass corrupts memory. Also traps if there is no such image, as UIKit does.
  public required convenience init(imageLiteralResourceName name: String) {
    precondition(
      Self.self == BaseImage.self,
      "init(imageLiteralResourceName:) cannot make a subclass of UIImage; call UIImage(named:) and copy the image")
    guard let image = BaseImage(named: name) else {
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

  /// Returns an animated image that shows each of the images for the same time; nil if there are no images.
  ///
  /// - Parameter duration: the duration of all images together, in seconds; for 0, each image is shown for a thirtieth of a second.
  open class func animatedImage(with images: [BaseImage], duration: TimeInterval) -> BaseImage? {
    guard let first = images.first else { return nil }
    let image = first.cgImage.map { BaseImage(cgImage: $0, scale: first.scale, orientation: first.imageOrientation) } ?? BaseImage()
    image.stored = StoredAttributes(Attributes(images: images, duration: duration > 0 ? duration : Double(images.count) / 30))
    return image
  }

  /// The size as displayed, in points.
  open var size: CGSize {
    guard let bitmap else { return .zero }
    let (width, height) = (CGFloat(bitmap.width) / pixelsPerPoint, CGFloat(bitmap.height) / pixelsPerPoint)
    return bitmapOrientation.swapsAxes ? CGSize(width: height, height: width) : CGSize(width: width, height: height)
  }

  /// Pixels per point.
  open var scale: CGFloat { pixelsPerPoint }

  /// The orientation of ``cgImage``.
  open var imageOrientation: Orientation { bitmapOrientation }

  /// The bitmap as stored, before ``imageOrientation`` is applied. For an animated image, this is the bitmap of the first image.
  open var cgImage: CGImage? { bitmap }

  /// The bitmap that is drawn, even if a subclass returns another bitmap as ``cgImage``. In UIKit, this property is private.
  package final var content: CGImage? { bitmap }

  /// The images of an animated image, otherwise nil.
  open var images: [BaseImage]? { attributes?.images }

  /// The duration in seconds; 0 for a still image.
  open var duration: TimeInterval { attributes?.duration ?? 0 }

  // MARK: Attributes

  private var attributes: Attributes? { stored?.value }

  /// The traits for which the image was made. By default, only the display scale is specified, and equals the image's scale. Never nil.
  open var configuration: Configuration? { attributes?.configuration ?? .display(scale: pixelsPerPoint) }

  open var renderingMode: RenderingMode { attributes?.renderingMode ?? .automatic }

  /// The insets on each side for alignment, in points.
  open var alignmentRectInsets: EdgeInsets { attributes?.alignmentRectInsets ?? .zero }

  open var flipsForRightToLeftLayoutDirection: Bool { attributes?.flipsForRightToLeft ?? false }

  /// Whether the image is a symbol, that is, a glyph in the color of the view's tint. The configuration of a symbol also specifies how it
  /// is drawn.
  open var isSymbolImage: Bool { attributes?.isSymbol ?? false }

  /// The asset with the image's variants for other traits, if there are any.
  open var imageAsset: Asset? { attributes?.asset }

  /// The color that ``withTintColor(_:)`` set; nil if it was not called. In UIKit, this property is private.
  package var tintColor: Color? { attributes?.tintColor }

  // MARK: Copies of the same class

  /// Returns a copy of the same class with the configuration. If the image's asset has a variant for the configuration, the copy has the
  /// content of that variant. Returns this image itself if it already has an equal configuration, or if the copy would equal this image.
  /// The configuration of a symbol is replaced as a whole, so values that the new configuration does not specify get UIKit's defaults.
  open func withConfiguration(_ configuration: Configuration) -> BaseImage {
    if configuration == self.configuration { return self }
    let variant = imageAsset?.variant(for: configuration) ?? self
    let copy = (variant.bitmap === bitmap ? self : variant).derived { $0.configuration = configuration }
    return copy.isEqual(self) ? self : copy
  }

  /// Returns this image if it has that mode. Otherwise, returns a copy, which is the same for all calls as long as the copy exists.
  open func withRenderingMode(_ renderingMode: RenderingMode) -> BaseImage {
    renderingMode == self.renderingMode ? self : sibling(renderingMode) { derived { $0.renderingMode = renderingMode } }
  }

  open func withTintColor(_ color: Color) -> BaseImage { derived { $0.tintColor = color } }

  open func withTintColor(_ color: Color, renderingMode: RenderingMode) -> BaseImage {
    derived {
      $0.tintColor = color
      $0.renderingMode = renderingMode
    }
  }

  /// - Parameter insets: in points.
  open func withAlignmentRectInsets(_ insets: EdgeInsets) -> BaseImage { derived { $0.alignmentRectInsets = insets } }

  /// - Parameter offset: in points from the bottom.
  open func withBaselineOffset(fromBottom offset: CGFloat) -> BaseImage { derived { $0.baselineOffset = offset } }

  open func imageWithoutBaseline() -> BaseImage { derived { $0.baselineOffset = nil } }

  /// Returns the image itself if it is already flipped.
  open func imageFlippedForRightToLeftLayoutDirection() -> BaseImage {
    flipsForRightToLeftLayoutDirection ? self : derived { $0.flipsForRightToLeft = true }
  }

  open func withHorizontallyFlippedOrientation() -> BaseImage {
    let copy = derived { _ in }
    copy.bitmapOrientation = bitmapOrientation.flippedHorizontally
    return copy
  }

  /// Returns a copy with the same pixels, because all images have the standard range.
  open func imageRestrictedToStandardDynamicRange() -> BaseImage { derived { _ in } }

  /// Returns a decoded copy of the same class. Returns nil for an image without a bitmap, or if memory does not suffice.
  open func preparingForDisplay() -> BaseImage? {
    guard let prepared = bitmap?.decoded else { return nil }
    let copy = derived { _ in }
    copy.bitmap = prepared
    return copy
  }

  /// Returns a copy of the same class with that size in points, at this image's scale. The copy is stretched if the aspect ratio differs.
  /// Neither side of the copy is longer than this image's side. Returns nil for an image without a bitmap, for a size with a side of less
  /// than half a pixel, or if memory does not suffice.
  open func preparingThumbnail(of size: CGSize) -> BaseImage? {
    let pixels = CGSize(width: (size.width * pixelsPerPoint).rounded(), height: (size.height * pixelsPerPoint).rounded())
    guard pixels.width > 0, pixels.height > 0 else { return nil }
    let stored = bitmapOrientation.swapsAxes ? CGSize(width: pixels.height, height: pixels.width) : pixels
    guard let reduced = bitmap?.reduced(toPixels: stored) else { return nil }
    let copy = derived { _ in }
    copy.bitmap = reduced
    return copy
  }

  /// Makes a copy as ``preparingForDisplay()`` does, on a private queue, and calls the handler there.
  open func prepareForDisplay(completionHandler: @escaping @Sendable (BaseImage?) -> Void) {
    Self.prepare({ self.preparingForDisplay() }, completionHandler)
  }

  /// Makes a copy as ``preparingThumbnail(of:)`` does, on a private queue, and calls the handler there.
  /// - Parameter size: in points.
  open func prepareThumbnail(of size: CGSize, completionHandler: @escaping @Sendable (BaseImage?) -> Void) {
    Self.prepare({ self.preparingThumbnail(of: size) }, completionHandler)
  }

  /// Returns a copy of the same class. The stored properties of a subclass have their default values in the copy, because UIKit does not
  /// call the initializers with which a subclass would set them, either.
  private func derived(_ change: (inout Attributes) -> Void) -> BaseImage {
    let copy = type(of: self).init()
    copy.takeContent(of: self)
    var changed = attributes ?? Attributes()
    change(&changed)
    copy.stored = StoredAttributes(changed)
    return copy
  }

  /// Copies the content that UIKit's class has. Call it only for a new object that no other code has yet.
  package final func takeContent(of original: BaseImage) {
    bitmap = original.bitmap
    pixelsPerPoint = original.pixelsPerPoint
    bitmapOrientation = original.bitmapOrientation
    stored = original.stored
  }

  /// Makes the image a symbol with the rendering mode `.alwaysTemplate`. Call it only for a new object that no other code has yet.
  package final func becomeTemplate() {
    var changed = attributes ?? Attributes()
    changed.renderingMode = .alwaysTemplate
    changed.isSymbol = true
    stored = StoredAttributes(changed)
  }

  /// Returns a symbol that has this image's bitmap.
  /// - Parameter configuration: the way in which the symbol is drawn; nil for UIKit's defaults.
  package final func symbol(_ configuration: String?) -> BaseImage {
    derived {
      $0.isSymbol = true
      $0.configuration = Configuration(traitCollection: self.configuration?.traitCollection, symbol: configuration)
    }
  }

  // MARK: Files

  /// Returns an upright PNG; nil for an image without a bitmap.
  open func pngData() -> Data? {
    upright.flatMap(Self.png)
  }

  /// Returns an upright JPEG over white; nil for an image without a bitmap.
  ///
  /// - Parameter compressionQuality: 0 (smallest) to 1 (best).
  open func jpegData(compressionQuality: CGFloat) -> Data? {
    upright.flatMap { Self.jpeg($0, quality: compressionQuality) }
  }

  // MARK: Equality

  /// Whether the other image has the same bitmap object, scale, orientation, and other attributes. Does not compare pixels, ``size``,
  /// ``images``, or ``duration``.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? BaseImage else { return false }
    return self === other || hasSameContent(as: other)
  }

  /// Hashes the bitmap's identity.
  open override var hash: Int { bitmap.map { ObjectIdentifier($0).hashValue } ?? 0 }

  private func hasSameContent(as other: BaseImage) -> Bool {
    guard bitmap === other.bitmap, pixelsPerPoint == other.pixelsPerPoint, bitmapOrientation == other.bitmapOrientation else {
      return false
    }
    let (mine, theirs) = (attributes ?? Attributes(), other.attributes ?? Attributes())
    return mine.asset === theirs.asset && mine.baselineOffset == theirs.baselineOffset && mine.renderingMode == theirs.renderingMode
      && mine.isSymbol == theirs.isSymbol
      && mine.flipsForRightToLeft == theirs.flipsForRightToLeft && mine.alignmentRectInsets == theirs.alignmentRectInsets
      && mine.tintColor == theirs.tintColor && configuration == other.configuration
  }

  /// Returns a copy with the same content that belongs to the asset and has the configuration.
  package func belonging(to asset: Asset, for configuration: Configuration) -> BaseImage {
    derived {
      $0.asset = asset
      $0.configuration = configuration
    }
  }
}
