import Foundation

/// Another process of this program.
enum Child {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs this program in a child process, and waits until the child ends.
  /// - Parameter environment: variables that the child has in addition to the environment of this process.
  /// - Returns: the output of the child.
  static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = Bundle.main.executableURL
    process.arguments = arguments + (Effort.isQuick ? ["--quick"] : [])
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(description: "\(arguments.joined(separator: " ")) ended with status \(process.terminationStatus)")
    }
    return String(decoding: data, as: UTF8.self)
  }
}

/// The memory of this process in bytes, as `/proc/self/status` reports it.
enum ProcessMemory {
  static var resident: Double { field("VmRSS:") }
  /// The highest resident memory since the start of the process, or since the last call of ``forgetPeak()``.
  static var peak: Double { field("VmHWM:") }

  /// Resets ``peak`` to the memory that is resident now. `proc(5)` describes the file `clear_refs`.
  static func forgetPeak() {
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
  }

  private static func field(_ name: String) -> Double {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Double($0) })
    else { return .nan }
    return kilobytes * 1024
  }
}
