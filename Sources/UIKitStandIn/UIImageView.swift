import Foundation

/// UIKit's image view where UIKit is missing.
///
/// Like UIKit's it draws, measures and animates a *resolved* image: the given one made for the view's traits, which is a copy unless the
/// given image decides otherwise. ``image`` hands out the given one. Setting an image that says it equals the one that is there does
/// nothing. Setting ``image`` never resizes the view. Observed in UIKitCore 18 and 26.
@MainActor open class UIImageView: UIView {
  /// How often an image was set on another thread than the main one: UIKit logs that and goes on. Counted in debug builds.
  package nonisolated static let settersOffMain = Counter()

  private var given = GivenImage()
  private var givenHighlighted = GivenImage()
  open var animationImages: [UIImage]?
  open var highlightedAnimationImages: [UIImage]?
  /// Seconds for one round.
  open var animationDuration: TimeInterval = 0
  open var animationRepeatCount = 0
  /// Whether ``animationImages`` play. An animated ``image`` plays by itself, and this does not tell.
  public private(set) var isAnimating = false
  private var takesTouches = false

  public nonisolated override init() {
    super.init()
  }

  public override init(frame: CGRect) {
    super.init(frame: frame)
  }

  /// As large as the image, in points.
  public convenience init(image: UIImage?) {
    self.init(image: image, highlightedImage: nil)
  }

  /// As large as the image, in points; as the highlighted one if there is none.
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

  /// Not an image that is there already or says that it equals the one there.
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

  /// The resolved image's size in points; none without an image.
  open override var intrinsicContentSize: CGSize {
    given.resolved?.size ?? super.intrinsicContentSize
  }

  open func startAnimating() {
    isAnimating = animationImages?.isEmpty == false
  }

  open func stopAnimating() {
    isAnimating = false
  }

  // MARK: What is drawn

  /// Not UIKit's: the bitmap on the screen, which is the layer's `contents` there. Nil if the resolved image has a side of zero or less,
  /// or the bounds are empty in a content mode that scales.
  public var displayedBitmap: CGImage? {
    guard let image = displayedImage, image.size.width > 0, image.size.height > 0 else { return nil }
    return bounds.isEmpty && scalesContents ? nil : image.cgImage
  }

  /// Not UIKit's: the frames that play on the screen; nil while there are none. An animated image needs a duration as well.
  public var displayedFrames: [UIImage]? {
    if isAnimating { return animationImages }
    guard let image = displayedImage, image.duration > 0, displayedBitmap != nil else { return nil }
    return image.images
  }

  /// Not UIKit's: the resolved image that is drawn.
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

  /// In a window Core Animation needs the pixels at its next commit, on the main thread.
  private func prepareForDrawing() {
    if window != nil, let bitmap = displayedBitmap, !bitmap.isDecoded { _ = bitmap.withRGBA { $0.isEmpty } }
  }
}

/// An image that a view was given, and the one that the view made of it for its traits.
private struct GivenImage {
  var image: UIImage?
  var resolved: UIImage?
}
