#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5)), .disabled(if: isSanitized, "sanitizers retain freed memory"))
struct ContentMemoryTests {
  @Test func `decoders release all of their memory`() async {
    await #expect(processExitsWith: .success) { try ContentMemoryTests.decodeManyTimes() }
  }

  fileprivate static func decodeManyTimes() throws {
    // The first decodes allocate everything that is created only once.
    try decode(100)
    let before = try memory()
    try decode(5_000)
    // The part of zlib's state that the decoder itself owns is small, so only many decoders show a leak.
    for _ in 0..<100_000 { _ = try InflateDecoder() }
    let growth = try memory() - before
    guard growth <= 6 << 20 else { exit(1) }
  }

  private static func decode(_ count: Int) throws {
    for _ in 0..<count {
      for (coding, data) in [("gzip", Samples.gzip), ("br", Samples.brotli)] {
        let decoding = try #require(try ContentDecoding(coding))
        data.withUnsafeBytes { decoding.add($0) }
        while !decoding.isIdle { try decoding.step { _ in } }
        guard decoding.isComplete else { exit(2) }
      }
    }
  }

  /// The resident memory of the process, in bytes.
  private static func memory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
  }
}
#endif
