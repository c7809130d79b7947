// A model of the parts of AppKit that the library uses, so that the Mac's code runs in tests on Linux. `Tests/AppleFrameworks.md` lists the
// facts about AppKit with numbers from M1 to M11, and comments name the facts that the model imitates. Where AppKit's behavior is unknown,
// the model behaves in the way that is harder for the library. `Tests/UIKitContract` checks the same code against AppKit's declarations.
@_exported import Foundation
@_exported import LinuxCodecs

@MainActor open class NSResponder: NSObject {
  // Not isolated, because the initializer of NSObject that it overrides is not.
  public nonisolated override init() {
    super.init()
  }
}

public typealias NSPoint = CGPoint
public typealias NSRect = CGRect
public typealias NSSize = CGSize

/// A view. Its coordinates start at the lower left, unless the view is flipped.
@MainActor open class NSView: NSResponder {
  open var frame = NSRect.zero {
    didSet {
      guard frame.size != oldValue.size else { return }
      for view in subviews { view.resize(withOldSuperviewSize: oldValue.size) }
    }
  }
  open var bounds: NSRect {
    get { NSRect(origin: .zero, size: frame.size) }
    set { frame.size = newValue.size }
  }
  public nonisolated static let noIntrinsicMetric: CGFloat = -1

  /// The size in points; ``noIntrinsicMetric`` for a dimension without an intrinsic size.
  open var intrinsicContentSize: NSSize { NSSize(width: NSView.noIntrinsicMetric, height: NSView.noIntrinsicMetric) }
  open var isHidden = false
  open var wantsLayer = false {
    didSet { layer = wantsLayer ? layer ?? CALayer() : nil }
  }
  /// Nil for a view without a layer.
  open var layer: CALayer?
  open var translatesAutoresizingMaskIntoConstraints = true

  /// The policy that decides when AppKit replaces the contents of the view's layer with a drawing of the view.
  public enum LayerContentsRedrawPolicy: Int, Sendable {
    case never, onSetNeedsDisplay, duringViewResize, beforeViewResize, crossfade
  }

  open var layerContentsRedrawPolicy = LayerContentsRedrawPolicy.onSetNeedsDisplay

  /// AppKit calls this method before it draws a view that needs layout. In the model, only tests call it.
  open func layout() {}
  public private(set) var subviews: [NSView] = []
  public private(set) weak var superview: NSView?
  public private(set) var gestureRecognizers: [NSGestureRecognizer] = []
  fileprivate weak var windowOfContent: NSWindow?
  private var label: String?
  private var isElement = false

  public nonisolated override init() {
    super.init()
  }

  public init(frame: NSRect) {
    super.init()
    self.frame = frame
  }

  /// Reads nothing, because views are not archived here.
  public required init?(coder: NSCoder) {
    super.init()
  }

  open var window: NSWindow? { windowOfContent ?? superview?.window }

  open func addSubview(_ view: NSView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
    if window != nil { view.movedToWindow() }
  }

  /// Called for a view that enters or leaves a window. It is unknown whether AppKit then calls ``viewDidChangeBackingProperties()``, too.
  open func viewDidMoveToWindow() {}

  open func removeFromSuperview() {
    let wasInWindow = window != nil
    superview?.subviews.removeAll { $0 === self }
    superview = nil
    if wasInWindow { movedToWindow() }
  }

  /// Returns the size in the pixels of the window's screen. A view without a window has one pixel for each point.
  open func convertToBacking(_ size: NSSize) -> NSSize {
    let scale = window?.backingScaleFactor ?? 1
    return NSSize(width: size.width * scale, height: size.height * scale)
  }

  /// Called after the size of the superview has changed.
  open func resize(withOldSuperviewSize oldSize: NSSize) {}

  /// Whether people are resizing the window.
  open var inLiveResize: Bool { window?.isResized ?? false }

  open func viewDidEndLiveResize() {}

  /// Called for each view of a window after the window has moved to a screen of another resolution.
  open func viewDidChangeBackingProperties() {}

  // MARK: - Appearance

  open var appearance: NSAppearance? {
    didSet { appearanceChanged() }
  }

  open var effectiveAppearance: NSAppearance { appearance ?? superview?.effectiveAppearance ?? .light }

