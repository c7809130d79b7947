#if canImport(UIKit)
/// Calls a closure when the system reports memory pressure, in every process. Memory warnings reach only apps and extensions with a user
/// interface.
final class MemoryPressure: @unchecked Sendable {
  // Sendable: written in `init` and used in `deinit`; a dispatch source may be used on any thread.
  private let source: any DispatchSourceMemoryPressure

  /// - Parameter action: runs on a system queue, at each change to "warning" or "critical".
  init(_ action: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .global(qos: .utility))
    source.setEventHandler { action() }
    source.activate()
  }

  deinit {
    source.cancel()
  }
}
#endif
