import Foundation

/// The files in `Tests/Fixtures`, found relative to this source file.
enum Fixture {
  static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: directory.appendingPathComponent(path))
  }

  /// Returns the sorted names of the files in a folder that have the given extension.
  static func names(in folder: String, extension ending: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.appendingPathComponent(folder).path)) ?? []
    return names.filter { $0.hasSuffix("." + ending) }.sorted()
  }
}
