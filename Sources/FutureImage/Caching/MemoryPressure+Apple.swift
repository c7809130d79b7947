#if canImport(UIKit)
/// The system's word that memory is short, as `DispatchSource` gives it to every process: memory warnings reach apps and extensions that
/// show something, and no others.
final class MemoryPressure: @unchecked Sendable {
  // Sendable: written in `init` and used in `deinit`; a dispatch source may be used on any thread.
  private let source: any DispatchSourceMemoryPressure

  /// - Parameter action: Runs on a queue of the system's, at each change to "warning" or "critical".
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
