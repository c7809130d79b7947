import Foundation

/// UIKit's button where UIKit is missing: the images of its states, which it holds and hands out as they were given.
///
/// With a ``configuration`` it shows the images that are set for states, and never background images that are: the background is the
/// configuration's own. Observed in UIKitCore 18 and 26.
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

  /// The image set for that state, else the one for `.normal`.
  open func image(for state: State) -> UIImage? {
    images[state] ?? images[.normal]
  }

  open func setBackgroundImage(_ image: UIImage?, for state: State) {
    backgroundImages[state] = image
  }

  /// The image set for that state, else the one for `.normal`.
  open func backgroundImage(for state: State) -> UIImage? {
    backgroundImages[state] ?? backgroundImages[.normal]
  }

  open var currentImage: UIImage? { image(for: state) }
  open var currentBackgroundImage: UIImage? { backgroundImage(for: state) }

  // MARK: What is drawn

  /// Not UIKit's: the resolved image on the screen.
  public var displayedImage: UIImage? { resolved(currentImage ?? configuration?.image) }

  /// Not UIKit's: the resolved background on the screen.
  public var displayedBackgroundImage: UIImage? {
    resolved(configuration.map { $0.background.image } ?? currentBackgroundImage)
  }

  private func resolved(_ image: UIImage?) -> UIImage? {
    image?.withConfiguration(UIImage.Configuration(traitCollection: traitCollection))
  }
}

extension UIButton {
  /// A button's looks as a value.
  public struct Configuration {
    public var image: UIImage?
    public var background = UIBackgroundConfiguration()

    public static func plain() -> Configuration { Configuration() }
    public static func filled() -> Configuration { Configuration() }
  }
}

/// The looks of a background as a value.
public struct UIBackgroundConfiguration {
  public var image: UIImage?
  public var imageContentMode = UIView.ContentMode.scaleToFill

  public static func clear() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
}
