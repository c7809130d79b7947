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

  @Test func `all files of PngSuite exist`() {
    #expect(Self.valid.count == 161)
    #expect(Self.broken.count == 14)
  }

  @Test(arguments: valid)
  func `a valid file decodes at the size in its header`(name: String) throws {
    let data = try Fixture.data("pngsuite/" + name)
    let header = [UInt8](data.prefix(29))
    let info = try ImageCodecs.info(of: data)
    let image = try ImageCodecs.decode(data)
    #expect(image.width == Int(header[19]) && image.height == Int(header[23]))
    #expect(info.size == PixelSize(width: image.width, height: image.height))
    #expect(info.format == .png && info.isProgressive == (header[28] == 1))
  }

  @Test(arguments: broken)
  func `each broken file of PngSuite is refused`(name: String) throws {
    let data = try Fixture.data("pngsuite/" + name)
    #expect(throws: CodecError.self) { try ImageCodecs.decode(data) }
  }

  @Test(arguments: valid.filter { $0.hasPrefix("basi") })
  func `an interlaced file and a non-interlaced file of the same image decode to the same pixels`(name: String) throws {
    let image = try ImageCodecs.decode(Fixture.data("pngsuite/" + name))
    let twin = try ImageCodecs.decode(Fixture.data("pngsuite/" + name.replacingOccurrences(of: "basi", with: "basn")))
    #expect(image.hasSamePixels(as: twin))
  }

  @Test(arguments: ["oi1", "oi2", "oi4", "oi9"])
  func `the pixels of a PNG do not depend on the sizes of its chunks of image data`(prefix: String) throws {
    #expect(try decode(prefix + "n0g16").hasSamePixels(as: decode("basn0g16")))
    #expect(try decode(prefix + "n2c16").hasSamePixels(as: decode("basn2c16")))
  }

  // Most files of the suite declare linear levels (gAMA 1), so the decoder changes 0xE7 to 0xF4, for example.
  @Test(
    arguments: [
      ("basn6a16", 5, 7, Pixel(0xFF, 0xF4, 0x00, 0x52)),  // 16 bits by the high byte: stored 0xFFFF, 0xE79D, 0, 0x5295
      ("basn4a16", 9, 9, Pixel(0x00, 0x00, 0x00, 0x94)),  // stored 0x94A5
      ("basn0g16", 3, 20, Pixel(0x8C, 0x8C, 0x8C, 0xFF)),
      ("basn2c16", 10, 3, Pixel(0xD7, 0xF4, 0x00, 0xFF)),  // stored 0xAD6B, 0xE739, 0
      ("basn3p08", 11, 22, Pixel(0xFF, 0xFF, 0xAA, 0xFF)),  // palette
      ("basi6a08", 20, 12, Pixel(0xBC, 0xFF, 0x26, 0xA4)),  // interlaced
      ("s01n3p01", 0, 0, Pixel(0x00, 0x00, 0xFF, 0xFF)),  // a single pixel
      ("tm3n3p02", 0, 0, Pixel(0x00, 0x00, 0xFF, 0x00)),  // palette with alpha, not premultiplied
      ("tbbn0g04", 0, 0, Pixel(0xFF, 0xFF, 0xFF, 0x00)),  // a transparent gray
      ("tbwn0g16", 0, 0, Pixel(0xFF, 0xFF, 0xFF, 0x00)),  // a transparent 16-bit gray
      ("tbwn0g16", 16, 16, Pixel(0xCE, 0xCE, 0xCE, 0xFF)),  // a 16-bit gray that is not transparent
      ("tbbn0g04", 16, 16, Pixel(0xCB, 0xCB, 0xCB, 0xFF)),  // 4 bits scaled up
      ("tbrn2c08", 0, 0, Pixel(0xFF, 0xFF, 0xFF, 0x00)),  // a transparent color
      ("tbbn2c16", 0, 0, Pixel(0xFF, 0xFF, 0xFF, 0x00))  // a transparent 16-bit color
    ])
  func `single pixels of PngSuite's files decode to exactly the expected values`(name: String, x: Int, y: Int, pixel: Pixel) throws {
    #expect(try decode(name).pixel(x, y) == pixel)
  }

  @Test func `each alpha value of a palette is decoded`() throws {
    #expect(try Set(decode("tm3n3p02").bytes.enumerated().filter { $0.offset % 4 == 3 }.map(\.element)) == [0x00, 0x55, 0xAA, 0xFF])
  }

  @Test func `a gAMA chunk with a wrong checksum is ignored, and image data with a wrong checksum is refused`() throws {
    let intact = try Fixture.data("pngsuite/basn2c08.png")
    var data = intact
    let gamma = try #require(data.range(of: Data("gAMA".utf8)))
    data[gamma.upperBound] ^= 1
    let without = data.prefix(gamma.lowerBound - 4) + data.dropFirst(gamma.upperBound + 8)
    #expect(try ImageCodecs.decode(data).hasSamePixels(as: ImageCodecs.decode(without)))
    data = intact
    let end = try #require(data.range(of: Data("IEND".utf8)))
    data[end.lowerBound - 5] ^= 1
    #expect(throws: CodecError.self) { try ImageCodecs.decode(data) }
  }

  @Test(arguments: [nil, PixelSize(width: 20, height: 15)])
  func `a PNG that lacks only its last chunk or a checksum at its end shows all its pixels`(size: PixelSize?) throws {
    let intact = try Fixture.data("png/whole.png")
    let whole = try ImageCodecs.decode(intact, size: size)
    let endings: [(name: String, data: Data)] = try [
      ("no IEND", intact.dropLast(12)), ("half of IEND", intact.dropLast(6)),
      ("wrong checksum of IEND", intact.dropLast(4) + Data(count: 4)),
      ("no checksum of the compressed data", Fixture.data("png/no-adler.png")), ("no checksum of the last IDAT", intact.dropLast(16)),
      ("half of the checksum of the compressed data", intact.dropLast(18)), ("neither of these checksums", intact.dropLast(20))
    ]
    for (name, data) in endings {
      let image = try ImageCodecs.decode(data, size: size)
      #expect(image.hasSamePixels(as: whole), "\(name)")
      #expect(try ImageCodecs.decode(beginning: data, size: size)?.hasSamePixels(as: whole) == true, "the beginning: \(name)")
    }
  }

  @Test func `the decoder converts levels from gAMA to sRGB, unless the file has an sRGB, iCCP, or cICP chunk`() throws {
    func levels(_ data: Data) throws -> [UInt8] { try (0..<5).map { try ImageCodecs.decode(data).pixel($0, 0).x } }
    let linear = try Fixture.data("png/linear.png")
    #expect(try levels(linear) == [0, 128, 188, 223, 255])
    #expect(try ImageCodecs.decode(linear, size: PixelSize(width: 1, height: 1)).pixel(0, 0).x > 140)
    let stored = try levels(linear.prefix(33) + linear.dropFirst(33 + 16))
    #expect(stored != [0, 128, 188, 223, 255])
    for chunk in try [PNGColorTests.srgb, PNGColorTests.profile("srgb"), PNGColorTests.numbers(1, 13)] {
      #expect(try levels(ColorFile.png(chunk, to: "png/linear.png")) == stored, "\(chunk.name)")
    }
    #expect(try ImageCodecs.decode(beginning: linear.dropLast(12))?.pixel(2, 0).x == 188)
  }

  @Test func `if an interlaced PNG exceeds the limit of held bytes, its image is close to the image without the limit`() throws {
    let data = try Fixture.data("pngsuite/basi2c08.png")
    for (side, held) in [(8, 16), (4, 16), (4, 8), (2, 8), (1, 4)] {
      let size = PixelSize(width: side, height: side)
      var limits = CodecLimits()
      limits.maxHeldBytes = held * held * 4
      let image = try ImageCodecs.decode(data, size: size, limits: limits)
      #expect(try #require(image.meanDifference(from: ImageCodecs.decode(data, size: size))) < 30)
      #expect(throws: CodecError.self) { try ImageCodecs.decode(data.dropLast(24), size: size, limits: limits) }
    }
  }

  @Test(arguments: ["png/whole.png", "pngsuite/basi2c08.png", "pngsuite/basi0g01.png", "pngsuite/s01i3p01.png", "pngsuite/basn6a16.png"])
  func `a PNG that ends within its pixels is refused, even if only few pixels are missing`(path: String) throws {
    let data = try Fixture.data(path)
    let whole = try ImageCodecs.decode(data)
    var isWhole = false
    for count in (data.count - 60)..<data.count {
      let image = try? ImageCodecs.decode(data.prefix(count))
      // If the first bytes of the file contain all pixels, every longer part of the file contains them, too.
      #expect(image == nil ? !isWhole : image?.hasSamePixels(as: whole) == true, "\(count) of \(data.count) bytes")
      isWhole = image != nil
    }
    #expect(isWhole)
    // IEND and two checksums are the last 20 bytes, so this part lacks the last 4 bytes of the compressed pixels.
    #expect((try? ImageCodecs.decode(data.dropLast(24))) == nil)
  }
}
