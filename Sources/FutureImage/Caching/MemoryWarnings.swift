/// An observer that notifies a cache when it should release memory: after a memory warning, under memory pressure, and when the app enters
/// the background. Memory pressure is also reported to processes that receive no warnings. In the background, a cache releases memory
/// because the system, when memory is short, first ends the background processes that use the most memory.
///
/// A warning and pressure usually occur together. The first notification leaves nothing to release for the second.
package final class MemoryWarnings: @unchecked Sendable {
  // Sendable: the properties are written in `init` and used in `deinit`, and notification centers may be used on any thread.
  private let center: NotificationCenter
  private let observers: [any NSObjectProtocol]
  private let pressure: MemoryPressure

  /// Registers the closures: `onWarning` runs after a memory warning and under memory pressure, and `inBackground` runs when the app enters
  /// the background. They run on the thread that posts the notification. Under memory pressure, `onWarning` runs on a system queue.
  package init(from center: NotificationCenter, onWarning: @escaping @Sendable () -> Void, inBackground: @escaping @Sendable () -> Void) {
    self.center = center
    observers = [(platformMemoryWarning, onWarning), (platformBackground, inBackground)].compactMap { name, action in
      name.map { center.addObserver(forName: $0, object: nil, queue: nil) { _ in action() } }
    }
    pressure = MemoryPressure(onWarning)
  }

  deinit {
    for observer in observers { center.removeObserver(observer) }
  }
}

extension MemoryWarnings {
  /// Registers closures for a pool. A warning evicts all pixels that are not shown. In the background, the pool retains at most an eighth
  /// of its limit.
  convenience init(from center: NotificationCenter, emptying pool: PixelPool) {
    self.init(
      from: center, onWarning: { [weak pool] in pool?.evictAll() }, inBackground: { [weak pool] in pool?.trim(toPartOf: 8) })
  }
}
