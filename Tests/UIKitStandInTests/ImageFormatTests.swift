import Foundation
import Testing
import UIKitStandIn

@Suite("ImageFormat", .timeLimit(.minutes(5)))
struct ImageFormatTests {
  static let heads: [(ImageFormat, [UInt8])] = [
    (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]),
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.gif, Array("GIF89a".utf8)),
    (.gif, Array("GIF87a".utf8)),
    (.webp, Array("RIFF1234WEBPVP8 ".utf8)),
    (.avif, [0, 0, 0, 24] + Array("ftypavif".utf8) + [0, 0, 0, 0] + Array("mif1miaf".utf8)),
    (.avif, [0, 0, 0, 24] + Array("ftypmif1".utf8) + [0, 0, 0, 0] + Array("miafavif".utf8)),
    (.heic, [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)),
    (.heic, [0, 0, 0, 20] + Array("ftypmif1".utf8) + [0, 0, 0, 0] + Array("miaf".utf8) + Array("meta, infe: hvc1".utf8)),
    (.tiff, [0x49, 0x49, 0x2A, 0x00, 8, 0, 0, 0]),
    (.tiff, [0x4D, 0x4D, 0x00, 0x2A, 0, 0, 0, 8]),
    (.bmp, Array("BM".utf8) + [1, 2, 3, 4, 0, 0, 0, 0, 54, 0, 0, 0])
  ]

  @Test(arguments: heads)
  func `each format is recognized by its first bytes`(format: ImageFormat, head: [UInt8]) {
    #expect(ImageFormat.sniff(Data(head)) == format)
  }

  @Test(arguments: heads.filter { $0.0 != .avif && $0.0 != .heic })
  func `a part of a format's first bytes is recognized as that format or as no format`(format: ImageFormat, head: [UInt8]) {
    for count in 0..<head.count {
      let found = ImageFormat.sniff(Data(head.prefix(count)))
      #expect(found == nil || found == format)
    }
    #expect(ImageFormat.sniff(Data()) == nil)
  }

  @Test func `a video, a HEIF file without an HEVC item, an HTML page, and text are not recognized as images`() {
    #expect(ImageFormat.sniff(Data([0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("avif".utf8))) == nil)
    // The box has "avif" as its version number, and the bytes after the box are "avif" again.
    #expect(ImageFormat.sniff(Data([0, 0, 0, 20] + Array("ftypisomavifmp41avif".utf8))) == nil)
    // An image file without an HEVC item.
    #expect(ImageFormat.sniff(Data([0, 0, 0, 16] + Array("ftypmif1".utf8) + [0, 0, 0, 0])) == nil)
    #expect(ImageFormat.sniff(Data("<!DOCTYPE html><html>".utf8)) == nil)
    #expect(ImageFormat.sniff(Data("BMW and other text".utf8)) == nil)
  }

  @Test func `a slice of data is recognized by the first bytes of the slice`() {
    let data = Data([1, 2, 3, 0xFF, 0xD8, 0xFF, 0xE0])
    #expect(ImageFormat.sniff(data.dropFirst(3)) == .jpeg)
  }

  @Test func `a known format without a decoder is unsupported, and an unknown format is unrecognized`() {
    #expect(throws: CodecError.unsupported("TIFF")) { try ImageCodecs.info(of: Data([0x49, 0x49, 0x2A, 0x00, 8, 0, 0, 0])) }
    #expect(throws: CodecError.unrecognized) { try ImageCodecs.decode(Data("hello".utf8)) }
    #expect(throws: CodecError.unrecognized) { try ImageCodecs.info(of: Data()) }
  }
}
