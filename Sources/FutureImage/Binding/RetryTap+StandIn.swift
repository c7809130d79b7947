#if canImport(UIKitStandIn) && !canImport(UIKit)
/// A recognizer that takes the taps of a view until it is ended. Only the view retains it.
@MainActor final class RetryTap: UITapGestureRecognizer {
  var tookTouches = true

  static func make(_ retry: @escaping @MainActor () -> Void) -> RetryTap { RetryTap(retry) }
}
#endif
