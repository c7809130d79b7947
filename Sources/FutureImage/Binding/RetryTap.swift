extension RetryTap {
  /// Takes the taps of the view from now on, in the place of another picture that took them before. Meanwhile the view takes touches.
  static func begin(on view: UIView, _ retry: @escaping @MainActor () -> Void) -> RetryTap {
    leave(view)
    let tap = make(retry)
    tap.tookTouches = view.isUserInteractionEnabled
    view.addGestureRecognizer(tap)
    view.isUserInteractionEnabled = true
    return tap
  }

  /// Nothing, if the view's taps are another's by now.
  func end() {
    guard let view else { return }
    view.removeGestureRecognizer(self)
    view.isUserInteractionEnabled = tookTouches
  }

  /// The view's taps are its own again.
  static func leave(_ view: UIView) {
    for case let tap as RetryTap in view.gestureRecognizers ?? [] { tap.end() }
  }
}
