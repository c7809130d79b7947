import Foundation
import Testing
import UIKitStandIn

@Suite("PNG decoding", .timeLimit(.minutes(5)))
struct PNGDecodingTests {
  static let names = Fixture.names(in: "pngsuite", extension: "png")
  static let valid = names.filter { !$0.hasPrefix("x") }
  static let broken = names.filter { $0.hasPrefix("x") }

  private func decode(_ name: String) throws -> CGImage {
    try ImageCodecs.decode(Fixture.data("pngsuite/\(name).png"))
  }

  @Test("All fixtures of the suite exist")
  func complete() {
    #expect(Self.valid.count == 161)
    #expect(Self.broken.count == 14)
  }

  @Test("A valid file decodes at the size in its header", arguments: valid)
  func sizes(name: String) throws {
    let data = try Fixture.data("pngsuite/" + name)
    let header = [UInt8](data.prefix(29))
    let info = try ImageCodecs.info(of: data)
    let image = try ImageCodecs.decode(data)
    #expect(image.width == Int(header[19]) && image.height == Int(header[23]))
    #expect(info.size == PixelSize(width: image.width, height: image.height))
    #expect(info.format == .png && info.isProgressive == (header[28] == 1))
  }

  @Test("A broken file is refused", arguments: broken)
  func refused(name: String) throws {
    let data = try Fixture.data("pngsuite/" + name)
    #expect(throws: CodecError.self) { try ImageCodecs.decode(data) }
  }

  @Test("An interlaced file has the same pixels as its plain twin", arguments: valid.filter { $0.hasPrefix("basi") })
  func interlaced(name: String) throws {
    let image = try ImageCodecs.decode(Fixture.data("pngsuite/" + name))
    let twin = try ImageCodecs.decode(Fixture.data("pngsuite/" + name.replacingOccurrences(of: "basi", with: "basn")))
    #expect(image.hasSamePixels(as: twin))
  }

  @Test("Image data in chunks of any size has the same pixels", arguments: ["oi1", "oi2", "oi4", "oi9"])
  func chunks(prefix: String) throws {
    #expect(try decode(prefix + "n0g16").hasSamePixels(as: decode("basn0g16")))
    #expect(try decode(prefix + "n2c16").hasSamePixels(as: decode("basn2c16")))
  }

  @Test(
    "Decoded pixels are exact",
    arguments: [
      ("basn6a16", 5, 7, Pixel(0xFF, 0xE7, 0x00, 0x52)),  // 16 bits by the high byte: stored 0xFFFF, 0xE79D, 0, 0x5295
      ("basn4a16", 9, 9, Pixel(0x00, 0x00, 0x00, 0x94)),  // stored 0x94A5
      ("basn0g16", 3, 20, Pixel(0x43, 0x43, 0x43, 0xFF)),
      ("basn2c16", 10, 3, Pixel(0xAD, 0xE7, 0x00, 0xFF)),  // stored 0xAD6B, 0xE739, 0
      ("basn3p08", 11, 22, Pixel(0xFF, 0xFF, 0x66, 0xFF)),  // palette
      ("basi6a08", 20, 12, Pixel(0x80, 0xFF, 0x05, 0xA4)),  // interlaced
      ("s01n3p01", 0, 0, Pixel(0x00, 0x00, 0xFF, 0xFF)),  // a single pixel
      ("tm3n3p02", 0, 0, Pixel(0x00, 0x00, 0xFF, 0x00)),  // palette with alpha, not premultiplied
      ("tbbn0g04", 0, 0, Pixel(0xFF, 0xFF, 0xFF, 0x00)),  // a transparent gray
      ("tbwn0g16", 0, 0, Pixel(0xFF, 0xFF, 0xFF, 0x00)),  // a transparent 16-bit gray
      ("tbwn0g16", 16, 16, Pixel(0x9E, 0x9E, 0x9E, 0xFF)),  // a 16-bit gray that is not transparent
      ("tbbn0g04", 16, 16, Pixel(0x99, 0x99, 0x99, 0xFF)),  // 4 bits scaled up
      ("tbrn2c08", 0, 0, Pixel(0xFF, 0xFF, 0xFF, 0x00)),  // a transparent color
      ("tbbn2c16", 0, 0, Pixel(0xFF, 0xFF, 0xFF, 0x00))  // a transparent 16-bit color
    ])
  func exact(name: String, x: Int, y: Int, pixel: Pixel) throws {
    #expect(try decode(name).pixel(x, y) == pixel)
  }

  @Test("Each alpha of a palette is decoded")
  func paletteAlpha() throws {
    #expect(try Set(decode("tm3n3p02").bytes.enumerated().filter { $0.offset % 4 == 3 }.map(\.element)) == [0x00, 0x55, 0xAA, 0xFF])
  }

  @Test("A wrong checksum is an error in image data and ignored in data that is not read")
  func checksums() throws {
    let sound = try Fixture.data("pngsuite/basn2c08.png")
    var data = sound
    let gamma = try #require(data.range(of: Data("gAMA".utf8)))
    data[gamma.upperBound] ^= 1
    #expect(try ImageCodecs.decode(data).hasSamePixels(as: ImageCodecs.decode(sound)))
    data = sound
    let end = try #require(data.range(of: Data("IEND".utf8)))
    data[end.lowerBound - 5] ^= 1
    #expect(throws: CodecError.self) { try ImageCodecs.decode(data) }
  }
}
