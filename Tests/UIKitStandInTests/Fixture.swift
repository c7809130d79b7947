import Foundation

/// Files under `Tests/Fixtures`, found from where this source file stands.
enum Fixture {
  static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: directory.appendingPathComponent(path))
  }

  /// Names in a folder, sorted.
  static func names(in folder: String, extension ending: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.appendingPathComponent(folder).path)) ?? []
    return names.filter { $0.hasSuffix("." + ending) }.sorted()
  }
}
