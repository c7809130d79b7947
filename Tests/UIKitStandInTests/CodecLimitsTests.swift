import CImageCodecs
import Foundation
import Testing
import UIKitStandIn

@Suite("CodecLimits", .timeLimit(.minutes(5)))
struct CodecLimitsTests {
  /// Returns the fixture with another size in its frame header. The size follows the marker, the length, and the precision.
  private func jpeg(_ name: String, width: Int, height: Int) throws -> Data {
    var data = try Fixture.data("jpeg/\(name).jpg")
    let marker = Data([0xFF, name.contains("progressive") ? 0xC2 : 0xC0])
    let frame = try #require(data.range(of: marker)).lowerBound + 5
    data.replaceSubrange(frame..<frame + 4, with: [height >> 8, height, width >> 8, width].map { UInt8(truncatingIfNeeded: $0) })
    return data
  }

  private func png(width: UInt32, height: UInt32) throws -> Data {
    var data = try Fixture.data("pngsuite/basn2c08.png")
    for (offset, value) in [(16, width), (20, height)] {
      data.replaceSubrange(offset..<offset + 4, with: withUnsafeBytes(of: value.bigEndian) { Array($0) })
    }
    // The checksum of the type and the data of the chunk (PNG, annex D).
    var sum: UInt32 = .max
    for byte in data[12..<29] {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }
    data.replaceSubrange(29..<33, with: withUnsafeBytes(of: (~sum).bigEndian) { Array($0) })
    return data
  }

  private func isTooLarge(_ data: Data, side: Int = 1, _ change: (inout CodecLimits) -> Void = { _ in }) -> Bool {
    var limits = CodecLimits()
    change(&limits)
    do throws(CodecError) {
      _ = try ImageCodecs.decode(data, size: PixelSize(width: side, height: side), limits: limits)
      return false
    } catch {
      if case .tooLarge = error { return true }
      return false
    }
  }

  @Test(arguments: ["baseline", "progressive"])
  func `a JPEG that declares 65,500 x 65,500 pixels is refused`(name: String) throws {
    let data = try jpeg(name, width: 65_500, height: 65_500)
    #expect(isTooLarge(data))
    let message = "65500 × 65500 pixels; raise DecodingLimits.maxPixels if each side has at most 65535"
    #expect(throws: CodecError.tooLarge(message)) { try ImageCodecs.info(of: data) }
    var limits = CodecLimits()
    limits.maxPixels = .max
    #expect(try ImageCodecs.info(of: data, limits: limits).size == PixelSize(width: 65_500, height: 65_500))
  }

  @Test func `the C decoder refuses an image beyond the limits`() throws {
    let data = try jpeg("baseline", width: 65_500, height: 65_500)
    var limits = cic_limits(
      pixels: 100_000_000, width: 65_535, height: 65_535, scans: 10, coefficient_bytes: 1_000_000, held_bytes: 0)
    var result = cic_result()
    var pixel: [UInt8] = [0, 0, 0, 0]
    var message = [CChar](repeating: 0, count: Int(CIC_MESSAGE_SIZE))
    let status = data.withUnsafeBytes {
      let input = cic_input(bytes: $0.bindMemory(to: UInt8.self).baseAddress, count: $0.count, is_beginning: false)
      return pixel.withUnsafeMutableBufferPointer {
        var target = cic_target(rgba: $0.baseAddress, width: 1, height: 1, orientation: 1)
        return cic_jpeg_decode(input, &limits, &target, &result, &message)
      }
    }
    #expect(status == .CIC_TOO_LARGE && pixel == [0, 0, 0, 0])
  }

  @Test func `a PNG that declares a size beyond the limits is refused`() throws {
    #expect(try isTooLarge(png(width: 2_000_000_000, height: 2_000_000_000)))
    #expect(try isTooLarge(png(width: 20_000, height: 20_000)))
    #expect(try isTooLarge(png(width: 65_536, height: 1)))
    #expect(try !isTooLarge(png(width: 32, height: 32)))
  }

  @Test func `an image at the limit of pixels, width, or height decodes, and a larger image is refused`() throws {
    let data = try Fixture.data("jpeg/baseline.jpg")
    #expect(!isTooLarge(data) { $0.maxPixels = 97 * 65 })
    #expect(isTooLarge(data) { $0.maxPixels = 97 * 65 - 1 })
    #expect(!isTooLarge(data) { $0.maxWidth = 97 })
    #expect(isTooLarge(data) { $0.maxWidth = 96 })
    #expect(!isTooLarge(data) { $0.maxHeight = 65 })
    #expect(isTooLarge(data) { $0.maxHeight = 64 })
  }

  @Test func `the limit of coefficient bytes applies only to progressive JPEGs`() throws {
    let progressive = try Fixture.data("jpeg/progressive.jpg")
    // At 97 x 65 pixels in 4:2:0, luma has 14 x 10 blocks, and each of the two chroma components has 7 x 5. A block has 128 bytes.
    let bytes = (14 * 10 + 2 * 7 * 5) * 128
    #expect(!isTooLarge(progressive, side: 97) { $0.maxCoefficientBytes = bytes })
    #expect(isTooLarge(progressive, side: 97) { $0.maxCoefficientBytes = bytes - 1 })
    // At an eighth of the size, the decoder stores only the first coefficient of each luma block, which has two bytes.
    let fewer = 14 * 10 * 2 + 2 * 7 * 5 * 128
    #expect(!isTooLarge(progressive) { $0.maxCoefficientBytes = fewer })
    #expect(isTooLarge(progressive) { $0.maxCoefficientBytes = fewer - 1 })
    #expect(try !isTooLarge(Fixture.data("jpeg/baseline.jpg")) { $0.maxCoefficientBytes = 0 })
  }

  @Test func `a progressive JPEG with more scans than the limit is refused`() throws {
    let progressive = try Fixture.data("jpeg/progressive.jpg")
    #expect(!isTooLarge(progressive) { $0.maxScans = 10 })
    #expect(isTooLarge(progressive) { $0.maxScans = 9 })
    #expect(try !isTooLarge(Fixture.data("jpeg/baseline.jpg")) { $0.maxScans = 0 })
  }

  @Test func `the limit of pixels counts a block once for each ordinary scan, and three times for each refining scan`() throws {
    let progressive = try Fixture.data("jpeg/progressive.jpg")
    let last = try #require(progressive.indices.dropLast().last { progressive[$0] == 0xFF && progressive[$0 + 1] == 0xDA })
    // Luma has 13 x 9 blocks, and each of the two chroma components has 7 x 5. Two scans cover all blocks. Luma also has two scans of
    // higher coefficients and two refinements, and chroma has one scan and one refinement. The files here have the last scan, a refinement
    // of luma, twice and three times, so that they need more blocks than the limit for the image's own pixels permits.
    let (luma, chroma) = (13 * 9, 2 * 7 * 5)
    let written = 2 * (luma + chroma) + 2 * luma + 2 * 3 * luma + chroma + 3 * chroma
    let twice = progressive.dropLast(2) + progressive[last...]
    for (data, blocks) in [(twice, written + 3 * luma), (twice.dropLast(2) + progressive[last...], written + 6 * luma)] {
      // A limit of ten pixels permits three blocks.
      let pixels = blocks * 10 / 3 + 1
      #expect(pixels - 2 > 97 * 65)
      #expect(!isTooLarge(data) { $0.maxPixels = pixels })
      #expect(isTooLarge(data) { $0.maxPixels = pixels - 2 })
    }
  }
}
