#if canImport(UIKitStandIn) && !canImport(UIKit)
/// Takes the taps of a view until it is ended. The view holds it, and nobody else.
@MainActor final class RetryTap: UITapGestureRecognizer {
  var tookTouches = true

  static func make(_ retry: @escaping @MainActor () -> Void) -> RetryTap { RetryTap(retry) }
}
#endif
