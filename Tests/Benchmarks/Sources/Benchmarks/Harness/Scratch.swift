import Foundation

/// A folder that is removed with the object.
///
/// The folders of a benchmark's process are inside the folder of the process that started it, and are removed only with that folder. The
/// reason is that ext4 does not reuse an inode within five seconds after its deletion. The search for another inode would take longer than
/// the writing that the next process measures.
final class Scratch: Sendable {
  private static let variable = "FUTUREIMAGE_BENCHMARKS_SCRATCH"
  private static let outer = ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0, directoryHint: .isDirectory) }

  let url: URL

  init() throws {
    let parent = Self.outer ?? FileManager.default.temporaryDirectory
    url = parent.appending(path: "FutureImage-benchmarks-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The environment of a process whose folders are inside this one.
  var environment: [String: String] { [Self.variable: url.path] }

  func folder(_ name: String = UUID().uuidString) -> URL { url.appending(path: name, directoryHint: .isDirectory) }

  deinit {
    if Self.outer == nil { try? FileManager.default.removeItem(at: url) }
  }
}
