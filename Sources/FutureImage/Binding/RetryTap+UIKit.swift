#if canImport(UIKit)
/// A recognizer that takes the taps of a view until it is ended. Only the view retains it; it is its own target, because targets are not
/// retained.
@MainActor final class RetryTap: UITapGestureRecognizer {
  var tookTouches = true
  private var retry: (@MainActor () -> Void)?

  static func make(_ retry: @escaping @MainActor () -> Void) -> RetryTap {
    let tap = RetryTap()
    tap.retry = retry
    tap.addTarget(tap, action: #selector(futureImageTapped))
    return tap
  }

  // Named so that it cannot replace a method of UIKit.
  @objc private func futureImageTapped() { retry?() }
}
#endif
