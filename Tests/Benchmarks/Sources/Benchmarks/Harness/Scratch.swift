import Foundation

/// A folder of this process's own, which goes with the object.
final class Scratch: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "FutureImage-benchmarks-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func folder(_ name: String = UUID().uuidString) -> URL { url.appending(path: name, directoryHint: .isDirectory) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
