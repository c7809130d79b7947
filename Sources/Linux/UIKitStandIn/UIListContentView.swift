import Foundation

/// The content view of a list row, for platforms without UIKit. At its next layout, it sets the configuration's image on its image view as
/// a plain image, so a future is drawn as its placeholder.
@MainActor open class UIListContentView: UIView, UIContentView {
  private let imageView = UIImageView()
  private var shown: UIListContentConfiguration

  public init(configuration: UIListContentConfiguration) {
    shown = configuration
    super.init(frame: .zero)
    addSubview(imageView)
    setNeedsLayout()
  }

  /// Reads nothing, because views are not archived here.
  public required init?(coder: NSCoder) {
    shown = .cell()
    super.init(coder: coder)
  }

  /// The current configuration. Setting another kind of configuration, or a configuration that equals the current one, has no effect.
  open var configuration: any UIContentConfiguration {
    get { shown }
    set {
      guard let new = newValue as? UIListContentConfiguration, new != shown else { return }
      shown = new
      setNeedsLayout()
    }
  }

  open func supports(_ configuration: any UIContentConfiguration) -> Bool { configuration is UIListContentConfiguration }

  /// The resolved image that is drawn. Not part of UIKit.
  public var displayedImage: UIImage? { imageView.displayedImage }

  open override func layoutSubviews() {
    super.layoutSubviews()
    imageView.image = shown.image
  }
}
