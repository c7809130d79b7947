#if canImport(UIKitStandIn) && !canImport(UIKit)
/// Does nothing. Linux reports memory pressure in files (PSI), which the program may watch.
final class MemoryPressure: Sendable {
  init(_ action: @escaping @Sendable () -> Void) {}
}
#endif
