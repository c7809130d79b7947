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
