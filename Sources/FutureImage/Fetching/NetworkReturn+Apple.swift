#if canImport(UIKit)
import Network

/// Watches the networks of the device for as long as it is retained.
private final class NetworkWatch: Sendable {
  private let monitor = NWPathMonitor()

  init(onReturn: @escaping @Sendable () -> Void) {
    let returns = Lock(NetworkReturns())
    monitor.pathUpdateHandler = { path in
      if returns.withLock({ $0.isReturn(isReachable: path.status == .satisfied) }) { onReturn() }
    }
    monitor.start(queue: .global(qos: .utility))
  }

  deinit { monitor.cancel() }
}

func watchPlatformNetwork(onReturn: @escaping @Sendable () -> Void) -> (any Sendable)? { NetworkWatch(onReturn: onReturn) }
#endif
