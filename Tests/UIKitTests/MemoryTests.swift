#if canImport(UIKit)
import FutureImageTesting
import ImageIO
import Testing

@testable import FutureImage

/// Row 17 of the report that `Tests/first-run` writes: the memory that many decodes in one block of a queue use.
@Suite(.serialized, .tags(.threads), .timeLimit(.minutes(5))) struct MemoryTests {
  /// Returns the peak resident memory of the process in bytes. The peak never falls.
  private func peak() throws -> Int {
    var usage = rusage()
    // This is RUSAGE_SELF. On Linux, where this file is only type-checked, that constant has another type.
    let itself: Int32 = 0
    try #require(getrusage(itself, &usage) == 0)
    return Int(usage.ru_maxrss)
  }

  /// Decodes an image several times in one block of a queue. Calls ImageIO directly, because the library's decoder has its own pools.
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

  @Test func `200 decodes, each in its own autorelease pool, add at most the memory of eight images`() async throws {
    // The pixels of this file need more memory than the codec.
    let (width, height, count) = (1_600, 1_200, 200)
    let data = Pixels.jpeg(width)
    // The first decode allocates memory that all later decodes reuse, so it precedes the measurements.
    await decode(data, times: 1, pools: true)
    // The decodes with pools are measured first. The peak of the decodes without pools is higher, and a peak never falls, so it would hide
    // the lower peak.
    let start = try peak()
    await decode(data, times: count, pools: true)
    let peakWithPools = try peak()
    await decode(data, times: count, pools: false)
    let peakWithoutPools = try peak()
    record(
      17, "growth of resident memory with pools, and further growth without pools",
      "\(peakWithPools - start), \(peakWithoutPools - peakWithPools) bytes")
    // With pools, only a few images are in memory at a time. Without pools, all images are in memory if ImageIO autoreleases them. The
    // record shows whether ImageIO does so.
    #expect(peakWithPools - start <= 8 * width * height * 4)
  }

  /// An object that reports its deallocation.
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
    // The loader decodes this file in one block of a queue, and calls the transform once for each frame.
    let frames = (0..<4).map { TestImage(width: 8, height: 8, noiseSeed: UInt64($0)) }
    let animation = TestImage.gif(frames: frames, frameDuration: .milliseconds(100))
    let loader = FutureImage.Loader(.held(by: HeldFetcher()))
    let image = try await FutureImage(.data(key: "animation") { animation }, cachePolicy: .modelOnly, transform: transform, loader: loader)
      .animatedImage()
    #expect(image.images?.count == 4)
    // The first frame is decoded twice: once for the image alone, and once for the animation.
    #expect(counts.withLock { $0.made == 5 && $0.ended == 5 && $0.mostAlive == 1 })
  }
}
#endif
