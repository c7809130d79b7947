import Foundation

/// UIKit's button where UIKit is missing: the images of its states.
@MainActor open class UIButton: UIControl {
  public enum ButtonType: Int, Sendable {
    case custom, system
  }

  private var images: [State: UIImage] = [:]
  private var backgroundImages: [State: UIImage] = [:]

  public convenience init(type buttonType: ButtonType) {
    self.init(frame: .zero)
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
}
