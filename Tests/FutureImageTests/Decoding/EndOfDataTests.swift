import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(10))) struct EndOfDataTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  static func fixture(_ path: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(path)) }

  static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: self.folder.appendingPathComponent(folder).path).sorted()
      .filter { ["jpg", "png", "gif", "webp", "avif", "heic"].contains(($0 as NSString).pathExtension) }.map { "\(folder)/\($0)" }
  }

  static let folders = ["jpeg", "exif", "pngsuite", "gif", "webp", "avif", "heic", "beginnings", "resize"]

  private func end(_ bytes: [UInt8]) -> EndOfData { EndOfData(of: Data(bytes)) }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(arguments: folders)
  func `whole fixtures never count as cut off, and fixtures without their last bytes never count as complete`(folder: String) throws {
    for path in try Self.names(in: folder) {
      let data = try Self.fixture(path)
      // The PNG has no image data. The GIF is truncated inside its image data on purpose.
      if path.hasSuffix("xdtn0g01.png") || path.hasSuffix("broken-only.gif") { continue }
      #expect(EndOfData(of: data) != .cutOff, "\(path)")
      #expect(EndOfData(of: data + [0, 0, 0]) != .cutOff, "\(path) with bytes after it")
      // The last bytes of this file are not part of its image.
      if path.hasSuffix("trailing-garbage.gif") { continue }
      #expect(EndOfData(of: data.dropLast(12)) != .complete, "\(path) without its last 12 bytes")
      #expect(EndOfData(of: data.prefix(data.count / 2)) != .complete, "\(path), first half")
    }
  }

  @Test func `a slice of data is checked like whole data`() throws {
    for path in [
      "jpeg/progressive.jpg", "gif/still.gif", "webp/lossy.webp", "avif/color.avif", "heic/color.heic", "pngsuite/basn3p08.png"
    ] {
      let data = try Self.fixture(path)
      let slice = (Data([1, 2, 3]) + data + [4]).dropFirst(3)
      #expect(EndOfData(of: slice.dropLast()) == .complete, "\(path)")
      #expect(EndOfData(of: slice.dropLast(14)) == (path.hasSuffix("jpg") ? .unknown : .cutOff), "\(path)")
    }
  }

  @Test func `the check reports the end of data as unknown if it does not know the format of the data`() {
    #expect(end([]) == .unknown)
    #expect(end([0xFF]) == .unknown)
    #expect(end(bytes("II*\0") + [8, 0, 0, 0]) == .unknown)
    #expect(end(bytes("BM")) == .unknown)
    #expect(end(bytes("RIFF") + [4, 0, 0, 0] + bytes("WAVE")) == .unknown)
  }

  @Test func `a PNG ends after the checksum of its IEND chunk, even if the letters IEND occur earlier`() {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let text: [UInt8] = [0, 0, 0, 4] + bytes("tEXtIEND") + [1, 2, 3, 4]
    let ending: [UInt8] = [0, 0, 0, 0] + bytes("IEND") + [0xAE, 0x42, 0x60, 0x82]
    #expect(end(signature) == .cutOff)
    #expect(end(signature + text) == .cutOff)
    #expect(end(signature + text + ending) == .complete)
    #expect(end(signature + text + ending + [7]) == .complete)
    #expect(end(signature + text + ending.dropLast()) == .cutOff)
    #expect(end(signature + [0xFF, 0xFF, 0xFF, 0xFF] + bytes("IEND") + [0, 0, 0, 0]) == .cutOff)
  }

  @Test func `a GIF ends at its trailer, or at the end of a block if it has no trailer`() {
    let header = bytes("GIF89a") + [4, 0, 4, 0, 0x80, 0, 0] + [0, 0, 0, 9, 9, 9]
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 4, 0, 4, 0, 0, 2, 3, 0x3B, 0x3B, 0x3B, 0]
    let comment: [UInt8] = [0x21, 0xFE, 2, 0x3B, 0, 0]
    #expect(end(header) == .cutOff)
    #expect(end(header.dropLast()) == .cutOff)
    #expect(end(header + comment) == .cutOff)
    #expect(end(header + frame + comment + [0x3B]) == .complete)
    // Some writers end their sub-blocks twice, so zeros after a block are skipped.
    #expect(end(header + frame + [0, 0, 0x3B, 1, 2]) == .complete)
    #expect(end(header + frame) == .complete)
    #expect(end(header + frame.dropLast()) == .cutOff)
    #expect(end(header + frame.dropLast(2)) == .cutOff)
    #expect(end(header + frame + comment.dropLast(3)) == .cutOff)
    #expect(end(header + frame + [0x21]) == .cutOff)
    #expect(EndOfData.markedEnd(of: Data(header + frame + [7, 8, 9])) == header.count + frame.count)
    // The frame declares its own color table of 768 bytes, which is missing.
    #expect(end(header + [0x2C, 0, 0, 0, 0, 4, 0, 4, 0, 0x87, 2, 0]) == .cutOff)
  }

  @Test func `a WebP has as many bytes as its header declares`() {
    func file(_ declared: UInt32, _ count: Int) -> [UInt8] {
      let length = (0..<4).map { UInt8(truncatingIfNeeded: declared >> ($0 * 8)) }
      return bytes("RIFF") + length + bytes("WEBP") + [UInt8](repeating: 7, count: count - 12)
    }
    #expect(end(file(100, 108)) == .complete)
    #expect(end(file(100, 109)) == .complete)
    #expect(end(file(100, 107)) == .cutOff)
    #expect(end(file(.max, 107)) == .cutOff)
    #expect(end(file(3, 107)) == .unknown)
    #expect(end(file(4, 12)) == .complete)
  }

  @Test func `an AVIF ends with its last box, and no declared box length causes an overflow`() {
    func box(_ name: String, _ length: UInt32, _ body: [UInt8] = []) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - $0 * 8)) } + bytes(name) + body
    }
    let type = box("ftyp", 12, bytes("avif"))
    #expect(end(type) == .unknown)
    #expect(end(type + box("mdat", 10, [1, 2])) == .complete)
    #expect(end(type + box("mdat", 10, [1])) == .cutOff)
    #expect(end(type + box("mdat", 1, [0, 0, 0, 0, 0, 0, 0, 17, 1])) == .complete)
    #expect(end(type + box("mdat", 1, [0, 0, 0, 0, 0, 0, 0, 18, 1])) == .cutOff)
    #expect(end(type + box("mdat", 1, [0, 0, 0])) == .cutOff)
    #expect(end(type + box("mdat", 1, [UInt8](repeating: 0xFF, count: 8))) == .cutOff)
    #expect(end(type + box("mdat", 1, [0x7F] + [UInt8](repeating: 0xFF, count: 7))) == .cutOff)
    #expect(end(type + box("mdat", 7)) == .unknown)
    #expect(end(type + box("mdat", 8)) == .complete)
    // The bytes after the image look like a box that is longer than the file, or shorter than its own header.
    #expect(end(type + box("mdat", 10, [1, 2]) + box("SEFH", 500)) == .unknown)
    #expect(end(type + box("mdat", 10, [1, 2]) + box("SEFH", 7)) == .unknown)
    // A box of the kind “meta” belongs to the image, so the file is cut off within this box.
    #expect(end(type + box("mdat", 10, [1, 2]) + box("meta", 500)) == .cutOff)
    // The bytes after the image are too few for a box.
    #expect(end(type + box("mdat", 10, [1, 2]) + [9, 9, 9, 9]) == .complete)
  }

  @Test func `the end of an AVIF is unknown if an image box extends to the end of the file`() {
    let type: [UInt8] = [0, 0, 0, 12] + bytes("ftypavif")
    let media: [UInt8] = [0, 0, 0, 10] + bytes("mdat") + [1, 2]
    // A box with the length 0 extends to the end of the file.
    for open in [[0, 0, 0, 0] + bytes("mdat") + [1], [0, 0, 0, 0] + bytes("mdat"), media + [0, 0, 0, 0] + bytes("meta") + [1, 2]] {
      #expect(end(type + open) == .unknown)
      #expect(EndOfData.markedEnd(of: Data(type + open)) == nil)
    }
    // The end is known if the image is followed by a box that does not belong to it, or by zeros.
    for rest in [[0, 0, 0, 0] + bytes("free") + [1], [UInt8](repeating: 0, count: 9)] {
      #expect(EndOfData.markedEnd(of: Data(type + media + rest)) == type.count + media.count)
    }
  }

  @Test func `a JPEG's end marker counts only outside of segments`() throws {
    let data = try Self.fixture("jpeg/baseline.jpg")
    let thumbnail: [UInt8] = [0xFF, 0xE1, 0, 8, 0xFF, 0xD8, 1, 2, 0xFF, 0xD9]
    let both = data.prefix(2) + thumbnail + data.dropFirst(2)
    #expect(EndOfData(of: both) == .complete)
    #expect(EndOfData(of: both.dropLast(20)) == .unknown)
    #expect(EndOfData(of: both.prefix(2 + thumbnail.count)) == .cutOff)
    // Like libjpeg, the check skips bytes between segments, and fill bytes before a marker.
    let segment = 4 + Int(data[5])
    #expect(EndOfData(of: data.prefix(segment) + [1, 2, 3, 0xFF, 0xFF] + data.dropFirst(segment)) == .complete)
    #expect(end([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0xFF, 0xD9]) == .unknown)
    #expect(end([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0xFF, 0xD9]) == .cutOff)
    #expect(end([0xFF, 0xD8, 0xFF, 0xFF, 0xFF]) == .cutOff)
  }

  @Test func `a JPEG with a damaged scan is complete if it ends with its end marker`() throws {
    var data = try Self.fixture("jpeg/baseline.jpg")
    data.replaceSubrange(data.count - 60..<data.count - 56, with: [0xFF, 0xE0, 0xFF, 0xF0])
    #expect(EndOfData(of: data) == .complete)
    #expect(EndOfData(of: data.dropLast(2)) == .unknown)
  }

  @Test func `checking randomly damaged data neither crashes nor hangs`() throws {
    var random = SeededGenerator(seed: 17)
    for path in ["jpeg/progressive.jpg", "jpeg/restarts.jpg", "gif/dispose-keep.gif", "pngsuite/basn3p08.png", "avif/color.avif"] {
      let data = try Self.fixture(path)
      for _ in 0..<300 {
        var copy = data.dropLast(Int.random(in: 0...4, using: &random))
        for _ in 0..<8 {
          copy[Int.random(in: copy.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        _ = EndOfData(of: copy)
      }
    }
  }
}
