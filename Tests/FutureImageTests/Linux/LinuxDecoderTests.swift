#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

/// The treatment of damaged files and the limits that only this platform's decoder has.
@Suite(.timeLimit(.minutes(5))) struct LinuxDecoderTests {
  /// Returns whether the limits make the decoder refuse the size, or decode the image at a smaller size.
  private func isLimited(_ path: String, _ width: Int, _ height: Int, _ change: (inout FutureImage.DecodingLimits) -> Void) throws -> Bool {
    var limits = FutureImage.DecodingLimits()
    change(&limits)
    let data = try EndOfDataTests.fixture(path)
    do {
      let image = try LinuxDecoder(limits: limits).decode(data, size: FutureImage.PixelSize(width: width, height: height))
      return image.width != width
    } catch let failure as FutureImage.Failure {
      return failure.reason.isTooManyPixels
    }
  }

  @Test func `a PNG without its end is decoded if it has all its pixels`() throws {
    let data = try EndOfDataTests.fixture("png/whole.png")
    let decoder = LinuxDecoder()
    let size = try decoder.size(of: data)
    let whole = try decoder.decode(data, size: size)
    #expect(try decoder.decode(data.dropLast(12), size: size).hasSamePixels(as: whole))
    #expect(throws: FutureImage.Failure.self) { try decoder.decode(data.dropLast(24), size: size) }
  }

  @Test func `a GIF, AVIF, or HEIC with all its rows is decoded, even if its end is missing or not valid`() throws {
    let decoder = LinuxDecoder()
    let gif = try EndOfDataTests.fixture("gif/still.gif")
    var pairs = [(gif, gif.dropLast()), (gif, gif.dropLast(2))]
    for format in [ImageFormat.avif, .heic] where ImageCodecs.formats.contains(format) {
      let data = try EndOfDataTests.fixture("\(format)/color.\(format)")
      // The trailers look like a box that is longer than the file, and like a box with an impossible length.
      pairs += [(data, data + [0, 0, 1, 10] + Data("SEFH".utf8)), (data, data + [0, 0, 0, 3] + Data("mdat".utf8))]
    }
    for (valid, data) in pairs {
      let size = try decoder.size(of: valid)
      #expect(try decoder.decode(data, size: size).hasSamePixels(as: decoder.decode(valid, size: size)))
    }
    #expect(throws: FutureImage.Failure.self) { try decoder.decode(gif.dropLast(4), size: decoder.size(of: gif)) }
  }

  /// Returns the share of the image that the decoder reports as missing; nil if the decoder refuses the data.
  private func damage(_ data: Data, _ size: FutureImage.PixelSize) -> Double? {
    var missing = 0.0
    let image = try? LinuxDecoder().decode(data, size: size) { if case .missingPixels(let share) = $0 { missing = share } }
    return image == nil ? nil : missing
  }

  @Test func `a JPEG that ends early is decoded only if it has an end marker and more than half of its rows`() throws {
    let data = try EndOfDataTests.fixture("exif/Landscape_1.jpg")
    let size = try LinuxDecoder().size(of: data)
    #expect(damage(data, size) == 0)
    let scanStart = try #require(data.range(of: Data([0xFF, 0xDA]), options: .backwards)).lowerBound
    for count in stride(from: scanStart + 40, to: data.count - 12, by: 97) {
      #expect(damage(data.prefix(count), size) == nil)
      // These bytes are the beginning of another JPEG, without an end marker.
      #expect(damage(data.prefix(count) + [0xFF, 0xD8, 0xFF, 0xDB, 0], size) == nil)
      let ended = damage(data.prefix(count) + [0xFF, 0xD9], size)
      #expect(ended.map { $0 > 0 && $0 < 0.5 } ?? true)
      #expect(count < data.count - 100 || ended != nil)
    }
    #expect(damage(data.prefix(scanStart + 40) + [0xFF, 0xD9], size) == nil)
  }

  @Test func `a JPEG whose end marker is replaced by a trailer is decoded completely`() throws {
    for name in ["baseline", "restarts", "progressive", "separate-scans"] {
      let data = try EndOfDataTests.fixture("jpeg/\(name).jpg")
      let decoder = LinuxDecoder()
      let size = try decoder.size(of: data)
      let whole = try decoder.decode(data, size: size)
      let video = Data([0, 0, 0, 24]) + Data("ftypmp42".utf8)
      for trailer in [video, video + Data(repeating: 7, count: 99) + [0xFF, 0x6E, 1, 0xFF, 0xD9, 2, 3], data] {
        #expect(try decoder.decode(data.dropLast(2) + trailer, size: size).hasSamePixels(as: whole), "\(name)")
        #expect(damage(data.dropLast(2) + trailer, size) == 0, "\(name)")
      }
    }
  }

  @Test func `an invalid Huffman code in a JPEG is reported as damage`() throws {
    var data = try EndOfDataTests.fixture("exif/Landscape_1.jpg")
    let size = try LinuxDecoder().size(of: data)
    let scanStart = try #require(data.range(of: Data([0xFF, 0xDA]), options: .backwards)).lowerBound
    // A sequence of sixteen bits that are all 1 is not a Huffman code.
    data.replaceSubrange(data.count - 400..<data.count - 392, with: [0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0])
    #expect(data.count - 400 > scanStart)
    #expect(try #require(damage(data, size)) > 0)
  }

  @Test(arguments: ["jpeg/baseline.jpg", "jpeg/restarts.jpg", "jpeg/progressive.jpg", "jpeg/separate-scans.jpg", "exif/Landscape_1.jpg"])
  func `coded bytes that remain after the last block of a JPEG are reported as damage`(path: String) throws {
    let data = try EndOfDataTests.fixture(path)
    let size = try LinuxDecoder().size(of: data)
    #expect(damage(data, size) == 0)
    #expect(damage(data + [1, 2, 3], size) == 0)
    let missing = try #require(damage(data.dropLast(2) + Data(repeating: 7, count: 20) + [0xFF, 0xD9], size))
    #expect(missing > 0 && missing < 0.3)
    // Cameras write a few bytes of padding. libjpeg has already read them, so they do not count as bytes that remain.
    #expect(damage(data.dropLast(2) + [0, 0, 0xFF, 0xD9], size) == 0)
    // Nothing after the last block can make a whole image fail.
    #expect(damage(data.dropLast(2) + [0xFF, 0xDA, 0, 2, 1, 0xFF, 0xD9], size) != nil)
  }

  @Test func `a JPEG is refused if it has more scans than the limit allows`() throws {
    #expect(try !isLimited("jpeg/progressive.jpg", 1, 1) { $0.maxScans = 10 })
    #expect(try isLimited("jpeg/progressive.jpg", 1, 1) { $0.maxScans = 9 })
  }

  @Test func `the memory for a progressive JPEG's coefficients is limited`() throws {
    // 97 × 65 pixels with 4:2:0 have 14 × 10 luma blocks and twice 7 × 5 chroma blocks, with 128 bytes each.
    let bytes = (14 * 10 + 2 * 7 * 5) * 128
    #expect(try !isLimited("jpeg/progressive.jpg", 97, 65) { $0.maxCoefficientBytes = bytes })
    #expect(try isLimited("jpeg/progressive.jpg", 97, 65) { $0.maxCoefficientBytes = bytes - 1 })
  }

  @Test func `if every second, fourth, or eighth pixel suffices for a reduced interlaced PNG, only these pixels need memory`() throws {
    // The PNG has 32 × 32 pixels. `least` is the smallest of the sides 4, 8, 16, and 32 that is not shorter than `side`.
    for (side, least) in [(17, 32), (16, 16), (9, 16), (8, 8), (5, 8), (4, 4), (1, 4)] {
      #expect(try !isLimited("pngsuite/basi2c08.png", side, side) { $0.maxHeldBytes = least * least * 4 }, "\(side)")
      #expect(try isLimited("pngsuite/basi2c08.png", side, side) { $0.maxHeldBytes = least * least * 4 - 1 }, "\(side)")
    }
    // The decoder writes an image that is not reduced directly to the result.
    #expect(try !isLimited("pngsuite/basi2c08.png", 32, 32) { $0.maxHeldBytes = 0 })
  }
}
#endif
