import CImageCodecs
import Foundation
import Testing
import UIKitStandIn

@Suite("JPEG decoding", .timeLimit(.minutes(5)))
struct JPEGDecodingTests {
  static let names = Fixture.names(in: "jpeg", extension: "jpg")

  private static func expected(gray: Bool) -> CGImage? {
    CGImage.drawn(97, 65) { x, y in
      let (red, green, blue) = ((x * 255 + 48) / 96, (y * 255 + 32) / 64, ((x + y) * 255 + 80) / 160)
      let mean = (red + green + 1) / 2
      return gray
        ? Pixel(UInt8(mean), UInt8(mean), UInt8(mean), 255) : Pixel(UInt8(red), UInt8(green), UInt8(blue), 255)
    }
  }

  @Test(arguments: names)
  func `every kind of JPEG decodes to nearly the pixels of the source image`(name: String) throws {
    let image = try ImageCodecs.decode(Fixture.data("jpeg/" + name))
    let expected = try #require(Self.expected(gray: name.hasPrefix("gray")))
    let mean = try #require(image.meanDifference(from: expected))
    // The conversion from CMYK multiplies the errors of two inks at quality 92. Inverted or unscaled inks would differ much more.
    #expect(mean < (name.contains("k-") ? 3 : 1.5), "\(mean)")
  }

  @Test func `a CMYK JPEG decodes to the same pixels with and without Adobe's segment`() throws {
    let data = try Fixture.data("jpeg/cmyk-adobe.jpg")
    let segment = try #require(data.range(of: Data([0xFF, 0xEE, 0, 14]) + Data("Adobe".utf8)))
    let plain = data[..<segment.lowerBound] + data[(segment.lowerBound + 16)...]
    for size in [nil, PixelSize(width: 20, height: 13)] {
      #expect(try ImageCodecs.decode(plain, size: size).hasSamePixels(as: ImageCodecs.decode(data, size: size)))
    }
  }

  /// Returns the fixture with a height of 0 in its frame header, and a DNL segment with the height after its first scan.
  /// - Parameter definesLines: whether the DNL segment is added.
  private static func withoutHeight(_ name: String, definesLines: Bool = true) throws -> Data {
    var data = try Fixture.data("jpeg/\(name).jpg")
    let frame = try #require(data.indices.dropLast().first { data[$0] == 0xFF && (0xC0...0xC2).contains(data[$0 + 1]) })
    let height = data[frame + 5..<frame + 7]
    data.replaceSubrange(frame + 5..<frame + 7, with: [0, 0])
    let scan = try #require(data.range(of: Data([0xFF, 0xDA]))).upperBound
    let end = try #require(data.indices[scan...].first { data[$0] == 0xFF && data[$0 + 1] != 0 && !(0xD0...0xD7).contains(data[$0 + 1]) })
    return definesLines ? data[..<end] + [0xFF, 0xDC, 0, 4] + height + data[end...] : data
  }

  @Test(arguments: ["baseline", "restarts", "separate-scans", "progressive", "gray"])
  func `a JPEG that defines its height after the first scan decodes, and a JPEG that defines no height is refused`(name: String) throws {
    let (data, intact) = try (Self.withoutHeight(name), Fixture.data("jpeg/\(name).jpg"))
    #expect(try ImageCodecs.info(of: data).size == PixelSize(width: 97, height: 65))
    for size in [nil, PixelSize(width: 12, height: 8)] {
      #expect(try ImageCodecs.decode(data, size: size).hasSamePixels(as: ImageCodecs.decode(intact, size: size)))
    }
    #expect(throws: CodecError.self) { try ImageCodecs.info(of: Self.withoutHeight(name, definesLines: false)) }
    #expect(throws: CodecError.self) { try ImageCodecs.decode(data.prefix(data.count / 2)) }
  }

  @Test func `all twelve JPEG fixtures exist`() {
    #expect(Self.names.count == 12)
  }

  @Test(arguments: names)
  func `the header of a JPEG gives its format, its size, and whether it is progressive`(name: String) throws {
    let info = try ImageCodecs.info(of: Fixture.data("jpeg/" + name))
    #expect(info.format == .jpeg && info.size == PixelSize(width: 97, height: 65) && info.orientation == .up)
    #expect(info.isProgressive == name.contains("progressive"))
  }

  @Test func `the size of a JPEG can be read without its scans`() throws {
    let data = try Fixture.data("jpeg/progressive.jpg")
    let scan = try #require(data.range(of: Data([0xFF, 0xDA])))
    let head = data[..<(scan.upperBound + 12)]
    #expect(try ImageCodecs.info(of: head).size == PixelSize(width: 97, height: 65))
    #expect(throws: CodecError.self) { try ImageCodecs.decode(head) }
  }

  @Test func `the decoder counts a flaw in a complete JPEG as a warning, and decodes the image`() throws {
    var data = try Fixture.data("jpeg/restarts.jpg")
    let restart = try #require(data.range(of: Data([0xFF, 0xD3])))
    // A restart marker gets a wrong number.
    data[restart.lowerBound + 1] = 0xD5
    var limits = cic_limits(
      pixels: 10_000, width: 100, height: 100, scans: 1, coefficient_bytes: 0, held_bytes: 0)
    func decode(_ data: Data) -> (cic_status, Int) {
      var result = cic_result()
      var rgba = [UInt8](repeating: 0, count: 97 * 65 * 4)
      var message = [CChar](repeating: 0, count: Int(CIC_MESSAGE_SIZE))
      let status = data.withUnsafeBytes {
        let input = cic_input(bytes: $0.bindMemory(to: UInt8.self).baseAddress, count: $0.count, is_beginning: false)
        return rgba.withUnsafeMutableBufferPointer {
          var target = cic_target(rgba: $0.baseAddress, width: 97, height: 65, orientation: 1)
          return cic_jpeg_decode(input, &limits, &target, &result, &message)
        }
      }
      return (status, result.warnings)
    }
    let (status, count) = decode(data)
    #expect(status == .CIC_OK && count > 0)
    let intact = try decode(Fixture.data("jpeg/restarts.jpg"))
    #expect(intact.0 == .CIC_OK && intact.1 == 0)
  }
}
