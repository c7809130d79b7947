#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Measures the memory of a separate process that receives a decompression bomb.
enum FaultMemory {
  /// The limit of the memory's growth: the bytes that are allowed for a body, and 16 MB more.
  static let limit = 4 << 20 + 16 << 20

  static func expectSmall() async {
    await #expect(processExitsWith: .success) { try await FaultMemory.receiveBomb() }
  }

  fileprivate static func receiveBomb() async throws {
    let server = try LoopbackServer()
    server.answer("/bomb", .ok(GzipBomb.data(byteCount: 512 << 20), headers: ["Content-Encoding": "gzip"]))
    server.answer("/small", .ok(Samples.picture))
    var configuration = FutureImage.Loader.Configuration()
    configuration.fetcher = HTTPBackend.curl.makeFetcher()
    configuration.diskCache = nil
    configuration.maxBytes = 4 << 20
    let loader = FutureImage.Loader(configuration)
    // The small image makes the process allocate everything that is created only once.
    _ = try await FutureImage(at: server.url("/small"), loader: loader).value
    let before = try peak()
    let failure = await #expect(throws: FutureImage.Failure.self) {
      _ = try await FutureImage(at: server.url("/bomb"), loader: loader).value
    }
    #expect(failure?.reason == .tooLarge(limit: 4 << 20))
    let growth = try peak() - before
    guard growth <= limit else { exit(1) }
    guard failure?.reason == .tooLarge(limit: 4 << 20) else { exit(2) }
  }

  /// The peak of the process's resident memory, in bytes.
  private static func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
  }
}
#else
/// Measures nothing, because an app cannot start another process.
enum FaultMemory {
  static func expectSmall() async {}
}
#endif
