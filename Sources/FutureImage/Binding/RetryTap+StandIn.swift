#if canImport(UIKitStandIn)
/// Takes the taps of a view until it is ended; meanwhile the view takes touches.
@MainActor final class RetryTap {
  private weak var view: UIView?
  private let tookTouches: Bool
  private let recognizer: UITapGestureRecognizer

  init(on view: UIView, _ retry: @escaping @MainActor () -> Void) {
    self.view = view
    tookTouches = view.isUserInteractionEnabled
    recognizer = UITapGestureRecognizer(retry)
    view.addGestureRecognizer(recognizer)
    view.isUserInteractionEnabled = true
  }

  func end() {
    view?.removeGestureRecognizer(recognizer)
    view?.isUserInteractionEnabled = tookTouches
  }
}
#endif
