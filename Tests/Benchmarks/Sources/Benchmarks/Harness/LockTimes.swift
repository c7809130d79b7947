import Foundation

/// The times for which threads hold the library's locks, measured by `LockTimes/lock_times.c`. For each run, that file is compiled to a
/// shared object, which is preloaded into a separate process, so that the release build is measured unchanged.
enum LockTimes {
  private static let source = URL(filePath: #filePath).appending(path: "../../../../LockTimes/lock_times.c").standardizedFileURL

  /// Runs the part in a child process whose locks are measured.
  /// - Returns: the output of the part.
  static func run(_ part: Part) throws -> String {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(at: scratch.url, withIntermediateDirectories: true)
    let library = scratch.url.appending(path: "lock_times.so")
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = ["clang", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library.path, source.path]
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else { throw Child.Failed(description: "clang could not compile \(source.path)") }
    return try Child.run(["--part", part.rawValue], environment: ["LD_PRELOAD": library.path])
  }

  /// Returns the longest hold of any lock since the last call, in seconds of processor time, and the number of holds.
  static func take() throws -> (longest: Double, count: Int) {
    (Double(try call("lock_times_longest")) / 1e9, Int(try call("lock_times_count")))
  }

  private static func call(_ name: String) throws -> UInt64 {
    guard let symbol = dlsym(nil, name) else { throw Child.Failed(description: "the locks are not measured: \(name) is not preloaded") }
    // In lock_times.c, the function has no arguments, and returns a number of 64 bits.
    return unsafeBitCast(symbol, to: (@convention(c) () -> UInt64).self)()
  }
}
