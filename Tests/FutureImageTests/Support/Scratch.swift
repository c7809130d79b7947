import Foundation

/// Folders for what tests leave on disk, gone with the test run.
enum Scratch {
  private static let root: URL = {
    atexit { try? FileManager.default.removeItem(at: Scratch.root) }
    return FileManager.default.temporaryDirectory.appendingPathComponent("FutureImageTests-\(UUID().uuidString)")
  }()

  /// A new one, not yet made.
  static func folder() -> URL { root.appendingPathComponent(UUID().uuidString) }
}
