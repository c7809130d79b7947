import Foundation

/// UIKit's button, for platforms without UIKit. It stores the titles and images of its states, and returns them unchanged.
///
/// It draws the images after its next layout. A system button, and a button with a ``configuration``, draw images of automatic rendering
/// mode as templates. It is a guess that a button with a configuration does so.
///
/// A button with a ``configuration`` shows the images of its states, but never their background images, because the background belongs to
/// the configuration. This was observed in UIKitCore 18 and 26.
@MainActor open class UIButton: UIControl {
  public enum ButtonType: Int, Sendable {
    case custom, system
  }

  private var titles: [State: String] = [:]
  private var images: [State: UIImage] = [:] { didSet { setNeedsLayout() } }
  private var backgroundImages: [State: UIImage] = [:] { didSet { setNeedsLayout() } }
  open var configuration: Configuration? { didSet { setNeedsLayout() } }
  public private(set) var buttonType = ButtonType.custom

  public convenience init(type buttonType: ButtonType) {
    self.init(frame: .zero)
    self.buttonType = buttonType
  }

  public convenience init(configuration: Configuration) {
    self.init(frame: .zero)
    buttonType = .system
    self.configuration = configuration
  }

  open func setImage(_ image: UIImage?, for state: State) {
    images[state] = image
  }

  /// Returns the image for that state or, if there is none, the image for `.normal`.
  open func image(for state: State) -> UIImage? {
    images[state] ?? images[.normal]
  }

  open func setTitle(_ title: String?, for state: State) {
    titles[state] = title
  }

  open var currentTitle: String? { titles[state] ?? titles[.normal] }

  open func setBackgroundImage(_ image: UIImage?, for state: State) {
    backgroundImages[state] = image
  }

  /// Returns the image for that state or, if there is none, the image for `.normal`.
  open func backgroundImage(for state: State) -> UIImage? {
    backgroundImages[state] ?? backgroundImages[.normal]
  }

  open var currentImage: UIImage? { image(for: state) }
  open var currentBackgroundImage: UIImage? { backgroundImage(for: state) }

  // MARK: Drawing

  /// The resolved image that the last layout put on the screen. Not part of UIKit.
  public private(set) var displayedImage: UIImage?

  /// The resolved background image that the last layout put on the screen. Not part of UIKit.
  public private(set) var displayedBackgroundImage: UIImage?

  /// Whether the button draws only the shape of its image, filled with the tint. A photo is then a solid block. Not part of UIKit.
  public var drawsTemplate: Bool {
    displayedImage?.isTemplate(inChrome: buttonType == .system || configuration != nil) ?? false
  }

  open override func layoutSubviews() {
    super.layoutSubviews()
    displayedImage = resolved(currentImage ?? configuration?.image)
    displayedBackgroundImage = resolved(configuration.map { $0.background.image } ?? currentBackgroundImage)
  }

  override func appearanceChanged() { setNeedsLayout() }

  private func resolved(_ image: UIImage?) -> UIImage? {
    image?.withConfiguration(UIImage.Configuration(traitCollection: traitCollection))
  }
}

extension UIButton {
  /// A button's appearance as a value.
  public struct Configuration {
    public var title: String?
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
