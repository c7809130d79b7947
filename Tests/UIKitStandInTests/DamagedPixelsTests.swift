import Foundation
import Testing
import UIKitStandIn

/// Files that have their declared lengths, but whose pixels end early. No such file decodes to an image with a blank part.
@Suite("Damaged pixels", .timeLimit(.minutes(5)))
struct DamagedPixelsTests {
  private static func little(_ value: Int) -> Data { withUnsafeBytes(of: UInt32(value).littleEndian) { Data($0) } }
  private static func big(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

  private static func number(_ data: Data, at position: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(data[data.startIndex + position + $1]) << (8 * $1) }
  }

  private static func chunk(_ name: String, _ body: Data) -> Data {
    Data(name.utf8) + little(body.count) + body + Data(count: body.count % 2)
  }

  /// Returns the chunks of a WebP whose header is removed.
  private static func chunks(_ data: Data) -> [(name: String, body: Data)] {
    var chunks: [(name: String, body: Data)] = []
    var rest = data
    while rest.count >= 8 {
      let length = number(rest, at: 4)
      chunks.append((String(decoding: rest.prefix(4), as: UTF8.self), Data(rest.dropFirst(8).prefix(length))))
      rest = Data(rest.dropFirst(8 + length + length % 2))
    }
    return chunks
  }

  private static func webP(_ chunks: [(name: String, body: Data)]) -> Data {
    let content = chunks.reduce(Data("WEBP".utf8)) { $0 + chunk($1.name, $1.body) }
    return Data("RIFF".utf8) + little(content.count) + content
  }

  @Test(arguments: ["lossy", "lossless", "lossless-alpha"])
  func `a WebP whose pixel chunk ends early is refused`(name: String) throws {
    let chunks = Self.chunks(try Fixture.data("webp/\(name).webp").dropFirst(12))
    #expect(throws: Never.self) { try ImageCodecs.decode(Self.webP(chunks)) }
    for share in [0.05, 0.3, 0.7, 0.95] {
      let cut = chunks.map { ($0.name, $0.name.hasPrefix("VP8") ? $0.body.prefix(Int(Double($0.body.count) * share)) : $0.body) }
      #expect(throws: CodecError.self, "\(share)") { try ImageCodecs.decode(Self.webP(cut)) }
      #expect(throws: CodecError.self, "\(share)") { try ImageCodecs.decode(Self.webP(cut), size: PixelSize(width: 9, height: 9)) }
    }
  }

  @Test func `a WebP whose alpha ends early is refused`() throws {
    let chunks = Self.chunks(try Fixture.data("webp/lossy-alpha.webp").dropFirst(12))
    #expect(chunks.contains { $0.name == "ALPH" })
    for share in [0.1, 0.5, 0.9] {
      let cut = chunks.map { ($0.name, $0.name == "ALPH" ? $0.body.prefix(Int(Double($0.body.count) * share)) : $0.body) }
      #expect(throws: CodecError.self, "\(share)") { try ImageCodecs.decode(Self.webP(cut)) }
    }
  }

  @Test func `an animated WebP ends before the first truncated frame, and is refused if no frame precedes it`() throws {
    let chunks = Self.chunks(try Fixture.data("webp/animated.webp").dropFirst(12))
    let frames = chunks.indices.filter { chunks[$0].name == "ANMF" }
    func cut(_ frame: Int) -> Data {
      var copy = chunks
      let body = copy[frames[frame]].body
      // A frame begins with 16 bytes, which are not part of its chunks.
      let pixels = Self.chunks(Data(body.dropFirst(16))).map { Self.chunk($0.name, $0.body.prefix($0.body.count / 3)) }
      copy[frames[frame]].body = pixels.reduce(body.prefix(16), +)
      return Self.webP(copy)
    }
    #expect(try ImageCodecs.animation(of: Self.webP(chunks))?.frames.count == frames.count)
    #expect(try ImageCodecs.animation(of: cut(2))?.frames.count == 2)
    #expect(throws: CodecError.self) { try ImageCodecs.animation(of: cut(0)) }
    #expect(throws: CodecError.self) { try ImageCodecs.decode(cut(0)) }
  }

  /// Returns a gray PNG that declares 40 by 40 pixels, but has only the given number of rows. Its checksums are correct.
  /// - Parameter endsStream: whether the compressed data declares its end after these rows.
  private static func png(rows: Int, endsStream: Bool) -> Data {
    func chunk(_ name: String, _ body: Data) -> Data {
      var crc = UInt32.max
      for byte in Data(name.utf8) + body {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
      }
      return big(UInt32(body.count)) + Data(name.utf8) + body + big(~crc)
    }
    let pixels = Data((0..<rows).flatMap { row in [0] + [UInt8](repeating: UInt8(row), count: 40) })
    var (low, high) = (1, 0)
    for byte in pixels {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    let length = UInt16(pixels.count)
    let block = Data([endsStream ? 1 : 0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]) + pixels
    let stream = Data([0x78, 1]) + block + (endsStream ? big(UInt32(high << 16 | low)) : Data())
    let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let header = chunk("IHDR", big(40) + big(40) + [8, 0, 0, 0, 0])
    return signature + header + chunk("IDAT", stream) + chunk("IEND", Data())
  }

  @Test(arguments: [true, false])
  func `a PNG whose rows end early is refused`(endsStream: Bool) throws {
    #expect(try ImageCodecs.decode(Self.png(rows: 40, endsStream: true)).pixel(3, 39) == Pixel(39, 39, 39, 255))
    for rows in [1, 4, 20, 39] {
      #expect(throws: CodecError.self) { try ImageCodecs.decode(Self.png(rows: rows, endsStream: endsStream)) }
      #expect(throws: CodecError.self) {
        try ImageCodecs.decode(Self.png(rows: rows, endsStream: endsStream), size: PixelSize(width: 9, height: 9))
      }
    }
  }
}
