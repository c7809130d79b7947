import Foundation

/// A folder that is removed when the object is deallocated.
///
/// The folders of a benchmark's process are inside the folder of its parent process, and are removed only with that folder. If they were
/// removed earlier, the figures of the next process would be too high, because for minutes, ext4 does not reuse the inode of a deleted
/// file. The search for another inode takes longer than the writes that the process measures.
final class Scratch: Sendable {
  private static let variable = "FUTUREIMAGE_BENCHMARKS_SCRATCH"
  private static let outer = ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0, directoryHint: .isDirectory) }

  let url: URL

  init() throws {
    let parent = Self.outer ?? FileManager.default.temporaryDirectory
    url = parent.appending(path: "FutureImage-benchmarks-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Environment variables for a child process, whose folders are then inside this folder.
  var environment: [String: String] { [Self.variable: url.path] }

  func folder(_ name: String = UUID().uuidString) -> URL { url.appending(path: name, directoryHint: .isDirectory) }

  deinit {
    if Self.outer == nil { try? FileManager.default.removeItem(at: url) }
  }
}
