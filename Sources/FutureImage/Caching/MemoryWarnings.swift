/// Tells a cache when the system wants memory back: a warning, or the app going to the background, where those that hold least live
/// longest.
final class MemoryWarnings: @unchecked Sendable {
  // Sendable: written in `init` and used in `deinit`; notification centers may be used on any thread.
  private let center: NotificationCenter
  private let observers: [any NSObjectProtocol]

  /// The closures run on whichever thread posts.
  init(from center: NotificationCenter, onWarning: @escaping @Sendable () -> Void, inBackground: @escaping @Sendable () -> Void) {
    self.center = center
    observers = [
      (UIApplication.didReceiveMemoryWarningNotification, onWarning), (UIApplication.didEnterBackgroundNotification, inBackground)
    ].map { name, action in center.addObserver(forName: name, object: nil, queue: nil) { _ in action() } }
  }

  deinit {
    for observer in observers { center.removeObserver(observer) }
  }
}

extension MemoryWarnings {
  /// Empties the pool of what is not shown, and in the background leaves it an eighth of its limit.
  convenience init(from center: NotificationCenter, emptying pool: PixelPool) {
    self.init(
      from: center, onWarning: { [weak pool] in pool?.removeUnshown() }, inBackground: { [weak pool] in pool?.trim(toPartOf: 8) })
  }
}
