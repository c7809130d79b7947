import Foundation

/// A folder for one run, at a path that is derived from its seed, because paths are keys of the library's tables.
enum Folder {
  static func with<Result>(seed: UInt64, _ body: (URL) -> Result) -> Result {
    let folder = URL(fileURLWithPath: "/tmp/futureimage-simulation-\(seed)", isDirectory: true)
    try? FileManager.default.removeItem(at: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    return body(folder)
  }
}
