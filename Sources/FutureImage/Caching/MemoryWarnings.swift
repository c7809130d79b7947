/// Tells a cache when the system wants memory back: by a warning, by pressure, which reaches processes that get no warnings, or because the
/// app goes to the background, where those that hold least live longest.
///
/// A warning and pressure mostly come together. What is done for the first leaves nothing to do for the second.
final class MemoryWarnings: @unchecked Sendable {
  // Sendable: written in `init` and used in `deinit`; notification centers may be used on any thread.
  private let center: NotificationCenter
  private let observers: [any NSObjectProtocol]
  private let pressure: MemoryPressure

  /// The closures run on whichever thread posts, `onWarning` also on a queue of the system's.
  init(from center: NotificationCenter, onWarning: @escaping @Sendable () -> Void, inBackground: @escaping @Sendable () -> Void) {
    self.center = center
    observers = [
      (UIApplication.didReceiveMemoryWarningNotification, onWarning), (UIApplication.didEnterBackgroundNotification, inBackground)
    ].map { name, action in center.addObserver(forName: name, object: nil, queue: nil) { _ in action() } }
    pressure = MemoryPressure(onWarning)
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
