extension RetryTap {
  /// Takes the taps of the view from now on, instead of any recognizer of another image. Meanwhile the view takes touches.
  static func begin(on view: UIView, _ retry: @escaping @MainActor () -> Void) -> RetryTap {
    leave(view)
    let tap = make(retry)
    tap.tookTouches = view.isUserInteractionEnabled
    view.addGestureRecognizer(tap)
    view.isUserInteractionEnabled = true
    return tap
  }

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
