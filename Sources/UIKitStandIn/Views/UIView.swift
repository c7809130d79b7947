import Foundation

@MainActor open class UIResponder: NSObject {
  // Not isolated, because the one of NSObject that it overrides is not.
  public nonisolated override init() {
    super.init()
  }
}

/// UIKit's view where UIKit is missing: geometry, hierarchy and traits, nothing drawn.
@MainActor open class UIView: UIResponder {
  public nonisolated static let noIntrinsicMetric: CGFloat = -1

  /// Where the contents go, with UIKit's raw values.
  public enum ContentMode: Int, Sendable {
    case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right, topLeft, topRight, bottomLeft
    case bottomRight
  }

  /// Points, in the view's own coordinates.
  open var bounds = CGRect.zero
  private var origin = CGPoint.zero
  open var contentMode = ContentMode.scaleToFill
  /// Pixels a point.
  open var contentScaleFactor: CGFloat = 1
  open var isUserInteractionEnabled = true
  open var isHidden = false
  open var alpha: CGFloat = 1
  open var tag = 0
  open internal(set) var gestureRecognizers: [UIGestureRecognizer]?
  public var traitOverrides = UITraitOverrides()
  public private(set) weak var superview: UIView?
  public private(set) var subviews: [UIView] = []

  public nonisolated override init() {
    super.init()
  }

  public init(frame: CGRect) {
    super.init()
    self.frame = frame
  }

  /// Reads nothing: there are no archives of views here.
  public required init?(coder: NSCoder) {
    super.init()
  }

  /// Points, in the superview's coordinates.
  open var frame: CGRect {
    get { CGRect(origin: origin, size: bounds.size) }
    set {
      origin = newValue.origin
      bounds.size = newValue.size
    }
  }

  open var window: UIWindow? { superview?.window }

  /// The nearest override on the way up, else the screen's scale.
  open var traitCollection: UITraitCollection {
    if traitOverrides.displayScale > 0 { return UITraitCollection(displayScale: traitOverrides.displayScale) }
    return superview?.traitCollection ?? UIScreen.main.traitCollection
  }

  /// Points; ``noIntrinsicMetric`` for a direction without one.
  open var intrinsicContentSize: CGSize {
    CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric)
  }

  /// Not UIKit's: how a toolkit's view animates a change, if it can. Here it is made at once.
  /// - Parameter change: to be called once, now or later on the main actor.
  open func runTransition(duration: TimeInterval, options: AnimationOptions, change: @escaping () -> Void) {
    change()
  }

  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }
}

@MainActor open class UIWindow: UIView {
  open override var window: UIWindow? { self }
}
