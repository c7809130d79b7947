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

  /// The place of the contents, with UIKit's raw values.
  public enum ContentMode: Int, Sendable {
    case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right, topLeft, topRight, bottomLeft
    case bottomRight
  }

  /// The direction in which a view lays out its contents, with UIKit's raw values.
  public enum SemanticContentAttribute: Int, Sendable {
    case unspecified, playback, spatial, forceLeftToRight, forceRightToLeft
  }

  /// Points, in the view's own coordinates.
  open var bounds = CGRect.zero
  /// Where the frame begins without the transform.
  private var origin = CGPoint.zero
  /// Applied about the view's center; a scroll view scales the view that it zooms by it, whose bounds stay.
  open var transform = CGAffineTransform.identity
  open var contentMode = ContentMode.scaleToFill
  /// Pixels a point.
  open var contentScaleFactor: CGFloat = 1
  open var isUserInteractionEnabled = true
  open var isHidden = false
  open var alpha: CGFloat = 1
  open var tag = 0
  open internal(set) var gestureRecognizers: [UIGestureRecognizer]?
  public private(set) weak var superview: UIView?
  public private(set) var subviews: [UIView] = []
  /// How many transitions without `allowUserInteraction` run now: meanwhile the view takes no touches.
  var blockingTransitions = 0

  open var semanticContentAttribute = SemanticContentAttribute.unspecified {
    didSet { if semanticContentAttribute != oldValue { appearanceChanged() } }
  }

  public var traitOverrides = UITraitOverrides() {
    didSet { traitsChanged() }
  }

  /// Told when traits change: see ``registerForTraitChanges(_:handler:)``.
  var traitObservers: [TraitObserver] = []

  /// The overrides applied to the surroundings' traits; nil without overrides.
  private var overridden: UITraitCollection?

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

  /// Light or dark for this view and those inside it, whatever their surroundings are.
  open var overrideUserInterfaceStyle: UIUserInterfaceStyle {
    get { traitOverrides.userInterfaceStyle }
    set { traitOverrides.userInterfaceStyle = newValue }
  }

  /// Nothing: there is no layout here.
  open func layoutIfNeeded() {}

  /// Points, in the superview's coordinates: the smallest rectangle around the transformed view.
  open var frame: CGRect {
    get {
      transform == .identity ? CGRect(origin: origin, size: bounds.size) : boundingBox(of: bounds) { pointInSuperview($0) }
    }
    set {
      origin = newValue.origin
      bounds.size = newValue.size
    }
  }

  func pointInSuperview(_ point: CGPoint) -> CGPoint {
    let half = CGPoint(x: bounds.width / 2, y: bounds.height / 2)
    let turned = CGPoint(x: point.x - bounds.minX - half.x, y: point.y - bounds.minY - half.y).applying(transform)
    return CGPoint(x: origin.x + half.x + turned.x, y: origin.y + half.y + turned.y)
  }

  open var window: UIWindow? { superview?.window }

  /// The overrides on the way up, else the screen's traits.
  open var traitCollection: UITraitCollection { overridden ?? inheritedTraits }

  private var inheritedTraits: UITraitCollection { superview?.traitCollection ?? UIScreen.main.traitCollection }

  /// Points; ``noIntrinsicMetric`` for a direction without one.
  open var intrinsicContentSize: CGSize {
    CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric)
  }

  /// Not UIKit's: how a toolkit's view or a test's takes part in a transition. Here the change is made at once.
  /// - Parameter change: to be called once, before this returns, as UIKit does.
  open func runTransition(duration: TimeInterval, options: AnimationOptions, change: @escaping () -> Void) {
    change()
  }

  open func addSubview(_ view: UIView) {
    view.detach()
    subviews.append(view)
    view.superview = self
    view.traitsChanged()
    view.windowChanged()
  }

  open func removeFromSuperview() {
    guard superview != nil else { return }
    detach()
    traitsChanged()
    windowChanged()
  }

  /// Called after the view entered or left a window.
  open func didMoveToWindow() {}

  private func detach() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  private func windowChanged() {
    didMoveToWindow()
    if window != nil { appearanceChanged() }
    for view in subviews { view.windowChanged() }
  }

  private func traitsChanged() {
    let former = overridden
    overridden = traitOverrides.isEmpty ? nil : traitOverrides.applied(to: inheritedTraits)
    if overridden == nil || overridden != former { appearanceChanged() }
    for observer in traitObservers { observer.tell(self) }
    for view in subviews { view.traitsChanged() }
  }

  /// The traits, the window or the semantic attribute changed: whatever is resolved for them is to be resolved again.
  func appearanceChanged() {}
}

@MainActor open class UIWindow: UIView {
  open weak var windowScene: UIWindowScene?

  open override var window: UIWindow? { self }
}
