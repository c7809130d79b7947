import Foundation

/// Files of `Tests/Fixtures`. A simulator's process reads the files of its Mac.
enum Fixture {
  static func data(_ path: String) throws -> Data {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return try Data(contentsOf: tests.appending(path: "Fixtures/\(path)"))
  }
}
