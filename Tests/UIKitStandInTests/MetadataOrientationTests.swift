import Foundation
import Testing
import UIKitStandIn

@Suite("Orientation in metadata", .timeLimit(.minutes(5)))
struct MetadataOrientationTests {
  private static let stored = CGImage.drawn(3, 2) { x, y in Pixel(UInt8(60 * x), UInt8(100 * y), 7, 255) }

  private static func tiff(_ orientation: UInt8, type: UInt8 = 3) -> Data {
    Data([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, type, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0])
  }

  private static func packet(_ property: String) -> Data {
    Data(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \(property)</rdf:Description></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  /// XMP properties that set the orientation to 6.
  static let sixes = [
    "tiff:Orientation=\"6\">", "tiff:Orientation = '6'>", "><tiff:Orientation>6</tiff:Orientation>",
    "><tiff:Orientation>\n 6 </tiff:Orientation>", "tiff:Orientation=\"\" tiff:Orientation=\"6\">"
  ]
  /// XMP properties that set no valid orientation.
  static let none = [
    "tiff:Orientation=\"9\">", "tiff:Orientation=\"66\">", "tiff:Orientation=6>", "><tiff:Orientation/>", "tiff:OrientationX=\"6\">",
    "exif:Orientation=\"6\">", ">tiff:Orientation"
  ]

  // MARK: - PNG

  private static func bigEndian(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

  private static func chunk(_ name: String, _ body: Data, isDamaged: Bool = false) -> Data {
    let content = Data(name.utf8) + body
    var crc = UInt32.max
    for byte in content {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return bigEndian(UInt32(body.count)) + content + bigEndian(isDamaged ? crc : ~crc)
  }

  private static func text(_ packet: Data, keyword: String = "XML:com.adobe.xmp", isCompressed: Bool = false) -> Data {
    chunk("iTXt", Data(keyword.utf8) + [0, isCompressed ? 1 : 0, 0] + Data("en".utf8) + [0] + Data("x".utf8) + [0] + packet)
  }

  /// Returns a PNG text chunk with EXIF in the form that ImageMagick writes, which has a name, a length, and hexadecimal digits with line
  /// breaks.
  private static func profile(_ exif: Data, keyword: String = "Raw profile type exif", isCompressed: Bool) -> Data {
    let digits = exif.enumerated().map { ($0.offset % 36 == 0 ? "\n" : "") + String(format: "%02x", $0.element) }.joined()
    let text = Data("\nexif\n\(String(format: "%8d", exif.count))\(digits)\n".utf8)
    guard isCompressed else { return chunk("tEXt", Data(keyword.utf8) + [0] + text) }
    // The zlib data has one stored block, which is not compressed (RFC 1950, RFC 1951).
    let length = UInt16(text.count)
    let (low, high) = text.reduce((1, 0)) { (($0.0 + Int($1)) % 65_521, ($0.1 + $0.0 + Int($1)) % 65_521) }
    let block = Data([1, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]) + text
    return chunk("zTXt", Data(keyword.utf8) + [0, 0, 0x78, 1] + block + bigEndian(UInt32(high << 16 | low)))
  }

  /// Returns a PNG with additional chunks.
  /// - Parameters:
  ///   - early: the chunks before the pixels.
  ///   - late: the chunks after the pixels.
  private static func png(early: Data = Data(), late: Data = Data()) throws -> Data {
    let file = try #require(stored.flatMap { ImageCodecs.png($0) })
    return file.prefix(33) + early + file.dropFirst(33).dropLast(12) + late + file.suffix(12)
  }

  private func orientation(_ data: Data) throws -> Int {
    let orientation = try ImageCodecs.info(of: data).orientation
    let upright = try #require(Self.stored?.turned(orientation))
    #expect(try ImageCodecs.decode(data).meanDifference(from: upright).map { $0 < 3 } == true)
    return orientation.rawValue
  }

  @Test(arguments: [3, 4, 9])
  func `an eXIf chunk sets the orientation of a PNG, whether it precedes or follows the pixels`(type: UInt8) throws {
    let exif = Self.chunk("eXIf", Self.tiff(6, type: type))
    #expect(try orientation(Self.png()) == 1)
    #expect(try orientation(Self.png(early: exif)) == 6)
    #expect(try orientation(Self.png(late: exif)) == 6)
    // A chunk with a wrong checksum is ignored. Of two chunks, the first determines the orientation.
    #expect(try orientation(Self.png(late: Self.chunk("eXIf", Self.tiff(6), isDamaged: true))) == 1)
    #expect(try orientation(Self.png(early: exif, late: Self.chunk("eXIf", Self.tiff(8)))) == 6)
  }

  @Test(arguments: sixes)
  func `XMP sets the orientation of a PNG, whether by an attribute or by an element`(property: String) throws {
    let text = Self.text(Self.packet(property))
    #expect(try orientation(Self.png(early: text)) == 6)
    #expect(try orientation(Self.png(late: text)) == 6)
    // The decoder reads the XMP up to the last byte of its chunk, and stops there.
    #expect(try orientation(Self.png(late: Self.text(Data("tiff:Orientation=\"6".utf8)))) == 1)
    // A chunk with another keyword and a compressed chunk are ignored.
    #expect(try orientation(Self.png(late: Self.text(Self.packet(property), keyword: "XML:com.adobe.xmP"))) == 1)
    #expect(try orientation(Self.png(late: Self.text(Self.packet(property), isCompressed: true))) == 1)
  }

  @Test(arguments: none)
  func `a PNG whose XMP has no valid orientation is upright`(property: String) throws {
    #expect(try orientation(Self.png(early: Self.text(Self.packet(property)))) == 1)
  }

  @Test func `EXIF takes precedence over XMP, unless EXIF has no valid orientation`() throws {
    let xmp = Self.text(Self.packet("tiff:Orientation=\"6\">"))
    #expect(try orientation(Self.png(early: xmp, late: Self.chunk("eXIf", Self.tiff(1)))) == 1)
    #expect(try orientation(Self.png(early: xmp, late: Self.chunk("eXIf", Self.tiff(3)))) == 3)
    #expect(try orientation(Self.png(early: Self.chunk("eXIf", Self.tiff(0)), late: xmp)) == 6)
    #expect(try orientation(Self.png(early: Self.chunk("eXIf", Data("II".utf8)), late: xmp)) == 6)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt8>) func `EXIF that ImageMagick writes as text sets the orientation of a PNG`(turn: UInt8)
    throws
  {
    let signed = Data("Exif\0\0".utf8) + Self.tiff(turn)
    for isCompressed in [false, true] {
      let profile = Self.profile(signed, isCompressed: isCompressed)
      #expect(try orientation(Self.png(early: profile)) == turn)
      #expect(try orientation(Self.png(late: profile)) == turn)
      #expect(try orientation(Self.png(early: Self.profile(Self.tiff(turn), isCompressed: isCompressed))) == turn)
      #expect(try orientation(Self.png(early: Self.profile(signed, keyword: "Raw profile type APP1", isCompressed: isCompressed))) == turn)
      #expect(try orientation(Self.png(early: Self.profile(signed, keyword: "Raw profile type iptc", isCompressed: isCompressed))) == 1)
    }
  }

  @Test func `EXIF as text takes precedence over XMP but not over eXIf, and only its first 4 KiB are read`() throws {
    let exif = Self.chunk("eXIf", Self.tiff(3))
    let xmp = Self.text(Self.packet("tiff:Orientation=\"6\">"))
    let profile = Self.profile(Self.tiff(8), isCompressed: true)
    #expect(try orientation(Self.png(early: profile + xmp, late: exif)) == 3)
    #expect(try orientation(Self.png(early: xmp + profile)) == 8)
    #expect(try orientation(Self.png(early: Self.profile(Self.tiff(9), isCompressed: false) + xmp)) == 6)
    let tail = Data(count: 20_000)
    for isCompressed in [false, true] {
      #expect(try orientation(Self.png(early: Self.profile(Self.tiff(8) + tail, isCompressed: isCompressed))) == 8)
      // Bytes 5 to 8 contain the offset of the directory.
      let far = Self.tiff(8).prefix(4) + [0, 16, 0, 0] + Data(count: 4_088) + Self.tiff(8).dropFirst(8)
      #expect(try orientation(Self.png(early: Self.profile(far, isCompressed: isCompressed))) == 1)
    }
    // Broken text is ignored.
    for broken in [Data(), Data([0]), Data([0, 0]), Data([0, 0, 0x78]), Data("\nexif\n".utf8), Data("\0\nexif\n 4\n4".utf8)] {
      let keyword = Data("Raw profile type exif".utf8)
      #expect(try orientation(Self.png(early: Self.chunk("zTXt", keyword + broken) + Self.chunk("tEXt", keyword + broken))) == 1)
    }
  }

  @Test func `a PNG that is cut within a chunk has the orientation of the chunks before it`() throws {
    let data = try Self.png(early: Self.text(Self.packet(Self.sixes[0])), late: Self.chunk("eXIf", Self.tiff(3)))
    let first = try #require(data.range(of: Data("IDAT".utf8))).lowerBound
    for count in first + 4..<data.count - 12 {
      #expect(try ImageCodecs.info(of: data.prefix(count)).orientation.rawValue == 6, "\(count) bytes")
    }
    #expect(try ImageCodecs.info(of: data.dropLast(12)).orientation.rawValue == 3)
  }

  // MARK: - JPEG and WebP

  private static func segment(_ signature: String, _ body: Data) -> Data {
    let content = Data(signature.utf8) + body
    return Data([0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)]) + content
  }

  private static func jpeg(_ segments: Data) throws -> Data {
    let file = try #require(stored.flatMap { ImageCodecs.jpeg($0, quality: 1) })
    return file.prefix(2) + segments + file.dropFirst(2)
  }

  @Test func `a JPEG's XMP sets the orientation if the EXIF has no valid orientation`() throws {
    func turned(_ segments: Data) throws -> Int { try ImageCodecs.info(of: Self.jpeg(segments)).orientation.rawValue }
    let xmp = Self.segment("http://ns.adobe.com/xap/1.0/\0", Self.packet("tiff:Orientation=\"6\">"))
    func exif(_ value: UInt8) -> Data { Self.segment("Exif\0\0", Self.tiff(value)) }
    #expect(try turned(xmp) == 6)
    #expect(try turned(xmp + exif(3)) == 3)
    #expect(try turned(exif(1) + xmp) == 1)
    #expect(try turned(exif(0) + xmp) == 6)
    #expect(try turned(Self.segment("http://ns.adobe.com/xmp/extension/\0", Self.packet(Self.sixes[0]))) == 1)
  }

  private static func webP(_ flags: UInt8, _ chunks: Data) throws -> Data {
    func little(_ value: Int) -> Data { withUnsafeBytes(of: UInt32(value).littleEndian) { Data($0) } }
    let pixels = try Fixture.data("webp/lossless.webp").dropFirst(12)
    let header = Data("VP8X".utf8) + little(10) + [flags, 0, 0, 0, 96, 0, 0, 64, 0, 0]
    let content = Data("WEBP".utf8) + header + pixels + chunks
    return Data("RIFF".utf8) + little(content.count) + content
  }

  @Test func `a WebP's XMP sets the orientation if the EXIF has no valid orientation`() throws {
    func chunk(_ name: String, _ body: Data) -> Data {
      Data(name.utf8) + withUnsafeBytes(of: UInt32(body.count).littleEndian) { Data($0) } + body + Data(count: body.count % 2)
    }
    func turned(_ chunks: Data) throws -> Int {
      let data = try Self.webP(0x0C, chunks)
      let image = try ImageCodecs.decode(data)
      let orientation = try ImageCodecs.info(of: data).orientation
      #expect(image.width == (orientation.swapsAxes ? 65 : 97))
      return orientation.rawValue
    }
    let xmp = chunk("XMP ", Self.packet("><tiff:Orientation>6</tiff:Orientation>"))
    #expect(try turned(xmp) == 6)
    #expect(try turned(chunk("EXIF", Self.tiff(3)) + xmp) == 3)
    #expect(try turned(chunk("EXIF", Self.tiff(1)) + xmp) == 1)
    #expect(try turned(chunk("EXIF", Self.tiff(0)) + xmp) == 6)
  }
}
