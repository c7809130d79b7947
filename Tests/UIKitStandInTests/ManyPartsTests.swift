import Foundation
import Testing
import UIKitStandIn

/// Files of about a megabyte that consist of as many small parts as fit. The time that a decoder needs for one part must not depend on the
/// number of parts before it. A decoder with quadratic time needs minutes for such a file, and a decoder with linear time needs
/// milliseconds.
@Suite(.timeLimit(.minutes(5))) struct ManyPartsTests {
  private func repeated(_ part: [UInt8]) -> Data {
    var data = Data(part)
    while data.count < 600_000 { data.append(data) }
    return data
  }

  private func decodes(_ data: Data) throws -> Bool {
    let size = try ImageCodecs.info(of: data).size
    let small = PixelSize(width: 4, height: 4)
    _ = try ImageCodecs.animation(of: data, size: small)
    return try ImageCodecs.decode(data).width == size.width && ImageCodecs.decode(data, size: small).width == 4
  }

  @Test(arguments: [0xE0, 0xE1, 0xE2, 0xED, 0xEE, 0xEF, 0xFE] as [UInt8])
  func `a JPEG of 262,144 empty segments decodes in linear time`(code: UInt8) throws {
    for name in ["jpeg/restarts.jpg", "jpeg/progressive.jpg"] {
      let picture = try Fixture.data(name)
      #expect(try decodes(picture.prefix(2) + repeated([0xFF, code, 0, 2]) + picture.dropFirst(2)))
    }
  }

  @Test func `an orientation behind 262,144 empty EXIF segments is found`() throws {
    let picture = try Fixture.data("exif/Landscape_6.jpg")
    let many = picture.prefix(2) + repeated([0xFF, 0xE1, 0, 2]) + picture.dropFirst(2)
    #expect(try ImageCodecs.info(of: many).orientation == ImageCodecs.info(of: picture).orientation)
    #expect(try ImageCodecs.info(of: many).orientation != .up)
  }

  @Test(arguments: ["tEXt", "zTXt", "iTXt", "tIME", "sPLT", "eXIf", "gAMA", "zzZz"])
  func `a PNG of 65,536 empty chunks decodes in linear time`(name: String) throws {
    let picture = try Fixture.data("pngsuite/basn2c08.png")
    // The chunks follow IHDR. Their checksums are wrong, but the decoder skips ancillary chunks with a wrong checksum, too.
    #expect(try decodes(picture.prefix(33) + repeated([0, 0, 0, 0] + Array(name.utf8) + [0, 0, 0, 0]) + picture.dropFirst(33)))
  }

  @Test func `a GIF of 262,144 empty extensions, or of a million fill bytes, decodes in linear time`() throws {
    let picture = try Fixture.data("gif/still.gif")
    let header = 13 + (picture[10] & 0x80 == 0 ? 0 : 3 << (Int(picture[10] & 7) + 1))
    for part in [[0x21, 0xFE, 0], [0x21, 0xF9, 0], [0x21, 0xFF, 0], [0]] as [[UInt8]] {
      #expect(try decodes(picture.prefix(header) + repeated(part) + picture.dropFirst(header)))
    }
  }

  @Test func `a GIF of 65,536 frames decodes`() throws {
    let picture = try Fixture.data("gif/still.gif")
    let header = 13 + (picture[10] & 0x80 == 0 ? 0 : 3 << (Int(picture[10] & 7) + 1))
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    #expect(try decodes(picture.prefix(header) + repeated(frame) + [0x3B]))
  }

  @Test func `a WebP of 131,072 empty chunks decodes in linear time`() throws {
    let picture = try Fixture.data("webp/icc-exif.webp")
    let many = picture + repeated(Array("zzzz".utf8) + [0, 0, 0, 0])
    let length = (0..<4).map { (index: Int) in UInt8(truncatingIfNeeded: (many.count - 8) >> (8 * index)) }
    #expect(try decodes(many.prefix(4) + length + many.dropFirst(8)))
  }

  /// libavif needs quadratic time, because it searches all items for each entry of a table.
  @Test func `an AVIF of 60,000 items is refused before libavif reads them`() throws {
    let picture = try AVIFItems.picture(entries: 60_000)
    #expect { try ImageCodecs.info(of: picture) } throws: { if case .tooLarge = $0 as? CodecError { true } else { false } }
  }

  @Test func `an AVIF of 1,000 items decodes`() throws {
    let picture = try AVIFItems.picture(entries: 1_000)
    #expect(try decodes(picture))
  }
}

/// An AVIF with additional entries in its table of item properties (`ipma`). Each additional entry belongs to a separate item without
/// properties.
private enum AVIFItems {
  static func picture(entries count: Int) throws -> Data {
    var data = try Fixture.data("avif/color.avif")
    let entries = (100..<100 + count).flatMap { (id: Int) -> [UInt8] in [UInt8(id >> 8), UInt8(id & 0xFF), 0] }
    let table = try #require(data.range(of: Data("ipma".utf8))).lowerBound - 4
    let (length, offset) = (number(data, table), try #require(data.range(of: Data("iloc".utf8))).lowerBound + 18)
    for name in ["meta", "iprp", "ipma"] {
      add(entries.count, &data, at: try #require(data.range(of: Data(name.utf8))).lowerBound - 4)
    }
    // Update the number of entries in the table, and the position of the image's bytes, which follow the table.
    add(count, &data, at: table + 12)
    add(entries.count, &data, at: offset)
    data.insert(contentsOf: entries, at: table + length)
    return data
  }

  private static func number(_ data: Data, _ position: Int) -> Int {
    data[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func add(_ more: Int, _ data: inout Data, at position: Int) {
    let sum = number(data, position) + more
    for index in 0..<4 { data[position + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) }
  }
}
