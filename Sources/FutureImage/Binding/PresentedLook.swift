/// The changes that a presentation has made to a view besides its image. It knows neither the future nor any object of the app.
@MainActor final class PresentedLook {
  /// The last image that the presentation's future put into the view.
  weak var shown: UIImage?
  private weak var tap: RetryTap?
  /// A subview, retained by the view.
  private weak var indicator: UIView?
  /// The view's content mode before the presentation, and the last one set by the presentation.
  private var contentModes: (former: UIView.ContentMode, given: UIView.ContentMode)?
  /// The description that the view was given, and whether it was an element of its own before.
  private var label: (text: String, wasElement: Bool)?

  /// Whether the view must be restored after the binding is gone. The indicator goes with its presentation.
  var isChanged: Bool { tap != nil || contentModes != nil || label != nil }

  /// Adds the indicator. This calls the app, which may bind something else in response.
  /// - Parameter make: returns nil for none.
  func showIndicator(in view: UIView, _ make: () -> UIView?) {
    guard indicator == nil, let made = make() else { return }
    made.isUserInteractionEnabled = false
    indicator = made
    view.addInTheMiddle(made)
    if indicator !== made { made.removeFromSuperview() }
  }

  func leaveIndicator() {
    let former = indicator
    indicator = nil
    former?.removeFromSuperview()
  }

  /// Treats taps on the view as retries from now on. Meanwhile the view takes touches.
  func takeTaps(of view: UIView, _ retry: @escaping @MainActor () -> Void) {
    guard tap == nil else { return }
    // The recognizer of another image.
    RetryTap.leave(view)
    let tap = RetryTap.make(retry)
    tap.tookTouches = view.isUserInteractionEnabled
    view.addGestureRecognizer(tap)
    view.isUserInteractionEnabled = true
    self.tap = tap
  }

  func leaveTaps() {
    tap?.end()
    tap = nil
  }

  func setContentMode(_ contentMode: UIView.ContentMode, of view: UIView) {
    // If the app has set another mode meanwhile, restore that one later.
    let former = contentModes.flatMap { $0.given == view.contentMode ? $0.former : nil } ?? view.contentMode
    contentModes = (former, contentMode)
    view.contentMode = contentMode
  }

  /// Describes the view to people who do not see it, unless the app does.
  func describe(_ view: UIView, as text: String) {
    guard view.accessibilityLabel == nil else { return }
    label = (text, view.isAccessibilityElement)
    view.accessibilityLabel = text
    view.isAccessibilityElement = true
  }

  /// Restores the view, except for what the app has changed meanwhile.
  func leave(_ view: UIView) {
    leaveTaps()
    leaveIndicator()
    if let (text, wasElement) = label.take(), view.accessibilityLabel == text {
      view.accessibilityLabel = nil
      view.isAccessibilityElement = wasElement
    }
    guard let (former, given) = contentModes else { return }
    contentModes = nil
    if view.contentMode == given { view.contentMode = former }
  }
}

/// The state of a presentation in a view.
@MainActor final class PresentedState {
  let presentation: FutureImage.Presentation
  let look = PresentedLook()
  var showsFailure = false
  /// Whether the place shows a preview.
  var showsPreview = false
  /// The image that the place has until a transition of the app changes it, now or later.
  weak var outgoing: UIImage?

  init(_ presentation: FutureImage.Presentation) {
    self.presentation = presentation
  }

  deinit {
    // An `OnMain` retains this object and releases it on the main thread, as does all code that uses it. If a future is released while its
    // image loads, an image of the app has replaced it in the view: nothing is loading there anymore.
    let look = look
    MainActor.assumeIsolated { look.leaveIndicator() }
  }
}

extension RetryTap {
  /// Ends the recognizer, unless another one has replaced it.
  func end() {
    guard let view else { return }
    view.removeGestureRecognizer(self)
    view.isUserInteractionEnabled = tookTouches
  }

  /// Ends the recognizers of the view.
  static func leave(_ view: UIView) {
    for case let tap as RetryTap in view.gestureRecognizers ?? [] { tap.end() }
  }
}
