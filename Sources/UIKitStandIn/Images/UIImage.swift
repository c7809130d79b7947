import Foundation

/// UIKit's image where UIKit is missing. Decodes at once, on the calling thread; UIKit waits for the first display.
///
/// Immutable; may be used and released on any thread. A subclass restates `@unchecked Sendable` and declares convenience initializers
/// only, as UIKit's would have to.
// Unchecked, because the class is open and NSObject is not Sendable: three properties are constants of Sendable types, and
// `animation` is written by `animatedImage(with:duration:)` and `init(coder:)` alone, before anyone else has the object.
open class UIImage: NSObject, NSSecureCoding, UIImageFactories, @unchecked Sendable {
  private let bitmap: CGImage?
  /// Nil for still pictures, so that an image costs one word for it.
  private var animation: Animation?
  private let pixelsPerPoint: CGFloat
  private let bitmapOrientation: Orientation

  private final class Animation: Sendable {
    let images: [UIImage]
    let duration: TimeInterval

    init(images: [UIImage], duration: TimeInterval) {
      self.images = images
      self.duration = duration
    }
  }

  /// Size zero, scale 1, no bitmap.
  public override init() {
    bitmap = nil
    pixelsPerPoint = 1
    bitmapOrientation = .up
    super.init()
  }

  public init(cgImage: CGImage) {
    bitmap = cgImage
    pixelsPerPoint = 1
    bitmapOrientation = .up
    super.init()
  }

  /// - Parameter scale: Pixels a point; 1 is taken for 0 and less.
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    bitmap = cgImage
    pixelsPerPoint = scale > 0 ? scale : 1
    bitmapOrientation = orientation
    super.init()
  }

  /// Nil for bytes that are no whole picture of a known format.
  public init?(data: Data) {
    guard let (stored, orientation) = Self.decoded(data) else { return nil }
    bitmap = stored
    pixelsPerPoint = 1
    bitmapOrientation = orientation
    super.init()
  }

  /// Nil for bytes that are no whole picture of a known format.
  ///
  /// - Parameter scale: Pixels a point; 1 is taken for 0 and less.
  public init?(data: Data, scale: CGFloat) {
    guard let (stored, orientation) = Self.decoded(data) else { return nil }
    bitmap = stored
    pixelsPerPoint = scale > 0 ? scale : 1
    bitmapOrientation = orientation
    super.init()
  }

  /// A name that ends in `@2x` or `@3x` before its extension sets the scale.
  public init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path), let (stored, orientation) = Self.decoded(data) else { return nil }
    bitmap = stored
    pixelsPerPoint = UIImageFiles.scale(ofFileNamed: path)
    bitmapOrientation = orientation
    super.init()
  }

  /// The image of that name in the main bundle.
  ///
  /// Traps for a subclass: UIKit hands out a plain UIImage there and calls it the subclass, which is memory corruption as soon as a
  /// stored property is written. Traps also when there is no such image, as UIKit does.
  public required convenience init(imageLiteralResourceName name: String) {
    precondition(Self.self == UIImage.self, "init(imageLiteralResourceName:) must not be called on a subclass of UIImage")
    guard let image = UIImage(named: name) else { preconditionFailure("no image named \(name)") }
    if let bitmap = image.cgImage {
      self.init(cgImage: bitmap, scale: image.scale, orientation: image.imageOrientation)
    } else {
      self.init()
    }
  }

  public required init?(coder: NSCoder) {
    let stored = UIImageArchive(reading: coder)
    bitmap = stored.bitmap
    pixelsPerPoint = stored.scale > 0 ? stored.scale : 1
    bitmapOrientation = stored.orientation
    animation = stored.images.map { Animation(images: $0, duration: stored.duration) }
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    UIImageArchive(
      bitmap: bitmap, scale: pixelsPerPoint, orientation: bitmapOrientation, images: animation?.images, duration: animation?.duration ?? 0
    ).write(to: coder)
  }

  /// Shows the images one after another, each for the same time. Nil for no images.
  ///
  /// - Parameter duration: Seconds for all of them; for 0 each is shown for a thirtieth of a second.
  open class func animatedImage(with images: [UIImage], duration: TimeInterval) -> UIImage? {
    guard let first = images.first else { return nil }
    let image: UIImage
    if let bitmap = first.cgImage {
      image = UIImage(cgImage: bitmap, scale: first.scale, orientation: first.imageOrientation)
    } else {
      image = UIImage()
    }
    image.animation = Animation(images: images, duration: duration > 0 ? duration : Double(images.count) / 30)
    return image
  }

  /// Points, as seen.
  open var size: CGSize {
    guard let bitmap else { return .zero }
    let pixels = PixelSize(width: bitmap.width, height: bitmap.height).swapped(if: bitmapOrientation.swapsAxes)
    return CGSize(width: CGFloat(pixels.width) / pixelsPerPoint, height: CGFloat(pixels.height) / pixelsPerPoint)
  }

  /// Pixels a point.
  open var scale: CGFloat { pixelsPerPoint }

  /// How ``cgImage`` is to be turned.
  open var imageOrientation: Orientation { bitmapOrientation }

  /// The bitmap as stored, before ``imageOrientation``; of an animated image its first.
  open var cgImage: CGImage? { bitmap }

  /// The images of an animated one, else nil.
  open var images: [UIImage]? { animation?.images }

  /// Seconds; 0 for a still picture.
  open var duration: TimeInterval { animation?.duration ?? 0 }

  /// Upright. Nil without a bitmap.
  open func pngData() -> Data? {
    upright.flatMap(ImageCodecs.png)
  }

  /// Upright, over white. Nil without a bitmap.
  ///
  /// - Parameter compressionQuality: 0 (smallest) to 1 (best).
  open func jpegData(compressionQuality: CGFloat) -> Data? {
    upright.flatMap { ImageCodecs.jpeg($0, quality: compressionQuality) }
  }

  /// A new plain image, decoded. Nil without a bitmap.
  open func preparingForDisplay() -> UIImage? {
    preparedForDisplay
  }

  /// Calls the handler on a private queue.
  open func prepareForDisplay(completionHandler: @escaping @Sendable (UIImage?) -> Void) {
    Self.preparation.async { completionHandler(self.preparingForDisplay()) }
  }

  open func byPreparingForDisplay() async -> UIImage? {
    await withCheckedContinuation { continuation in
      prepareForDisplay { continuation.resume(returning: $0) }
    }
  }

  /// A new plain image of that size in points at this image's scale, stretched if the ratio differs and at most as large as this one
  /// in either direction. Nil without a bitmap.
  open func preparingThumbnail(of size: CGSize) -> UIImage? {
    thumbnail(of: size)
  }

  /// Calls the handler on a private queue.
  open func prepareThumbnail(of size: CGSize, completionHandler: @escaping @Sendable (UIImage?) -> Void) {
    Self.preparation.async { completionHandler(self.preparingThumbnail(of: size)) }
  }

  open func byPreparingThumbnail(ofSize size: CGSize) async -> UIImage? {
    await withCheckedContinuation { continuation in
      prepareThumbnail(of: size) { continuation.resume(returning: $0) }
    }
  }

  /// Same pixels, scale, orientation and frames. At once for two images of one bitmap; else every byte may be looked at.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UIImage else { return false }
    return self === other || hasSameContents(as: other)
  }

  /// Takes the size and a few pixels into account, however large the image.
  open override var hash: Int { contentsHash }
}
