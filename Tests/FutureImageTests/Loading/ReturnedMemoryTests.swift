#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The memory of a process that has released its large images.
@Suite(.tags(.threads), .timeLimit(.minutes(5)), .disabled(if: isSanitized, "sanitizers retain freed memory")) struct ReturnedMemoryTests {
  /// The number of bytes by which the process may have grown.
  static let maxGrowth = 16 << 20
  static let side = 4_096

  /// Loads the given number of images at once, and releases them.
  static func load(_ file: URL, times: Int = 1, _ loader: FutureImage.Loader) async throws {
    try await withThrowingTaskGroup(of: CGFloat.self) { group in
      for number in 0..<times {
        group.addTask { try await FutureImage(.file(file, key: "\(number)"), cachePolicy: .modelOnly, loader: loader).value.size.width }
      }
      for try await _ in group {}
    }
    await loader.waitForIdle()
    loader.removeCachedPixels()
  }

  /// Returns whether the process has grown by at most `maxGrowth`. Waits for the threads, because they may release their memory later.
  static func hasReturned(to before: Int) async throws -> Bool {
    for _ in 0..<100_000 {
      if try residentBytes() - before <= maxGrowth { return true }
      await Task.yield()
    }
    return false
  }

  /// The resident memory in bytes.
  static func residentBytes() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(Int(pages[1])) * Int(getpagesize())
  }

  static func makeLoader() -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration()
    configuration.decoder = FutureImage.StandardDecoder(limits: FutureImage.DecodingLimits())
    configuration.diskCache = nil
    configuration.maxDecodes = 3
    configuration.maxPixelBytes = 512 << 20
    return FutureImage.Loader(configuration)
  }

  /// The arguments are the sides of images whose pixels take about 15 MB and 32 MB. The latter is just below the size from which a heap
  /// always returns a freed block to the system at once.
  @Test(arguments: [2_000, 2_880]) func `threads that decoded large images return their memory`(side: Int) async throws {
    let folder = try TemporaryDirectory()
    try SampleImage.jpeg(side, side).write(to: folder.file("large.jpg"))
    try SampleImage.jpeg().write(to: folder.file("small.jpg"))
    let path = folder.url.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let folder = URL(fileURLWithPath: path)
      let loader = ReturnedMemoryTests.makeLoader()
      // This load creates the objects that exist only once, so that their memory is not measured.
      try await ReturnedMemoryTests.load(folder.appending(path: "small.jpg"), times: 3, loader)
      let before = try ReturnedMemoryTests.residentBytes()
      for _ in 0..<2 { try await ReturnedMemoryTests.load(folder.appending(path: "large.jpg"), times: 12, loader) }
      guard try await ReturnedMemoryTests.hasReturned(to: before) else { _exit(4) }
    }
  }

  @Test func `threads that decoded the beginnings of large progressive images return their memory`() async throws {
    // The test changes the size in the header to 4096 × 4096 pixels, so the data end early. The coefficients of such an image take 48 MB.
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    var jpeg = try Data(contentsOf: tests.appending(path: "Fixtures/jpeg/progressive.jpg"))
    let frame = try #require(jpeg.firstRange(of: [0xFF, 0xC2]))
    let side = [UInt8(Self.side >> 8), UInt8(Self.side & 0xFF)]
    jpeg.replaceSubrange(frame.upperBound + 3..<frame.upperBound + 7, with: side + side)
    await #expect(processExitsWith: .success) { [jpeg = jpeg as Data] in
      let decoder = FutureImage.StandardDecoder(limits: FutureImage.DecodingLimits())
      let size = FutureImage.PixelSize(width: 512, height: 512)
      let decode = { @Sendable in
        DispatchQueue.concurrentPerform(iterations: 3) { _ in _ = try? decoder.preview(of: jpeg, size: size) }
      }
      guard try decoder.preview(of: jpeg, size: size) != nil else { _exit(3) }
      let before = try ReturnedMemoryTests.residentBytes()
      for _ in 0..<2 { decode() }
      guard try await ReturnedMemoryTests.hasReturned(to: before) else { _exit(4) }
    }
  }
}
#endif
