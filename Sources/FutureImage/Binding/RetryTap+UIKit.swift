#if canImport(UIKit)
/// Takes the taps of a view until it is ended; meanwhile the view takes touches.
@MainActor final class RetryTap: NSObject {
  private weak var view: UIView?
  private let retry: @MainActor () -> Void
  private let tookTouches: Bool
  private let recognizer = UITapGestureRecognizer()

  init(on view: UIView, _ retry: @escaping @MainActor () -> Void) {
    self.view = view
    self.retry = retry
    tookTouches = view.isUserInteractionEnabled
    super.init()
    recognizer.addTarget(self, action: #selector(tapped))
    view.addGestureRecognizer(recognizer)
    view.isUserInteractionEnabled = true
  }

  func end() {
    view?.removeGestureRecognizer(recognizer)
    view?.isUserInteractionEnabled = tookTouches
  }

  @objc private func tapped() { retry() }
}
#endif
