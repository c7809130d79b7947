#if canImport(UIKit)
import FutureImageTesting
import ImageIO
import Testing

@testable import FutureImage

/// Row 17: the memory that many decodes in one block of a queue take.
@Suite(.serialized, .tags(.threads), .timeLimit(.minutes(5))) struct MemoryTests {
  /// Returns the peak resident memory of the process in bytes. It never falls.
  private func peak() throws -> Int {
    var usage = rusage()
    // RUSAGE_SELF, which has another type where this file is only type-checked.
    let itself: Int32 = 0
    try #require(getrusage(itself, &usage) == 0)
    return Int(usage.ru_maxrss)
  }

  /// Decodes an image in one block of a queue with ImageIO itself, because the library's decoder has its own pools.
  private func decode(_ data: Data, times: Int, pools: Bool) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let options = [kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceShouldCacheImmediately: true] as CFDictionary
        for _ in 0..<times {
          let decode = {
            guard let source = CGImageSourceCreateWithData(data as CFData, nil) else { return }
            _ = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
            _ = CGImageSourceCreateThumbnailAtIndex(source, 0, options)
          }
          if pools { autoreleasepool(invoking: decode) } else { decode() }
        }
        continuation.resume()
      }
    }
  }

  @Test func `200 decodes with an autorelease pool each grow memory by at most eight images`() async throws {
    // A file whose pixels take more memory than the codec itself.
    let (width, height, count) = (1_600, 1_200, 200)
    let data = Pixels.jpeg(width)
    // Memory that the first decode leaves behind for all others counts for neither.
    await decode(data, times: 1, pools: true)
    // With pools first, because a peak never falls, so the memory without pools would hide it.
    let start = try peak()
    await decode(data, times: count, pools: true)
    let with = try peak()
    await decode(data, times: count, pools: false)
    let without = try peak()
    record(17, "growth of resident memory with pools, and beyond that without", "\(with - start), \(without - with) bytes")
    // A few of the images at a time. Without pools it would be all, if ImageIO leaves them to the block's pool, which the record shows.
    #expect(with - start <= 8 * width * height * 4)
  }

  /// An object that reports the end of its life.
  private final class Temporary: Sendable {
    let ended: @Sendable () -> Void
    init(ended: @escaping @Sendable () -> Void) { self.ended = ended }
    deinit { ended() }
  }

  @Test func `objects that a transform autoreleases are released when the transform ends`() async throws {
    let counts = Lock((made: 0, ended: 0, mostAlive: 0))
    let transform = FutureImage.Transform.custom("autoreleases") { buffer in
      counts.withLock { counts in
        counts.made += 1
        counts.mostAlive = max(counts.mostAlive, counts.made - counts.ended)
      }
      _ = Unmanaged.passRetained(Temporary { counts.withLock { $0.ended += 1 } }).autorelease()
      return buffer
    }
    // One decode and one block of a queue, with a transform for each frame.
    let frames = (0..<4).map { TestImage(width: 8, height: 8, noiseSeed: UInt64($0)) }
    let animation = TestImage.gif(frames: frames, frameDuration: .milliseconds(100))
    let loader = FutureImage.Loader(.held(by: HeldFetcher()))
    let image = try await FutureImage(.data(key: "animation") { animation }, cachePolicy: .modelOnly, transform: transform, loader: loader)
      .value
    #expect(image.images?.count == 4)
    #expect(counts.withLock { $0.made == 4 && $0.ended == 4 && $0.mostAlive == 1 })
  }
}
#endif
