#if canImport(UIKitStandIn) && !canImport(UIKit)
/// What the process may use before the system ends it, in bytes; nil where nothing but the machine limits it.
func availableMemory() -> Int? { ControlGroups().memoryLimit }

/// The limits of the process's control groups: a container's, or a service's.
///
/// The formats are those of the kernel's `cgroup-v2` (`memory.max`) and `cgroup-v1/memory` (`memory.limit_in_bytes`) documents, and of
/// `cgroups(7)`. A group is within the limits of all groups above it.
struct ControlGroups {
  /// The file system's; another one for tests.
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
    // "max" is no number, and version 1 writes a number that is larger than any machine's memory.
    return files.compactMap { text($0).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } }.min()
  }

  /// "/a/b", "/a", "". In a container the path may be that of the machine, where only the last of them is there.
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
