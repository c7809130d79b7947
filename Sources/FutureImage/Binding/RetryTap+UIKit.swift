#if canImport(UIKit)
/// Takes the taps of a view until it is ended. The view holds it, and nobody else; it is its own target, since targets are not held.
@MainActor final class RetryTap: UITapGestureRecognizer {
  var tookTouches = true
  private var retry: (@MainActor () -> Void)?

  static func make(_ retry: @escaping @MainActor () -> Void) -> RetryTap {
    let tap = RetryTap()
    tap.retry = retry
    tap.addTarget(tap, action: #selector(tapped))
    return tap
  }

  @objc private func tapped() { retry?() }
}
#endif
