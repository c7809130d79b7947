import Foundation

/// UIKit's button, for platforms without UIKit: the images of its states, which it stores and returns unchanged.
///
/// With a ``configuration``, it shows images that are set for states, but never background images that are: the background belongs to the
/// configuration. Observed in UIKitCore 18 and 26.
@MainActor open class UIButton: UIControl {
  public enum ButtonType: Int, Sendable {
    case custom, system
  }

  private var images: [State: UIImage] = [:]
  private var backgroundImages: [State: UIImage] = [:]
  open var configuration: Configuration?

  public convenience init(type buttonType: ButtonType) {
    self.init(frame: .zero)
  }

  public convenience init(configuration: Configuration) {
    self.init(frame: .zero)
    self.configuration = configuration
  }

  open func setImage(_ image: UIImage?, for state: State) {
    images[state] = image
  }

  /// Returns the image for that state, otherwise the one for `.normal`.
  open func image(for state: State) -> UIImage? {
    images[state] ?? images[.normal]
  }

  open func setBackgroundImage(_ image: UIImage?, for state: State) {
    backgroundImages[state] = image
  }

  /// Returns the image for that state, otherwise the one for `.normal`.
  open func backgroundImage(for state: State) -> UIImage? {
    backgroundImages[state] ?? backgroundImages[.normal]
  }

  open var currentImage: UIImage? { image(for: state) }
  open var currentBackgroundImage: UIImage? { backgroundImage(for: state) }

  // MARK: Drawing

  /// The resolved image on the screen. Not part of UIKit.
  public var displayedImage: UIImage? { resolved(currentImage ?? configuration?.image) }

  /// The resolved background on the screen. Not part of UIKit.
  public var displayedBackgroundImage: UIImage? {
    resolved(configuration.map { $0.background.image } ?? currentBackgroundImage)
  }

  private func resolved(_ image: UIImage?) -> UIImage? {
    image?.withConfiguration(UIImage.Configuration(traitCollection: traitCollection))
  }
}

extension UIButton {
  /// A button's appearance as a value.
  public struct Configuration {
    public var image: UIImage?
    public var background = UIBackgroundConfiguration()

    public static func plain() -> Configuration { Configuration() }
    public static func filled() -> Configuration { Configuration() }
  }
}

/// A background's appearance as a value.
public struct UIBackgroundConfiguration {
  public var image: UIImage?
  public var imageContentMode = UIView.ContentMode.scaleToFill

  public static func clear() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
}
