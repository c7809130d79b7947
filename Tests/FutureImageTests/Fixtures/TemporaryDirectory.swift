import Foundation

/// A directory for one test, deleted with the object.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("future-image-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func file(_ path: String) -> URL { url.appendingPathComponent(path, isDirectory: false) }

  /// The paths of all files in the directory, relative to it and sorted.
  func files() -> [String] {
    let all = FileManager.default.subpaths(atPath: url.path) ?? []
    return all.filter { (try? FileManager.default.contentsOfDirectory(atPath: file($0).path)) == nil }.sorted()
  }
}
