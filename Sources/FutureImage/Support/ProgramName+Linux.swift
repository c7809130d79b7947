#if canImport(UIKitStandIn) && !canImport(UIKit)
/// The name of the program: its bundle identifier, or the name of its file.
///
/// A program may outlive its file, as during an upgrade. Foundation's `Bundle.main` traps if the file's folder is gone, and its process
/// name ends in " (deleted)" if the file is: that is how Linux marks the target of the link `/proc/self/exe`.
func programName() -> String {
  let name = ProcessInfo.processInfo.processName
  let mark = " (deleted)"
  guard name.hasSuffix(mark) else { return bundleIdentifier ?? name }
  return bundleIdentifier ?? String(name.dropLast(mark.count))
}

private var bundleIdentifier: String? {
  guard let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
  guard access((file as NSString).deletingLastPathComponent, F_OK) == 0 else { return nil }
  return Bundle.main.bundleIdentifier
}
#endif
