import Foundation
import Testing
import UIKitStandIn

@Suite("Writing animations", .timeLimit(.minutes(5)))
struct AnimationWriterTests {
  private static let durations = [100, 250, 70_000, 40]

  /// Returns four frames. Frame n shows n translucent squares of 12 × 12 pixels over frame 0. The color of the squares depends on n.
  private static func frames() throws -> [CGImage] {
    let first = try #require(ImageWriterTests.gradient(64, 48))
    return try (0..<4).map { number in
      try #require(
        CGImage.drawn(64, 48) { x, y in
          let isChanged = (1..<number + 1).contains { (8 * $0..<8 * $0 + 12).contains(x) && (6 * $0..<6 * $0 + 12).contains(y) }
          return isChanged ? Pixel(255, UInt8(30 * number), 20, 200) : first.pixel(x, y)
        })
    }
  }

  private static func file(_ format: ImageFormat, plays: Int, exif: Data? = nil) throws -> Data {
    let writer = try ImageWriter(format: format, width: 64, height: 48, quality: 0.95, isAnimated: true, plays: plays, exif: exif)
    for (frame, duration) in try zip(frames(), durations) { try writer.add(frame, milliseconds: duration) }
    return try writer.finish()
  }

  @Test(arguments: [0, 1, 3]) func `a written animated WebP has the given frames, durations, and number of plays`(plays: Int) throws {
    let data = try Self.file(.webp, plays: plays)
    let reader = try #require(try AnimationReader(data))
    #expect(reader.milliseconds == Self.durations && reader.plays == plays)
    for frame in try Self.frames() {
      let image = try #require(try reader.next())
      #expect(try #require(image.meanDifference(from: frame)) < 3)
    }
    #expect(try reader.next() == nil)
  }

  @Test func `if all frames that are written to an animated WebP are equal, the file has only one frame`() throws {
    let image = try #require(ImageWriterTests.gradient(16, 16))
    let writer = try ImageWriter(format: .webp, width: 16, height: 16, isAnimated: true)
    for _ in 0..<3 { try writer.add(image, milliseconds: 100) }
    #expect(try ImageCodecs.info(of: writer.finish()).frames == 1)
  }

  @Test func `an animation that plays for longer than libwebp can count is refused`() throws {
    let writer = try ImageWriter(format: .webp, width: 1, height: 1, isAnimated: true)
    let frames = try (0..<2).map { number in try #require(CGImage.drawn(1, 1) { _, _ in Pixel(UInt8(255 * number), 0, 0, 255) }) }
    #expect(throws: CodecError.tooLarge("a WebP that plays for more than 24 days")) {
      for i in 0..<200 { try writer.add(frames[i % 2], milliseconds: .max) }
    }
  }

  // MARK: - PNG

  private struct Chunk {
    let name: String
    let body: Data

    func number(_ offset: Int, bytes: Int = 4) -> Int {
      body.dropFirst(offset).prefix(bytes).reduce(0) { $0 << 8 | Int($1) }
    }
  }

  private static func chunks(_ png: Data) -> [Chunk] {
    var chunks: [Chunk] = []
    var rest = png.dropFirst(8)
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      chunks.append(Chunk(name: String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self), body: rest.dropFirst(8).prefix(length)))
      rest = rest.dropFirst(12 + length)
    }
    return chunks
  }

  /// Returns a PNG with these chunks. Computes the checksums (CRC) as annex D of the specification defines them.
  private static func png(_ chunks: [Chunk]) -> Data {
    func bigEndian(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
    return chunks.reduce(into: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])) { file, chunk in
      let content = Data(chunk.name.utf8) + chunk.body
      var crc = UInt32.max
      for byte in content {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
      }
      file += bigEndian(UInt32(chunk.body.count)) + content + bigEndian(~crc)
    }
  }

  @Test func `an animated PNG has its chunks in the order of the specification, with correct checksums`() throws {
    let data = try Self.file(.png, plays: 3, exif: ExifTests.upright)
    let chunks = Self.chunks(data)
    #expect(Self.png(chunks) == data)
    #expect(
      chunks.map(\.name) == ["IHDR", "sRGB", "eXIf", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"])
    let control = try #require(chunks.first { $0.name == "acTL" })
    #expect(control.number(0) == 4 && control.number(4) == 3)
    #expect(chunks.filter { ["fcTL", "fdAT"].contains($0.name) }.map { $0.number(0) } == Array(0..<7))
  }

  @Test func `each frame of an animated PNG stores its duration, and only the rectangle that differs from the previous frame`() throws {
    let controls = try Self.chunks(Self.file(.png, plays: 0)).filter { $0.name == "fcTL" }
    let parts = controls.map { control in (1...4).map { control.number(4 * $0) } }
    // After the first frame, each rectangle covers all squares of its frame, because the color of the earlier squares changes, too.
    #expect(parts == [[64, 48, 0, 0], [12, 12, 8, 6], [20, 18, 8, 6], [28, 24, 8, 6]])
    #expect(controls.map { [$0.number(20, bytes: 2), $0.number(22, bytes: 2)] } == [[100, 1000], [250, 1000], [7_000, 100], [40, 1000]])
    // No frame is disposed of, and no frame is blended with the one before.
    #expect(controls.allSatisfy { $0.number(24, bytes: 2) == 0 && $0.body.count == 26 })
  }

  @Test func `the frames of an animated PNG, drawn one over the other, are the frames that were written`() throws {
    let chunks = try Self.chunks(Self.file(.png, plays: 0))
    let header = try #require(chunks.first)
    var canvas = try #require(ImageWriterTests.gradient(64, 48)?.bytes)
    var number = 0
    for (i, control) in chunks.enumerated() where control.name == "fcTL" {
      let (width, height, left, top) = (control.number(4), control.number(8), control.number(12), control.number(16))
      let pixels = chunks[(i + 1)...].prefix { ["IDAT", "fdAT"].contains($0.name) }.map { chunk in
        Chunk(name: "IDAT", body: chunk.name == "IDAT" ? chunk.body : chunk.body.dropFirst(4))
      }
      let ihdr = Chunk(name: "IHDR", body: control.body.dropFirst(4).prefix(8) + header.body.dropFirst(8))
      let part = try ImageCodecs.decode(Self.png([ihdr] + pixels + [Chunk(name: "IEND", body: Data())])).bytes
      for y in 0..<height {
        let start = ((top + y) * 64 + left) * 4
        canvas.replaceSubrange(start..<start + width * 4, with: part[y * width * 4..<(y + 1) * width * 4])
      }
      #expect(try canvas == Self.frames()[number].bytes, "frame \(number)")
      number += 1
    }
    #expect(number == 4)
  }

  @Test func `in an animated PNG, a frame that equals the previous frame is stored as one pixel, and long durations are rounded`() throws {
    let image = try #require(ImageWriterTests.gradient(16, 16))
    let writer = try ImageWriter(format: .png, width: 16, height: 16, isAnimated: true)
    for milliseconds in [1, 65_535, 65_536, 6_553_504, .max] { try writer.add(image, milliseconds: milliseconds) }
    let data = try writer.finish()
    let controls = Self.chunks(data).filter { $0.name == "fcTL" }
    #expect(controls.dropFirst().allSatisfy { control in (1...4).map { control.number(4 * $0) } == [1, 1, 0, 0] })
    #expect(
      controls.map { [$0.number(20, bytes: 2), $0.number(22, bytes: 2)] }
        == [[1, 1000], [65_535, 1000], [6_554, 100], [65_535, 10], [65_535, 1]])
    // Decoded as a still image, the file shows its first frame.
    #expect(try ImageCodecs.decode(data).hasSamePixels(as: image))
  }

  // MARK: - AVIF

  @Test(.enabled(if: ImageWriterTests.hasAVIF))
  func `a written animated AVIF declares how many frames it has and how long each frame lasts`() throws {
    let data = try Self.file(.avif, plays: 0)
    #expect(data.dropFirst(8).prefix(4) == Data("avis".utf8))
    // The box stts has, for each group of frames, the number of frames and their duration in milliseconds (ISO/IEC 14496-12, 8.6.1.2).
    let table = try #require(data.range(of: Data("stts".utf8)))
    let numbers = (0..<10).map { i in data[(table.upperBound + 4 * i)...].prefix(4).reduce(0) { $0 << 8 | Int($1) } }
    #expect(numbers == [0, 4] + Self.durations.flatMap { [1, $0] })
    // The box mdhd has the number of units in a second, which is 1,000 (ISO/IEC 14496-12, 8.4.2). In version 1 of the box, the times before
    // this number are longer.
    let header = try #require(data.range(of: Data("mdhd".utf8))).upperBound
    #expect(data[(header + (data[header] == 1 ? 20 : 12))...].prefix(4) == Data([0, 0, 3, 0xE8]))
    #expect(try #require(ImageCodecs.decode(data).meanDifference(from: Self.frames()[0])) < 3)
  }
}
