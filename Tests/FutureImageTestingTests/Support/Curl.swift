#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation

/// The curl program: a client that is not part of this project.
struct Curl {
  let exitCode: Int32
  let output: Data

  var text: String { String(decoding: output, as: UTF8.self) }

  static func run(_ arguments: String...) async throws -> Curl {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["curl", "--silent", "--max-time", "20"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    // Read on a Dispatch thread, because reading blocks the thread until the program ends.
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        continuation.resume(returning: Curl(exitCode: process.terminationStatus, output: output))
      }
    }
  }
}
#endif
