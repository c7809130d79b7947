import Foundation

@MainActor open class UIResponder: NSObject {
  // Not isolated, because the initializer of NSObject that it overrides is not.
  public nonisolated override init() {
    super.init()
  }
}

/// UIKit's view, for platforms without UIKit. It has geometry, hierarchy, and traits, but does not draw.
@MainActor open class UIView: UIResponder {
  public nonisolated static let noIntrinsicMetric: CGFloat = -1

  /// The placement of the content, with UIKit's raw values.
  public enum ContentMode: Int, Sendable {
    case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right, topLeft, topRight, bottomLeft
    case bottomRight
  }

  /// The direction in which a view lays out its contents, with UIKit's raw values.
  public enum SemanticContentAttribute: Int, Sendable {
    case unspecified, playback, spatial, forceLeftToRight, forceRightToLeft
  }

  /// The bounds in points, in the view's coordinates.
  open var bounds = CGRect.zero
  /// The origin that the frame would have without the transform.
  private var origin = CGPoint.zero
  /// The transform about the view's center. A scroll view uses it to scale the view that it zooms, whose bounds do not change.
  open var transform = CGAffineTransform.identity
  open var contentMode = ContentMode.scaleToFill
  /// Pixels per point.
  open var contentScaleFactor: CGFloat = 1
  open var isUserInteractionEnabled = true
  open var isHidden = false
  open var accessibilityLabel: String?
  /// Whether assistive technologies treat the view as an element. By default, only controls are elements.
  open var isAccessibilityElement: Bool {
    get { givenIsElement ?? isElementByDefault }
    set { givenIsElement = newValue }
  }
  private var givenIsElement: Bool?
  var isElementByDefault: Bool { false }
  open var alpha: CGFloat = 1
  open var tag = 0
  open internal(set) var gestureRecognizers: [UIGestureRecognizer]?
  public private(set) weak var superview: UIView?
  public private(set) var subviews: [UIView] = []
  /// The number of running transitions without `allowUserInteraction`. While it is above 0, the view accepts no touches.
  var blockingTransitions = 0

  open var semanticContentAttribute = SemanticContentAttribute.unspecified {
    didSet { if semanticContentAttribute != oldValue { appearanceChanged() } }
  }

  public var traitOverrides = UITraitOverrides() {
    didSet { traitsChanged() }
  }

  /// The observers of trait changes: see ``registerForTraitChanges(_:handler:)``.
  var traitObservers: [TraitObserver] = []
  /// Whether the traits may have changed since the observers were called.
  var hasTraitUpdate = false

  /// The traits of the environment after the overrides have been applied; nil without overrides.
  private var overridden: UITraitCollection?

  public nonisolated override init() {
    super.init()
  }

  public init(frame: CGRect) {
    super.init()
    self.frame = frame
  }

  /// Reads nothing, because views are not archived here.
  public required init?(coder: NSCoder) {
    super.init()
  }

  /// Light or dark for this view and its subviews, regardless of their environment.
  open var overrideUserInterfaceStyle: UIUserInterfaceStyle {
    get { traitOverrides.userInterfaceStyle }
    set { traitOverrides.userInterfaceStyle = newValue }
  }

  /// Whether the view's frame is independent of constraints. If false, the view takes part in Auto Layout. Here, this affects no layout,
  /// because there are no constraints.
  open var translatesAutoresizingMaskIntoConstraints = true

  /// Requests a call of ``layoutSubviews()``.
  open func setNeedsLayout() {
    needsLayout = true
  }

  private var needsLayout = false

  /// Lays out the view and its subviews if layout was requested. UIKit also lays out views before each frame. Here, only this method does.
  open func layoutIfNeeded() {
    if needsLayout {
      needsLayout = false
      layoutSubviews()
    }
    for view in subviews { view.layoutIfNeeded() }
  }

  /// Changes what depends on the view's size or content. Does nothing by default.
  open func layoutSubviews() {}

  /// The smallest rectangle around the transformed view, in points and in the superview's coordinates.
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

  /// The screen's traits, with the overrides of this view and of the views above it in the hierarchy.
  open var traitCollection: UITraitCollection { overridden ?? inheritedTraits }

  private var inheritedTraits: UITraitCollection { superview?.traitCollection ?? UIScreen.main.traitCollection }

  /// The size in points; ``noIntrinsicMetric`` for a dimension without an intrinsic size.
  open var intrinsicContentSize: CGSize {
    CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric)
  }

  /// Runs the view's part in a transition. Makes the change at once. A toolkit or a test can override this method. Not part of UIKit.
  /// - Parameter change: the change. An override must call it once before it returns, as in UIKit.
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
    setNeedsTraitUpdate()
    for view in subviews { view.traitsChanged() }
  }

  /// Called after the traits, the window, or the semantic attribute has changed. An override resolves again everything that depends on
  /// these three.
  func appearanceChanged() {}
}

@MainActor open class UIWindow: UIView {
  open weak var windowScene: UIWindowScene?

  open override var window: UIWindow? { self }
}
