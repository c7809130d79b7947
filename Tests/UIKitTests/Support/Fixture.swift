#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation

/// The files in `Tests/Fixtures`. A process in a simulator can read the files of the Mac.
enum Fixture {
  static func data(_ path: String) throws -> Data {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return try Data(contentsOf: tests.appending(path: "Fixtures/\(path)"))
  }
}
#endif
