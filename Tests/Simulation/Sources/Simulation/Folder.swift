import Foundation

/// A folder for one run. Its path is derived from the seed of the run, because the library's tables have paths as keys, and a run must be
/// repeatable.
enum Folder {
  static func with<Result>(seed: UInt64, _ body: (URL) -> Result) -> Result {
    let folder = URL(fileURLWithPath: "/tmp/futureimage-simulation-\(seed)", isDirectory: true)
    try? FileManager.default.removeItem(at: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    return body(folder)
  }
}
