import Foundation

/// UIKit's image view, for platforms without UIKit.
///
/// Like UIKit's image view, it draws, measures, and animates a *resolved* image, which is the assigned image after it was adapted to the
/// view's traits. The resolved image is the result of the assigned image's `withConfiguration(_:)`. By default, this method returns a copy,
/// but a subclass of UIImage can return any image. ``image`` returns the assigned image. Setting an image that claims to equal the current
/// image has no effect. Setting ``image`` never resizes the view. This behavior was observed in UIKitCore 18 and 26.
@MainActor open class UIImageView: UIView {
  /// The number of times that an image was set off the main thread. UIKit logs each of these calls and then continues. In a view that takes
  /// part in Auto Layout, UIKit raises an exception instead, which ends the app. Only debug builds count these calls.
  package nonisolated static let settersOffMain = Counter()

  private var given: UIImage?
  private var givenHighlighted: UIImage?
  /// The assigned image after it was adapted to the view's traits.
  private var resolved: UIImage?
  /// The configuration to which the assigned image was adapted.
  private var resolvedConfiguration: UIImage.Configuration?
  private var drawn: UIImage?
  open var animationImages: [UIImage]?
  open var highlightedAnimationImages: [UIImage]?
  /// The duration of a cycle in seconds.
  open var animationDuration: TimeInterval = 0
  open var animationRepeatCount = 0
  /// Whether ``animationImages`` are playing. An animated ``image`` plays by itself, and has no effect on this property.
  public private(set) var isAnimating = false
  private var takesTouches = false

  public nonisolated override init() {
    super.init()
  }

  public override init(frame: CGRect) {
    super.init(frame: frame)
  }

  /// Creates a view with the image's size in points.
  public convenience init(image: UIImage?) {
    self.init(image: image, highlightedImage: nil)
  }

