import Foundation

/// UIKit's image view, for platforms without UIKit.
///
/// Like UIKit's, it draws, measures, and animates a *resolved* image: the assigned image adapted to the view's traits, which is a copy
/// unless the assigned image decides otherwise. ``image`` returns the assigned image. Setting an image that claims to equal the current one
/// does nothing. Setting ``image`` never resizes the view. Observed in UIKitCore 18 and 26.
@MainActor open class UIImageView: UIView {
  /// The number of times an image was set off the main thread, which UIKit logs before it continues. Counted in debug builds.
  package nonisolated static let settersOffMain = Counter()

  private var given = GivenImage()
  private var givenHighlighted = GivenImage()
  open var animationImages: [UIImage]?
  open var highlightedAnimationImages: [UIImage]?
  /// Seconds per cycle.
  open var animationDuration: TimeInterval = 0
  open var animationRepeatCount = 0
  /// Whether ``animationImages`` are playing. An animated ``image`` plays by itself, which this does not report.
  public private(set) var isAnimating = false
  private var takesTouches = false

  public nonisolated override init() {
    super.init()
  }

  public override init(frame: CGRect) {
    super.init(frame: frame)
  }

  /// Takes the image's size in points.
  public convenience init(image: UIImage?) {
    self.init(image: image, highlightedImage: nil)
  }

  /// Takes the image's size in points, or the highlighted image's if it is nil.
  public init(image: UIImage?, highlightedImage: UIImage?) {
    super.init(frame: CGRect(origin: .zero, size: (image ?? highlightedImage)?.size ?? .zero))
    self.image = image
    self.highlightedImage = highlightedImage
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  open var image: UIImage? {
    get { given.image }
    set {
      guard takes(newValue, insteadOf: given.image) else { return }
      given = GivenImage(image: newValue, resolved: resolved(newValue))
      prepareForDrawing()
    }
  }

  open var highlightedImage: UIImage? {
    get { givenHighlighted.image }
    set {
      guard takes(newValue, insteadOf: givenHighlighted.image) else { return }
      givenHighlighted = GivenImage(image: newValue, resolved: resolved(newValue))
      prepareForDrawing()
    }
  }

  /// Whether to accept a new image: not if it is the current one or claims to equal it.
  private func takes(_ new: UIImage?, insteadOf old: UIImage?) -> Bool {
    #if DEBUG
    if !MainThread.isCurrent { UIImageView.settersOffMain.increment() }
    #endif
    guard new !== old else { return false }
    guard let new, let old else { return true }
    return !new.isEqual(old)
  }

  open var isHighlighted = false {
    didSet { prepareForDrawing() }
  }

  /// False until set.
  open override var isUserInteractionEnabled: Bool {
    get { takesTouches }
    set { takesTouches = newValue }
  }

  /// The resolved image's size in points; no intrinsic size without an image.
  open override var intrinsicContentSize: CGSize {
    given.resolved?.size ?? super.intrinsicContentSize
  }

  open func startAnimating() {
    isAnimating = animationImages?.isEmpty == false
  }

  open func stopAnimating() {
    isAnimating = false
  }

  // MARK: Drawing

  /// The bitmap on the screen, which in UIKit is the layer's `contents`. Nil if a side of the resolved image is zero or less, or if the
  /// bounds are empty in a content mode that scales. Not part of UIKit.
  public var displayedBitmap: CGImage? {
    guard let image = displayedImage, image.size.width > 0, image.size.height > 0 else { return nil }
    return bounds.isEmpty && scalesContents ? nil : image.cgImage
  }

  /// The frames that play on the screen; nil if there are none. An animated image also needs a duration. Not part of UIKit.
  public var displayedFrames: [UIImage]? {
    if isAnimating { return animationImages }
    guard let image = displayedImage, image.duration > 0, displayedBitmap != nil else { return nil }
    return image.images
  }

  /// The resolved image that is drawn. Not part of UIKit.
  public var displayedImage: UIImage? {
    isHighlighted ? givenHighlighted.resolved ?? given.resolved : given.resolved
  }

  private var scalesContents: Bool {
    switch contentMode {
    case .scaleToFill, .scaleAspectFit, .scaleAspectFill: true
    default: false
    }
  }

  override func appearanceChanged() {
    given = GivenImage(image: given.image, resolved: resolved(given.image))
    givenHighlighted = GivenImage(image: givenHighlighted.image, resolved: resolved(givenHighlighted.image))
    prepareForDrawing()
  }

  private func resolved(_ image: UIImage?) -> UIImage? {
    image?.withConfiguration(imageConfiguration)
  }

  private var imageConfiguration: UIImage.Configuration {
    let traits = traitCollection
    guard semanticContentAttribute == .forceRightToLeft else {
      return traits === UIScreen.main.traitCollection ? UIScreen.main.imageConfiguration : UIImage.Configuration(traitCollection: traits)
    }
    return UIImage.Configuration(
      traitCollection: UITraitCollection(
        displayScale: traits.displayScale, style: traits.userInterfaceStyle, direction: .rightToLeft, idiom: traits.userInterfaceIdiom))
  }

  /// Decodes the pixels of a view in a window: Core Animation needs them at its next commit, on the main thread.
  private func prepareForDrawing() {
    if window != nil, let bitmap = displayedBitmap, !bitmap.isDecoded { _ = bitmap.withRGBA { $0.isEmpty } }
  }
}

/// An image assigned to a view, and the image that the view resolved from it for its traits.
private struct GivenImage {
  var image: UIImage?
  var resolved: UIImage?
}
