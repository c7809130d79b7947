#if canImport(AppKit) && !canImport(UIKit)
/// The properties of a view that a presentation changes or that a place reads. `UIView+Presenting.swift` has the same declarations.
extension NSView {
  /// Always true, because AppKit delivers clicks to every view.
  var receivesTouches: Bool {
    get { true }
    set {}
  }

  /// The scaling of an image view or a button; nil for other views.
  var imageContentMode: FutureImage.ContentMode? {
    get { (self as? NSImageView)?.imageScaling ?? (self as? NSButton)?.imageScaling }
    set {
      guard let newValue else { return }
      (self as? NSImageView)?.imageScaling = newValue
      (self as? NSButton)?.imageScaling = newValue
    }
  }

  /// The gesture recognizers of the view.
  var recognizers: [NSGestureRecognizer] { gestureRecognizers }

  /// The text that VoiceOver reads; nil if there is none, or if it is only the title of a button, which AppKit uses by default.
  var spokenText: String? {
    get {
      guard let label = accessibilityLabel(), !label.isEmpty, label != (self as? NSButton)?.title else { return nil }
      return label
    }
    set { setAccessibilityLabel(newValue) }
  }

  /// Whether VoiceOver visits the view.
  var isSpoken: Bool {
    get { isAccessibilityElement() }
    set { setAccessibilityElement(newValue) }
  }

  /// Whether the view's image is all that the view shows, so that the image's alternative text describes the view.
  var isDescribedByImage: Bool {
    if let button = self as? NSButton { return button.imagePosition == .imageOnly }
    return self is NSImageView
  }

  /// Whether the view is in a window, and a part of the window is visible.
  var isInVisibleWindow: Bool { window?.occlusionState.contains(.visible) ?? false }

  /// Updates the player when the view enters or leaves a window, and when the window is covered or uncovered.
  func watchWindow(for player: FutureImage.Player) { ViewProbe.of(self).watch(player) }

  var isDark: Bool { effectiveAppearance.isDark }

  /// Returns the pixels that an image view or a button shows with that scaling; nil for other views.
  func imageFitting(_ scaling: NSImageScaling) -> FutureImage.Fitting? {
    self is NSImageView || self is NSButton ? pixelFitting(scaling) : nil
  }

  /// Does nothing. In UIKit, a table cell needs another layout to show an image whose size was unknown before. In AppKit, no view needs
  /// another layout.
  func hasShown(_ image: BaseImage) {}

  /// Returns AppKit's spinning indicator of small size, animating.
  static func activityIndicator() -> NSView {
    let view = NSProgressIndicator()
    view.style = .spinning
    view.controlSize = .small
    view.startAnimation(nil)
    return view
  }
}

extension NSAppearance {
  @MainActor var isDark: Bool { bestMatch(from: [.aqua, .darkAqua]) == .darkAqua }
}

extension NSView {
  /// The size of the view's bounds, in the pixels of its display; nil before layout. The view is measured again when it gets its size.
  var pixelBox: FutureImage.PixelSize? { bounds.isEmpty ? nil : FutureImage.PixelSize(convertToBacking(bounds.size), scale: 1) }

  /// Returns the pixels of an image that the view's bounds show with that scaling; nil if the image is scaled and the view has no size yet.
  ///
  /// Proportional scaling shows the whole image inside the bounds. Independent scaling of the axes stretches the image to the bounds.
  /// Without scaling, the view needs every pixel.
  func pixelFitting(_ scaling: NSImageScaling) -> FutureImage.Fitting? {
    switch scaling {
    case .scaleProportionallyDown, .scaleProportionallyUpOrDown: pixelBox.map { .fit($0) }
    case .scaleAxesIndependently: pixelBox.map { .fill($0) }
    default: .full
    }
  }
}
#endif
