/// Empties the pool of what is not shown when the system is short of memory.
final class MemoryWarnings: @unchecked Sendable {
  // Sendable: written in `init` and used in `deinit`; notification centers may be used on any thread.
  private let center: NotificationCenter
  private let observer: any NSObjectProtocol

  init(from center: NotificationCenter, emptying pool: PixelPool) {
    self.center = center
    observer = center.addObserver(
      forName: UIApplication.didReceiveMemoryWarningNotification, object: nil, queue: nil
    ) { [weak pool] _ in pool?.removeUnshown() }
  }

  deinit { center.removeObserver(observer) }
}
