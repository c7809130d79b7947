import Foundation

/// The content view of a list's row, where UIKit is missing. Its image view is given the configuration's image as a plain image, so a
/// future there is drawn as its placeholder.
@MainActor open class UIListContentView: UIView, UIContentView {
  private let imageView = UIImageView()
  private var shown: UIListContentConfiguration

  public init(configuration: UIListContentConfiguration) {
    shown = configuration
    super.init(frame: .zero)
    addSubview(imageView)
    apply()
  }

  /// Reads nothing: there are no archives of views here.
  public required init?(coder: NSCoder) {
    shown = .cell()
    super.init(coder: coder)
  }

  /// Anything but a list's configuration is ignored, and one that equals the one that is there.
  open var configuration: any UIContentConfiguration {
    get { shown }
    set {
      guard let new = newValue as? UIListContentConfiguration, new != shown else { return }
      shown = new
      apply()
    }
  }

  open func supports(_ configuration: any UIContentConfiguration) -> Bool { configuration is UIListContentConfiguration }

  /// Not UIKit's: the resolved image that is drawn.
  public var displayedImage: UIImage? { imageView.displayedImage }

  private func apply() {
    imageView.image = shown.image
  }
}
