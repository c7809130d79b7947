#if canImport(UIKitStandIn) && !canImport(UIKit)
/// The bytes that the process may use before the system ends it; nil if only the machine limits it.
func availableMemory() -> Int? { ControlGroups().memoryLimit }

/// The limits of the process's control groups, which are those of a container or of a service.
///
/// The formats are those of the kernel's documents `cgroup-v2` (`memory.max`) and `cgroup-v1/memory` (`memory.limit_in_bytes`), and of
/// `cgroups(7)`. A group is within the limits of all groups above it.
struct ControlGroups {
  /// The root of the file system; another one for tests.
  var root = ""

  var memoryLimit: Int? {
    guard let groups = text("/proc/self/cgroup") else { return nil }
    var files: [String] = []
    // "hierarchy:controllers:path", where version 2 has the hierarchy 0 and names no controllers.
    for line in groups.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      if parts[0] == "0", parts[1].isEmpty {
        files += Self.withAncestors(parts[2]).map { "/sys/fs/cgroup\($0)/memory.max" }
      } else if parts[1].split(separator: ",").contains("memory") {
        files += Self.withAncestors(parts[2]).map { "/sys/fs/cgroup/memory\($0)/memory.limit_in_bytes" }
      }
    }
    // "max" is not a number, and version 1 writes a number that is larger than any machine's memory.
    return files.compactMap { text($0).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } }.min()
  }

  /// Returns "/a/b", "/a", and "". In a container, the path may be that of the machine, of which only the last one exists.
  private static func withAncestors(_ path: Substring) -> [String] {
    var paths = [""]
    for name in path.split(separator: "/") { paths.append("\(paths[paths.count - 1])/\(name)") }
    return paths
  }

  private func text(_ path: String) -> String? {
    (try? Data(contentsOf: URL(filePath: root + path))).map { String(decoding: $0, as: UTF8.self) }
  }
}
#endif
