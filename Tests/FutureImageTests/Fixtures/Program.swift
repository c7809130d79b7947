#if !canImport(CoreGraphics)
import Foundation

/// Runs another program to its end.
enum Program {
  struct Failure: Error {
    let program: String
    let status: Int32
  }

  static func run(_ path: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(program: path, status: process.terminationStatus) }
  }
}
#endif
