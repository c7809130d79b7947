#if canImport(UIKit) || canImport(UIKitStandIn)
/// The properties of a view that a presentation changes or that a place reads. `NSView+Presenting.swift` has the same declarations.
extension UIView {
  /// Whether the view receives touches.
  var receivesTouches: Bool {
    get { isUserInteractionEnabled }
    set { isUserInteractionEnabled = newValue }
  }

  /// The mode in which the view shows its content.
  var imageContentMode: FutureImage.ContentMode? {
    get { contentMode }
    set { if let newValue { contentMode = newValue } }
  }

  /// The gesture recognizers of the view.
  var recognizers: [UIGestureRecognizer] { gestureRecognizers ?? [] }

  /// The text that VoiceOver reads.
  var spokenText: String? {
    get { accessibilityLabel }
    set { accessibilityLabel = newValue }
  }

  /// Whether VoiceOver visits the view.
  var isSpoken: Bool {
    get { isAccessibilityElement }
    set { isAccessibilityElement = newValue }
  }

  /// Whether the view's image is all that the view shows, so that the image's alternative text describes the view.
  var isDescribedByImage: Bool {
    if let button = self as? UIButton { return button.currentTitle == nil && button.configuration?.title == nil }
    return self is UIImageView
  }

  /// Whether the view is in a window, where people can see it.
  var isInVisibleWindow: Bool { window != nil }

  /// Updates the player when the view enters or leaves a window.
  func watchWindow(for player: FutureImage.Player) { WindowProbe.of(self).watch(player) }

  var isDark: Bool { traitCollection.userInterfaceStyle == .dark }

  /// Returns the pixels that an image view shows in that content mode; nil for other views.
  func imageFitting(_ contentMode: ContentMode) -> FutureImage.Fitting? { self is UIImageView ? pixelFitting(contentMode) : nil }

  /// Responds to an image that was put into the view.
  ///
  /// A table cell gives its own image view the size of its image, but only in a layout. Without another layout, an image whose size becomes
  /// known later would stay invisible (Kingfisher #839, SDWebImage #361).
  func hasShown(_ image: UIImage) {
    guard self is UIImageView, bounds.isEmpty, image.size != .zero else { return }
    (superview as? UITableViewCell ?? superview?.superview as? UITableViewCell)?.setNeedsLayout()
  }

  /// Returns UIKit's indicator of medium size, animating.
  static func activityIndicator() -> UIView {
    let view = UIActivityIndicatorView(style: .medium)
    view.startAnimating()
    return view
  }
}
#endif
