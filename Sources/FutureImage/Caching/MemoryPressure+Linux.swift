#if canImport(UIKitStandIn) && !canImport(UIKit)
/// Never comes. Linux tells of memory pressure by files of the whole machine or of a control group (PSI), which are the program's to watch,
/// not a library's.
final class MemoryPressure: Sendable {
  init(_ action: @escaping @Sendable () -> Void) {}
}
#endif