  /// Creates a view with the image's size in points. If the image is nil, the view has the size of the highlighted image.
  public init(image: UIImage?, highlightedImage: UIImage?) {
    super.init(frame: CGRect(origin: .zero, size: (image ?? highlightedImage)?.size ?? .zero))
    self.image = image
    self.highlightedImage = highlightedImage
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  open var image: UIImage? {
    get { given }
    set {
      guard takes(newValue, insteadOf: given) else { return }
      given = newValue
      resolve()
    }
  }

  /// The image that is drawn while the view is highlighted. If the view is highlighted and has no ``image``, setting this property draws
  /// the new image at once, without adapting it to the view's traits. Otherwise, the new image is drawn after the next change of
  /// ``isHighlighted``, of ``image``, or of the traits.
  open var highlightedImage: UIImage? {
    get { givenHighlighted }
    set {
      guard takes(newValue, insteadOf: givenHighlighted) else { return }
      givenHighlighted = newValue
      if isHighlighted, given == nil { draw(newValue) }
    }
  }

  /// Whether to accept a new image. Refuses an image that is the current image or claims to equal it.
  private func takes(_ new: UIImage?, insteadOf old: UIImage?) -> Bool {
    #if DEBUG
    if !MainThread.isCurrent {
      UIImageView.settersOffMain.increment()
      precondition(
        translatesAutoresizingMaskIntoConstraints,
        "an image was set off the main thread in a view that takes part in Auto Layout; UIKit raises an exception")
    }
    #endif
    guard new !== old else { return false }
    guard let new, let old else { return true }
    return !new.isEqual(old)
  }

  open var isHighlighted = false {
    didSet { if isHighlighted != oldValue { redraw() } }
  }

  /// Whether the view accepts touches; false by default.
  open override var isUserInteractionEnabled: Bool {
    get { takesTouches }
    set { takesTouches = newValue }
  }

  /// The size in points of the first of ``animationImages``. If there are none, this is the size of the resolved image, or else of the
  /// highlighted image. Without any of them, the view has no intrinsic size.
  open override var intrinsicContentSize: CGSize {
    animationImages?.first?.size ?? resolved?.size ?? givenHighlighted?.size ?? super.intrinsicContentSize
  }

  /// Plays ``animationImages``. Traps if one of them has no bitmap, because UIKit adds the bitmaps to an array, and raises an exception for
  /// nil.
  open func startAnimating() {
    precondition(
      animationImages?.allSatisfy { $0.cgImage != nil } ?? true,
      "an image without a bitmap is among the animation images; UIKit raises an exception")
    isAnimating = animationImages?.isEmpty == false
  }

  open func stopAnimating() {
    isAnimating = false
  }

  // MARK: Drawing

  /// The bitmap on the screen, which in UIKit is the layer's `contents`. Nil if a side of the drawn image is zero or less, or if the bounds
  /// are empty in a content mode that scales or redraws. Not part of UIKit.
  ///
  /// UIKit rounds the view's size to whole pixels at the image's scale. If the scale is so small that the rounded size is zero, this view
  /// is blank. Whether UIKit's view is blank, too, is unknown.
  public var displayedBitmap: CGImage? {
    guard let image = displayedImage, image.size.width > 0, image.size.height > 0 else { return nil }
    guard dependsOnBounds else { return image.content }
    let (width, height) = ((bounds.width * image.scale).rounded(), (bounds.height * image.scale).rounded())
    return width > 0 && height > 0 ? image.content : nil
  }

  /// The size of the bitmap on the screen in points, in a content mode that neither scales nor redraws. Not part of UIKit.
  public var displayedSize: CGSize? {
    guard let image = displayedImage, let bitmap = displayedBitmap, !dependsOnBounds else { return nil }
    return CGSize(width: CGFloat(bitmap.width) / image.scale, height: CGFloat(bitmap.height) / image.scale)
  }

  /// Whether the drawn image shows only its shape, filled with the view's tint. Not part of UIKit.
  public var drawsTemplate: Bool { displayedImage?.isTemplate(inChrome: false) ?? false }

  /// The frames that play on the screen; nil if there are none. The frames of an animated image play only if it has a duration. Not part of
  /// UIKit.
  public var displayedFrames: [UIImage]? {
    if isAnimating { return animationImages }
    guard let image = displayedImage, image.duration > 0, displayedBitmap != nil else { return nil }
    return image.images
  }

  /// The image that is drawn. While ``animationImages`` play, this is the first of them, unchanged. Otherwise, it is the resolved image.
  /// Not part of UIKit.
  public var displayedImage: UIImage? { isAnimating ? animationImages?.first : drawn }

  private var dependsOnBounds: Bool {
    switch contentMode {
    case .scaleToFill, .scaleAspectFit, .scaleAspectFill, .redraw: true
    default: false
    }
  }

  override func appearanceChanged() {
    // Like UIKit, does not adapt the image again if the view enters a window with the same traits.
    if resolvedConfiguration == imageConfiguration { prepareForDrawing() } else { resolve() }
  }

  private func resolve() {
    resolvedConfiguration = imageConfiguration
    resolved = resolved(given)
    redraw()
  }

  private func redraw() {
    draw(isHighlighted ? resolved(givenHighlighted) ?? resolved : resolved)
  }

  private func draw(_ image: UIImage?) {
    drawn = image
    // In UIKit, the layout sets the factor to the image's scale.
    if let image { contentScaleFactor = image.scale }
    prepareForDrawing()
  }

  /// Returns the image after it was adapted to the view. If the given image is a symbol, its configuration is merged with the view's
  /// configuration. Any other image gets the view's configuration.
  private func resolved(_ image: UIImage?) -> UIImage? {
    guard let image else { return nil }
    let configuration = imageConfiguration
    return image.withConfiguration(
      image.isSymbolImage ? image.configuration?.applying(configuration) ?? configuration : configuration)
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

  /// Decodes the pixels of a view in a window, because Core Animation needs them at its next commit, on the main thread.
  private func prepareForDrawing() {
    if window != nil, let bitmap = displayedBitmap, !bitmap.isDecoded { _ = bitmap.withRGBA { $0.isEmpty } }
  }
}

extension UIImage {
  /// Whether only the image's shape is drawn, filled with a tint. This was observed in UIKitCore 18 and 26.
  /// - Parameter isInChrome: whether the image is in a bar or a system button, which draw images of automatic rendering mode as templates.
  func isTemplate(inChrome isInChrome: Bool) -> Bool {
    switch renderingMode {
    case .automatic: isInChrome || isSymbolImage
    case .alwaysOriginal: false
    case .alwaysTemplate: true
    }
  }
}
