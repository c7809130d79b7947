#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct ContentDecoderTests {
  typealias Failure = FutureImage.Failure

  private struct Enough: Error {}

  /// Decodes the data in pieces of the given size.
  private func decode(_ data: Data, _ coding: String, piece: Int = .max) throws -> (data: Data, isComplete: Bool) {
    let decoding = try #require(try ContentDecoding(coding))
    var decoded = Data()
    var rest = data[...]
    while !rest.isEmpty {
      rest.prefix(piece).withUnsafeBytes { decoding.add($0) }
      rest = rest.dropFirst(min(piece, rest.count))
      while !decoding.isIdle { try decoding.step { decoded += Data($0) } }
    }
    return (decoded, decoding.isComplete)
  }

  @Test(arguments: [("gzip", Samples.gzip), ("x-gzip", Samples.gzip), ("GZIP", Samples.gzip), ("br", Samples.brotli)], [1, 7, .max])
  func `content is decoded whole from pieces of any size`(coding: (String, Data), piece: Int) throws {
    let (data, isComplete) = try decode(coding.1, coding.0, piece: piece)
    #expect(data == Samples.gzipContent)
    #expect(isComplete)
  }

  @Test(arguments: [("gzip", Samples.pictureGzip), ("br", Samples.pictureBrotli)])
  func `a compressed image is decoded to its original bytes`(coding: String, data: Data) throws {
    #expect(try decode(data, coding).data == Samples.picture)
  }

  @Test(arguments: [("gzip", Samples.gzip), ("br", Samples.brotli), ("gzip", Samples.pictureGzip), ("br", Samples.pictureBrotli)])
  func `content that ends early is never complete`(coding: String, data: Data) throws {
    for count in 1..<data.count { #expect(try !decode(data.prefix(count), coding).isComplete) }
  }

  @Test(arguments: ["gzip", "br", "deflate", "gzip, br"])
  func `an empty body counts as complete, and is decoded to empty content`(coding: String) throws {
    let (data, isComplete) = try decode(Data(), coding)
    #expect(data.isEmpty)
    #expect(isComplete)
  }

  @Test(arguments: [1, 7, .max]) func `gzip content may have several members in a row`(piece: Int) throws {
    let empty = Gzip.stored(Data())
    let (data, isComplete) = try decode(Samples.gzip + empty + Gzip.stored(Data([1, 2])) + Samples.gzip, "gzip", piece: piece)
    #expect(data == Samples.gzipContent + [1, 2] + Samples.gzipContent)
    #expect(isComplete)
  }

  @Test func `content whose last gzip member ends early is incomplete`() throws {
    for count in 1..<Samples.gzip.count {
      #expect(try !decode(Samples.gzip + Samples.gzip.prefix(count), "gzip").isComplete)
    }
  }

  @Test func `content with too many empty members is malformed`() {
    let empty = Gzip.stored(Data())
    let members = Data((0..<60_000).flatMap { _ in empty })
    let reason = (#expect(throws: Failure.self) { try decode(members, "gzip", piece: 1 << 14) })?.reason
    #expect(reason?.isMalformed == true)
  }

  @Test(arguments: [("gzip", Samples.gzip), ("br", Samples.brotli)], [1, .max])
  func `bytes after the end of the content are malformed`(coding: (String, Data), piece: Int) throws {
    let reason = (#expect(throws: Failure.self) { try decode(coding.1 + [0], coding.0, piece: piece) })?.reason
    #expect(reason?.isMalformed == true)
  }

  @Test(arguments: ["gzip", "br", "deflate"]) func `uncompressed content with a declared coding is malformed`(coding: String) throws {
    let reason = (#expect(throws: Failure.self) { try decode(SampleImage.jpeg(), coding) })?.reason
    #expect(reason?.isMalformed == true)
  }

  @Test func `gzip content with a flipped bit is malformed`() throws {
    var data = Samples.pictureGzip
    data[60] ^= 4
    let reason = (#expect(throws: Failure.self) { try decode(data, "gzip") })?.reason
    #expect(reason?.isMalformed == true)
  }

  @Test func `deflate content with a wrong zlib checksum is malformed`() throws {
    let stored = Data([0x78, 0x01, 0x01, 13, 0, 0xF2, 0xFF]) + Samples.brotli
    #expect(try decode(stored + Self.adler(Samples.brotli), "deflate").isComplete)
    let reason = (#expect(throws: Failure.self) { try decode(stored + Data([1, 2, 3, 4]), "deflate") })?.reason
    #expect(reason?.isMalformed == true)
  }

  /// Decodes the deflate data of a gzip member, without the header of ten bytes and the trailer of eight bytes.
  @Test(arguments: [Samples.gzip, Samples.pictureGzip], [1, 7, .max])
  func `deflate without zlib's header is decoded whole from pieces of any size`(gzip: Data, piece: Int) throws {
    let raw = gzip.dropFirst(10).dropLast(8)
    let (data, isComplete) = try decode(raw, "deflate", piece: piece)
    #expect(data == (try decode(gzip, "gzip").data))
    #expect(isComplete)
    for count in 1..<min(raw.count, 300) { #expect(try !decode(raw.prefix(count), "deflate").isComplete) }
  }

  @Test func `deflate without a header is decoded even if its blocks are stored uncompressed`() throws {
    let stored = Data([0x00, 1, 0, 0xFE, 0xFF, 65, 0x01, 1, 0, 0xFE, 0xFF, 66])
    let (data, isComplete) = try decode(stored, "deflate", piece: 1)
    #expect(data == Data("AB".utf8) && isComplete)
  }

  @Test func `gzip content without a header is malformed`() {
    let raw = Samples.gzip.dropFirst(10).dropLast(8)
    let reason = (#expect(throws: Failure.self) { try decode(raw, "gzip") })?.reason
    #expect(reason?.isMalformed == true)
  }

  @Test func `if deflate content has no header, bytes after the content are malformed`() {
    let raw = Samples.gzip.dropFirst(10).dropLast(8)
    let reason = (#expect(throws: Failure.self) { try decode(raw + [0], "deflate") })?.reason
    #expect(reason?.isMalformed == true)
  }

  @Test func `codings are decoded from the last to the first`() throws {
    // One uncompressed deflate block contains the 13 bytes of brotli.
    let stored = Data([0x78, 0x01, 0x01, 13, 0, 0xF2, 0xFF]) + Samples.brotli + Self.adler(Samples.brotli)
    let (data, isComplete) = try decode(stored, "br, deflate")
    #expect(data == Samples.gzipContent)
    #expect(isComplete)
  }

  @Test(arguments: [nil, "", "identity", " Identity ,", "aws-chunked", "UTF-8", "binary, utf-8", "8bit", "none", "image/jpeg"])
  func `a field that names no compression needs no decoder`(field: String?) throws {
    #expect(try ContentDecoding(field) == nil)
  }

  @Test(arguments: ["zstd", "compress", "x-compress", "dcb", "gzip, ZSTD"])
  func `a coding that was not requested is malformed`(field: String) {
    let reason = (#expect(throws: Failure.self) { _ = try ContentCoding.decoders(for: field) })?.reason
    #expect(reason?.isMalformed == true)
  }

  @Test(arguments: ["gzip, aws-chunked", "aws-chunked,gzip", "utf-8, gzip"])
  func `in a list of codings, a label that names no coding is ignored`(field: String) throws {
    #expect(try decode(Samples.gzip, field).data == Samples.gzipContent)
  }

  @Test func `content is decoded in small pieces, and an error of the receiver ends the decoding`() throws {
    let decoding = try #require(try ContentDecoding("gzip"))
    GzipBomb.data(byteCount: 64 << 20).withUnsafeBytes { decoding.add($0) }
    var (largest, count) = (0, 0)
    #expect(throws: Enough.self) {
      while !decoding.isIdle {
        try decoding.step { piece in
          largest = max(largest, piece.count)
          count += piece.count
          if count > 1 << 20 { throw Enough() }
        }
      }
    }
    #expect(largest <= ContentDecoding.pieceSize)
    #expect(count <= 1 << 20 + ContentDecoding.pieceSize)
  }

  @Test(arguments: [
    ("gzip", GzipBomb.emptyBlocks(1 << 20)), ("deflate, gzip", GzipBomb.compressedEmptyBlocks(byteCount: 64 << 20)),
    ("br", BrotliBomb.emptyBlocks(8 << 20)), ("br, gzip", GzipBomb.compressedBrotliBlocks(byteCount: 64 << 20))
  ])
  func `content that consists almost only of empty blocks is malformed`(coding: String, data: Data) {
    let reason = (#expect(throws: Failure.self) { try decode(data, coding, piece: 1 << 14) })?.reason
    #expect(reason?.isMalformed == true)
  }

  @Test func `zeros are valid content, however well they are compressed`() throws {
    #expect(try decode(BrotliBomb.data(blocks: 3), "br").data == Data(count: 3 << 24))
  }

  @Test func `all output of a few compressed bytes is delivered, even if the content ends early after those bytes`() throws {
    // The data has the first of two blocks, and a few bits of the second.
    let (data, isComplete) = try decode(BrotliBomb.data(blocks: 2).prefix(14), "br")
    #expect(data == Data(count: 1 << 24))
    #expect(!isComplete)
  }

  @Test func `gzip content is valid even if its blocks are stored uncompressed`() throws {
    let content = Data.pattern(3 << 19)
    #expect(try decode(Gzip.stored(content), "gzip", piece: 1 << 14).data == content)
  }

  @Test func `at most a megabyte of input without any output is allowed`() throws {
    let blocks = GzipBomb.emptyBlocks(1 << 18)
    let (data, isComplete) = try decode(blocks.prefix(ContentDecoding.allowance), "gzip", piece: 1 << 14)
    #expect(data.isEmpty && !isComplete)
    let more = blocks.prefix(ContentDecoding.allowance + 1)
    let reason = (#expect(throws: Failure.self) { try decode(more, "gzip", piece: 1 << 14) })?.reason
    #expect(reason?.isMalformed == true)
  }

  @Test(arguments: ["gzip", "br", "gzip, br"])
  func `a decoder is idle before the first byte, and full when its pending bytes reach the limit`(coding: String) throws {
    let decoding = try #require(try ContentDecoding(coding))
    #expect(decoding.isIdle && !decoding.isFull)
    Data(count: ContentDecoding.pendingLimit - 1).withUnsafeBytes { decoding.add($0) }
    #expect(!decoding.isIdle && !decoding.isFull)
    Data(count: 1).withUnsafeBytes { decoding.add($0) }
    #expect(decoding.isFull)
  }

  @Test(arguments: ["gzip, br, br", "br, br, br, br, br, br", "gzip, identity, gzip, gzip"])
  func `a field that names more than two codings is malformed`(field: String) {
    let reason = (#expect(throws: Failure.self) { _ = try ContentCoding.decoders(for: field) })?.reason
    #expect(reason?.isMalformed == true)
  }

  /// The checksum of RFC 1950, section 8.2.
  private static func adler(_ data: Data) -> Data {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return Data([UInt8(b >> 8), UInt8(b & 255), UInt8(a >> 8), UInt8(a & 255)])
  }
}
#endif
