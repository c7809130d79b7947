#if canImport(UIKit)
/// The name of the program: its bundle identifier, or the name of its process.
func programName() -> String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }
#endif
