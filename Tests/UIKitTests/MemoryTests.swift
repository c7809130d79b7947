#if canImport(UIKit)
import FutureImage
import ImageIO
import Testing
import os

/// Row 17: the memory that many decodes in one block of a queue take.
@Suite(.serialized, .tags(.threads), .timeLimit(.minutes(5))) struct MemoryTests {
  /// The least memory that is left to the process while 200 images are decoded in one block; 0 where the system does not say.
  private func leastAvailable(_ data: Data, pools: Bool) async -> Int {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        // By ImageIO itself: the library's decoder has pools of its own.
        let options = [kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceShouldCacheImmediately: true] as CFDictionary
        var least = os_proc_available_memory()
        for _ in 0..<200 {
          let decode = {
            guard let source = CGImageSourceCreateWithData(data as CFData, nil) else { return }
            _ = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
            _ = CGImageSourceCreateThumbnailAtIndex(source, 0, options)
          }
          if pools { autoreleasepool(invoking: decode) } else { decode() }
          least = min(least, os_proc_available_memory())
        }
        continuation.resume(returning: least)
      }
    }
  }

  @Test func `decodes in autorelease pools of their own leave more memory`() async throws {
    let data = try Fixture.data("beginnings/sequential.jpg")
    let with = await leastAvailable(data, pools: true)
    let without = await leastAvailable(data, pools: false)
    record(17, "least available memory with pools, without", "\(with), \(without) bytes")
    // A simulator may not say.
    guard with > 0, without > 0 else { return }
    // One decoded image may be there in either.
    #expect(with + 16 << 20 >= without)
  }
}
#endif
