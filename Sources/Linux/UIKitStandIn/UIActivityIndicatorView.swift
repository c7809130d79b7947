import Foundation

/// UIKit's activity indicator, for platforms without UIKit. It stores whether it is animating. A toolkit such as GTK draws it.
@MainActor open class UIActivityIndicatorView: UIView {
  /// The size, with UIKit's raw values.
  public enum Style: Int, Sendable {
    case medium = 100, large = 101
  }

  open var style = Style.medium
  /// Whether the indicator is hidden while it is not animating.
  open var hidesWhenStopped = true {
    didSet { isHidden = hidesWhenStopped && !isAnimating }
  }
  public private(set) var isAnimating = false

  public init(style: Style) {
    super.init(frame: .zero)
    self.style = style
    isHidden = true
  }

  public override init(frame: CGRect) {
    super.init(frame: frame)
    isHidden = true
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    isHidden = true
  }

  open func startAnimating() {
    isAnimating = true
    isHidden = false
  }

  open func stopAnimating() {
    isAnimating = false
    isHidden = hidesWhenStopped
  }
}
