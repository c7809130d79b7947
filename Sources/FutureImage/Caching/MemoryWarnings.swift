/// Notifies a cache when the system wants memory back: after a warning; under memory pressure, which also reaches processes that get no
/// warnings; and when the app enters the background, where the processes with the least memory live longest.
///
/// A warning and pressure usually come together. The first leaves nothing to do for the second.
package final class MemoryWarnings: @unchecked Sendable {
  // Sendable: written in `init` and used in `deinit`; notification centers may be used on any thread.
  private let center: NotificationCenter
  private let observers: [any NSObjectProtocol]
  private let pressure: MemoryPressure

  /// Registers the closures. They run on the posting thread, and `onWarning` also on a system queue.
  package init(from center: NotificationCenter, onWarning: @escaping @Sendable () -> Void, inBackground: @escaping @Sendable () -> Void) {
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
  /// Evicts the pool's pixels that are not shown; in the background, leaves it an eighth of its limit.
  convenience init(from center: NotificationCenter, emptying pool: PixelPool) {
    self.init(
      from: center, onWarning: { [weak pool] in pool?.removeUnshown() }, inBackground: { [weak pool] in pool?.trim(toPartOf: 8) })
  }
}