  open func viewDidChangeEffectiveAppearance() {}

  private func appearanceChanged() {
    // It is unknown whether AppKit calls hidden views.
    guard !isHidden else { return }
    viewDidChangeEffectiveAppearance()
    for view in subviews where view.appearance == nil { view.appearanceChanged() }
  }

  fileprivate func liveResizeEnded() {
    viewDidEndLiveResize()
    for view in subviews { view.liveResizeEnded() }
  }

  fileprivate func movedToWindow() {
    viewDidMoveToWindow()
    for view in subviews { view.movedToWindow() }
  }

  fileprivate func backingChanged() {
    // It is unknown whether AppKit calls hidden views.
    guard !isHidden else { return }
    viewDidChangeBackingProperties()
    for view in subviews { view.backingChanged() }
  }

  // MARK: - Clicks

  /// Returns the view that receives a click: this view, or a subview. Returns nil if the point is outside of this view.
  /// - Parameter point: the point in the superview's coordinates.
  open func hitTest(_ point: NSPoint) -> NSView? {
    guard !isHidden, frame.contains(point) else { return nil }
    let inside = NSPoint(x: point.x - frame.minX, y: point.y - frame.minY)
    for view in subviews.reversed() {
      if let hit = view.hitTest(inside) { return hit }
    }
    return self
  }

  open func addGestureRecognizer(_ recognizer: NSGestureRecognizer) {
    recognizer.view?.removeGestureRecognizer(recognizer)
    gestureRecognizers.append(recognizer)
    recognizer.view = self
  }

  open func removeGestureRecognizer(_ recognizer: NSGestureRecognizer) {
    guard recognizer.view === self else { return }
    gestureRecognizers.removeAll { $0 === recognizer }
    recognizer.view = nil
  }

  // MARK: - Accessibility

  open func accessibilityLabel() -> String? { label }
  open func setAccessibilityLabel(_ label: String?) { self.label = label }
  open func isAccessibilityElement() -> Bool { isElement }
  open func setAccessibilityElement(_ isElement: Bool) { self.isElement = isElement }
}

/// A window on a screen. Tests move it to a screen of another resolution.
@MainActor open class NSWindow: NSResponder {
  open var contentView: NSView? {
    didSet {
      oldValue?.windowOfContent = nil
      contentView?.windowOfContent = self
      contentView?.movedToWindow()
    }
  }

  public struct OcclusionState: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// A part of the window can be seen.
    public static let visible = Self(rawValue: 1 << 1)
  }

  public nonisolated static let didChangeOcclusionStateNotification = Notification.Name("NSWindowDidChangeOcclusionStateNotification")

  /// Whether people can see a part of the window. Tests cover the window and uncover it again.
  public var occlusionState: OcclusionState = .visible {
    didSet { NotificationCenter.default.post(name: Self.didChangeOcclusionStateNotification, object: self) }
  }

  /// The number of pixels in a point of the window's screen.
  public private(set) var backingScaleFactor: CGFloat

  public init(backingScaleFactor: CGFloat) {
    self.backingScaleFactor = backingScaleFactor
    super.init()
  }

  /// Whether people are resizing the window.
  fileprivate var isResized = false

  /// Resizes a view in steps, as when people resize the window.
  public func resize(_ view: NSView, through sizes: [NSSize], _ afterEach: () async throws -> Void) async rethrows {
    isResized = true
    for size in sizes {
      view.frame.size = size
      try await afterEach()
    }
    isResized = false
    contentView?.liveResizeEnded()
  }

  /// Moves the window to a screen with this number of pixels per point, as when people drag the window there.
  public func move(toScale scale: CGFloat) {
    guard scale != backingScaleFactor else { return }
    backingScaleFactor = scale
    contentView?.backingChanged()
  }
}

@MainActor public final class NSWorkspace {
  public static let shared = NSWorkspace()
  /// Whether people have turned on Reduce Motion.
  public var accessibilityDisplayShouldReduceMotion = false
}

/// A setting that belongs to the framework Accessibility on a Mac. The model does not have this framework.
@MainActor public enum AccessibilitySettings {
  public static var animatedImagesEnabled = true
}

