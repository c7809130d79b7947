import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ProcessMemoryTests {
  private static let MB = 1 << 20

  @Test(
    arguments: [
      (4, 4096, 4, 8, 1, 16, 8), (25, 4096, 6.25, 8, 1, 16, 8), (100, 4096, 25, 25, 1, 32, 16), (256, 16384, 64, 64, 2, 81.92, 40.96),
      (1228.8, 3072, 307.2, 64, 6, 256, 128), (2048, 4096, 512, 64, 6, 256, 128), (nil, 2048, 256, 64, 6, 256, 128),
      // A limit beyond the machine's memory counts as no limit, as nil does.
      (8192, 2048, 256, 64, 6, 256, 128), (nil, 65536, 512, 64, 6, 256, 128)
    ] as [(Double?, Int, Double, Double, Int, Double, Double)])
  // The first seven rows are those of the table in the documentation of `ProcessMemory`. All arguments are in megabytes, except the number
  // of decodes.
  func `the limits are the expected fractions of the memory that the process may use`(
    available: Double?, physical: Int, pixels: Double, body: Double, decodes: Int, pixelsOfOneImage: Double, heldBytes: Double
  ) {
    func isNear(_ bytes: Int, _ megabytes: Double) -> Bool { abs(Double(bytes) - megabytes * Double(Self.MB)) <= 1 }
    let memory = ProcessMemory(physical: physical * Self.MB, available: available.map { Int($0 * Double(Self.MB)) })
    #expect(isNear(memory.maxPixelBytes, pixels))
    #expect(isNear(memory.maxBytes, body))
    #expect(memory.maxDecodes(cores: 6) == decodes)
    #expect(isNear(memory.decodingLimits.maxBytes, pixelsOfOneImage))
    #expect(isNear(memory.decodingLimits.maxAnimationBytes, pixelsOfOneImage / 4))
    #expect(isNear(memory.decodingLimits.maxHeldBytes, heldBytes))
    #expect(isNear(memory.decodingLimits.maxCoefficientBytes, heldBytes * 5 / 4))
    #expect(memory.decodingLimits.maxPixels == FutureImage.DecodingLimits().maxPixels)
  }

  @Test func `a machine with one core decodes two images at a time`() {
    #expect(ProcessMemory(physical: 4 << 30, available: nil).maxDecodes(cores: 1) == 2)
  }

  @Test func `by default, a loader's pixels take at most an eighth of the physical memory, and a body takes at most 64 MB`() {
    let (memory, configuration) = (ProcessMemory.current, FutureImage.Loader.Configuration())
    #expect(memory.physical > 0)
    #expect(configuration.maxPixelBytes <= memory.physical / 8)
    #expect(configuration.maxBytes <= 64 << 20)
    #expect((configuration.decoder as? FutureImage.StandardDecoder)?.limits.maxBytes ?? 0 > 0)
  }
}
