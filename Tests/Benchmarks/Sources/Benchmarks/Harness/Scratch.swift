import Foundation

/// A folder that goes with the object.
///
/// Those of a benchmark's process are inside the runner's, and stay until that goes: ext4 does not use an inode again that was deleted within
/// the last five seconds, and the search for another one would take longer than the writing that the next process measures.
final class Scratch: Sendable {
  private static let variable = "FUTUREIMAGE_BENCHMARKS_SCRATCH"
  private static let outer = ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0, directoryHint: .isDirectory) }

  let url: URL

  init() throws {
    let parent = Self.outer ?? FileManager.default.temporaryDirectory
    url = parent.appending(path: "FutureImage-benchmarks-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The environment of a process whose folders are to be inside this one.
  var environment: [String: String] { [Self.variable: url.path] }

  func folder(_ name: String = UUID().uuidString) -> URL { url.appending(path: name, directoryHint: .isDirectory) }

  deinit {
    if Self.outer == nil { try? FileManager.default.removeItem(at: url) }
  }
}
