/// The changes that a presentation has made to a view, except for its image. This object retains neither the future nor any object of the
/// app.
@MainActor final class PresentedLook {
  /// The last image that the presentation's future put into the view.
  weak var shown: BaseImage?
  private weak var tap: RetryTap?
  /// The indicator, which is a subview and is retained by the view.
  private weak var indicator: PlatformView?
  /// The view's content mode before the presentation, and the last content mode that the presentation set.
  private var contentModes: (former: FutureImage.ContentMode, given: FutureImage.ContentMode)?
  /// The description that the view got, and whether the view was an accessibility element before.
  private var label: (text: String, wasElement: Bool)?

  /// Whether the view must be restored after the binding is gone. The indicator does not count, because it is removed with its
  /// presentation.
  var isChanged: Bool { tap != nil || contentModes != nil || label != nil }

  /// Adds the indicator. This calls the app, which may bind something else in response.
  /// - Parameter make: makes the indicator; returns nil for no indicator.
  func showIndicator(in view: PlatformView, _ make: () -> PlatformView?) {
    guard indicator == nil, let made = make() else { return }
    made.receivesTouches = false
    indicator = made
    view.addInTheMiddle(made)
    if indicator !== made { made.removeFromSuperview() }
  }

  func removeIndicator() {
    let former = indicator
    indicator = nil
    former?.removeFromSuperview()
  }

  /// Makes each tap on the view a retry from now on. The view receives touches until `removeTap()` is called.
  func retryOnTap(of view: PlatformView, _ retry: @escaping @MainActor () -> Void) {
    guard tap == nil else { return }
    // Removes the recognizer of another image.
    RetryTap.removeAll(from: view)
    let tap = RetryTap.make(retry)
    tap.receivedTouches = view.receivesTouches
    view.addGestureRecognizer(tap)
    view.receivesTouches = true
    self.tap = tap
  }

  func removeTap() {
    tap?.end()
    tap = nil
  }

  func setContentMode(_ contentMode: FutureImage.ContentMode, of view: PlatformView) {
    guard let current = view.imageContentMode else { return }
    // If the app has set another mode meanwhile, that mode is restored later.
    let former = contentModes.flatMap { $0.given == current ? $0.former : nil } ?? current
    contentModes = (former, contentMode)
    view.imageContentMode = contentMode
  }

  /// Describes the view to people who do not see it, unless the app has already described it.
  func describe(_ view: PlatformView, as text: String) {
    guard view.spokenText == nil else { return }
    label = (text, view.isSpoken)
    view.spokenText = text
    view.isSpoken = true
  }

  /// Restores the view, except for what the app has changed meanwhile.
  func restore(_ view: PlatformView) {
    removeTap()
    removeIndicator()
    if let (text, wasElement) = label.take(), view.spokenText == text {
      view.spokenText = nil
      view.isSpoken = wasElement
    }
    guard let (former, given) = contentModes else { return }
    contentModes = nil
    if view.imageContentMode == given { view.imageContentMode = former }
  }
}

#if canImport(UIKit) || canImport(AppKit)
extension PlatformView {
  /// Adds a view in the middle of this view. Constraints to the center of a superview do not affect its size. They also work in superviews
  /// that are laid out without constraints.
  fileprivate func addInTheMiddle(_ view: PlatformView) {
    view.translatesAutoresizingMaskIntoConstraints = false
    addSubview(view)
    // The app may have removed the view while it was being added.
    guard view.superview === self else { return }
    NSLayoutConstraint.activate([
      view.centerXAnchor.constraint(equalTo: centerXAnchor), view.centerYAnchor.constraint(equalTo: centerYAnchor)
    ])
  }
}
#endif

/// The state of a presentation in a view.
@MainActor final class PresentedState {
  let presentation: FutureImage.Presentation
  let look = PresentedLook()
  var showsFailure = false
  /// Whether the place shows a preview.
  var showsPreview = false
  /// The image that the place shows until a transition of the app replaces it, either immediately or later.
  weak var outgoing: BaseImage?

  init(_ presentation: FutureImage.Presentation) {
    self.presentation = presentation
  }

  deinit {
    // An `OnMain` retains this object and releases it on the main thread. All other code that uses this object runs there, too. If the
    // future was released while its image was loading, the app has put another image into the view. So the indicator is removed here.
    let look = look
    MainActor.assumeIsolated { look.removeIndicator() }
  }
}

extension RetryTap {
  /// Removes the recognizer from its view, and restores whether the view receives touches. Does nothing if the recognizer was already
  /// removed.
  func end() {
    guard let view else { return }
    view.removeGestureRecognizer(self)
    view.receivesTouches = receivedTouches
  }

  /// Removes the retry recognizers of the view.
  static func removeAll(from view: PlatformView) {
    for case let tap as RetryTap in view.recognizers { tap.end() }
  }
}