/// The appearance of views: light or dark.
public final class NSAppearance: Sendable {
  public struct Name: Hashable, Sendable {
    private let rawValue: String
    public static let aqua = Self(rawValue: "NSAppearanceNameAqua")
    public static let darkAqua = Self(rawValue: "NSAppearanceNameDarkAqua")
    /// Dark with high contrast. The best match of this appearance is dark, although its name is not the name of the dark appearance.
    public static let accessibilityHighContrastDarkAqua = Self(rawValue: "NSAppearanceNameAccessibilityHighContrastDarkAqua")
  }

  public let name: Name

  fileprivate static let light = NSAppearance(.aqua)

  private init(_ name: Name) { self.name = name }

  public convenience init?(named name: Name) { self.init(name) }

  public func bestMatch(from names: [Name]) -> Name? {
    if names.contains(name) { return name }
    return name == .accessibilityHighContrastDarkAqua && names.contains(.darkAqua) ? .darkAqua : names.first
  }
}

@MainActor open class NSGestureRecognizer: NSObject {
  public fileprivate(set) weak var view: NSView?

  public nonisolated override init() {
    super.init()
  }
}

/// A recognizer of clicks that a test reports. Without Objective-C, a closure replaces target and action.
@MainActor open class NSClickGestureRecognizer: NSGestureRecognizer {
  /// Whether the view receives a mouse-down only after the recognizer has failed.
  open var delaysPrimaryMouseButtonEvents = true
  public var onClick: (@MainActor () -> Void)?

  public func click() { onClick?() }
}

@MainActor open class NSProgressIndicator: NSView {
  public enum Style: UInt, Sendable {
    case bar = 0, spinning = 1
  }

  public enum ControlSize: UInt, Sendable {
    case regular, small, mini, large
  }

  open var style = Style.bar
  open var controlSize = ControlSize.regular
  public private(set) var isAnimating = false

  open func startAnimation(_ sender: Any?) { isAnimating = true }
  open func stopAnimation(_ sender: Any?) { isAnimating = false }
}

@MainActor public final class NSApplication {
  public static let shared = NSApplication()
  public let effectiveAppearance = NSAppearance.light
  public nonisolated static let didHideNotification = Notification.Name("NSApplicationDidHideNotification")
}

// MARK: - Constraints

/// An edge or a center of a view.
@MainActor public struct NSLayoutAnchor {
  let view: NSView

  public func constraint(equalTo other: Self) -> NSLayoutConstraint { NSLayoutConstraint(from: view, to: other.view) }
}

@MainActor public final class NSLayoutConstraint {
  let from: NSView, to: NSView

  init(from: NSView, to: NSView) {
    self.from = from
    self.to = to
  }

  /// Traps unless one view is the superview of the other. AppKit accepts any two views with a common ancestor, and raises an exception for
  /// other views.
  public static func activate(_ constraints: [NSLayoutConstraint]) {
    for constraint in constraints {
      precondition(
        constraint.from.superview === constraint.to || constraint.to.superview === constraint.from,
        "neither view is the superview of the other")
    }
  }
}

extension NSView {
  public var centerXAnchor: NSLayoutAnchor { NSLayoutAnchor(view: self) }
  public var centerYAnchor: NSLayoutAnchor { NSLayoutAnchor(view: self) }
}

// MARK: - Layers

/// A layer, which stores its contents and its animations.
@MainActor open class CALayer: NSObject {
  /// A `CGImage` or an `NSImage` (fact M10).
  open var contents: Any?
  open var contentsScale: CGFloat = 1
  open var masksToBounds = false
  open var contentsGravity = CALayerContentsGravity.resize
  public private(set) var animations: [String: CATransition] = [:]

  public nonisolated override init() {
    super.init()
  }

  open func add(_ animation: CATransition, forKey key: String?) { animations[key ?? "transition"] = animation }
}

public struct CALayerContentsGravity: Hashable, Sendable {
  private let rawValue: String
  public static let resize = Self(rawValue: "resize")
  public static let resizeAspectFill = Self(rawValue: "resizeAspectFill")
}

public struct CATransitionType: Hashable, Sendable {
  private let rawValue: String
  public static let fade = Self(rawValue: "fade")
}

@MainActor public final class CATransition: NSObject {
  public var type = CATransitionType.fade
  public var duration: TimeInterval = 0

  public nonisolated override init() {
    super.init()
  }
}
