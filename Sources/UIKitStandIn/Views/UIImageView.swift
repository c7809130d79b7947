import Foundation

/// UIKit's image view where UIKit is missing. Setting ``image`` never resizes it.
@MainActor open class UIImageView: UIView {
  open var image: UIImage?
  open var highlightedImage: UIImage?
  open var isHighlighted = false
  open var animationImages: [UIImage]?
  open var highlightedAnimationImages: [UIImage]?
  /// Seconds for one round.
  open var animationDuration: TimeInterval = 0
  open var animationRepeatCount = 0
  /// An animated ``image`` plays by itself.
  public var isAnimating: Bool { wasToldToPlay ?? (image?.images != nil) }
  private var wasToldToPlay: Bool?
  private var takesTouches = false

  public nonisolated override init() {
    super.init()
  }

  public override init(frame: CGRect) {
    super.init(frame: frame)
  }

  /// As large as the image, in points.
  public init(image: UIImage?) {
    super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
    self.image = image
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

  /// False until set.
  open override var isUserInteractionEnabled: Bool {
    get { takesTouches }
    set { takesTouches = newValue }
  }

  /// The image's size in points; none without an image.
  open override var intrinsicContentSize: CGSize {
    image?.size ?? super.intrinsicContentSize
  }

  open func startAnimating() {
    wasToldToPlay = (animationImages ?? image?.images) != nil
  }

  open func stopAnimating() {
    wasToldToPlay = false
  }
}
