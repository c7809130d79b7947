import Foundation

/// Folders for the files of tests, deleted at the end of the test run.
enum Scratch {
  private static let root: URL = {
    atexit { try? FileManager.default.removeItem(at: Scratch.root) }
    return FileManager.default.temporaryDirectory.appendingPathComponent("FutureImageTests-\(UUID().uuidString)")
  }()

  /// Returns the URL of a folder that does not exist yet.
  static func folder() -> URL { root.appendingPathComponent(UUID().uuidString) }
}
