/// The changes that a presentation has made to a view besides its picture. It knows neither the future nor anything of the app's.
@MainActor final class PresentedLook {
  private weak var tap: RetryTap?
  /// In the view, which holds it.
  private weak var indicator: UIView?
  /// The view's content mode before the presentation, and the one that it was given last.
  private var contentModes: (former: UIView.ContentMode, given: UIView.ContentMode)?

  var isChanged: Bool { tap != nil || contentModes != nil || indicator != nil }

  /// Adding a view calls the app, which may bind something else in return.
  /// - Parameter make: nil for none.
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

  /// From now on taps on the view mean a retry.
  func takeTaps(of view: UIView, _ retry: @escaping @MainActor () -> Void) {
    if tap == nil { tap = RetryTap.begin(on: view, retry) }
  }

  func leaveTaps() {
    tap?.end()
    tap = nil
  }

  func setContentMode(_ contentMode: UIView.ContentMode, of view: UIView) {
    // One that the app has set meanwhile is what to go back to.
    let former = contentModes.flatMap { $0.given == view.contentMode ? $0.former : nil } ?? view.contentMode
    contentModes = (former, contentMode)
    view.contentMode = contentMode
  }

  /// Puts the view back as it was, but for what the app has changed meanwhile.
  func leave(_ view: UIView) {
    leaveTaps()
    leaveIndicator()
    guard let (former, given) = contentModes else { return }
    contentModes = nil
    if view.contentMode == given { view.contentMode = former }
  }
}
