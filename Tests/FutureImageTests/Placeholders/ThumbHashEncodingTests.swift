import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct ThumbHashEncodingTests {
  private typealias PixelBuffer = FutureImage.PixelBuffer
  private typealias PixelSize = FutureImage.PixelSize

  private func text(_ image: FutureImage.PixelBuffer) -> String { Data(ThumbHash.bytes(of: image)).base64EncodedString() }

  @Test func `the fixture has 15 ThumbHashes of a reference encoder`() {
    #expect(HashReference.thumbHashes.count == 15)
  }

  @Test(arguments: HashReference.thumbHashes)
  func `the ThumbHash of an image equals the result of the reference encoder`(reference: HashReference) {
    #expect(text(reference.pixels) == reference.hash)
  }

  /// The header of a ThumbHash: the constant and the scale of each channel, and the fields for alpha and the aspect ratio. `shape` contains
  /// these fields and the number of bytes.
  private struct Fields {
    let constants: [Int]
    let scales: [Int]
    let shape: [Int]

    init(_ bytes: [UInt8]) {
      let header = bytes.prefix(5).reversed().reduce(0) { $0 << 8 | Int($1) }
      func bits(_ count: Int, at position: Int) -> Int { header >> position & (1 << count - 1) }
      shape = [bits(1, at: 23), bits(3, at: 24), bits(1, at: 39), bytes.count]
      let alpha = shape[0] == 1 ? Int(bytes[5]) : 0
      constants = [bits(6, at: 0), bits(6, at: 6), bits(6, at: 12), alpha & 15]
      scales = [bits(5, at: 18), bits(6, at: 27), bits(6, at: 33), alpha >> 4]
    }
  }

  /// The arguments are hashes from `Fixtures/placeholders.txt`. All of their decoded levels are in range, so decoding clamps no level.
  @Test(arguments: ["YykGLYb0aamIeXd9dKhnh/iGHZ/I", "1QcSHQRnh493V4dIh4eXh1h4kJUI", "mgcSKQh3jxh3cnloeZ9hN/c="])
  func `a ThumbHash that was decoded and encoded again is nearly the same`(hash: String) throws {
    let bytes = try #require(Base64Text.bytes(of: hash))
    let decoded = try ThumbHash(bytes)
    let pixels = try #require(decoded.pixels(decoded.size))
    let (before, after) = (Fields(bytes), Fields(ThumbHash.bytes(of: pixels)))
    #expect(after.shape == before.shape)
    for (mine, theirs) in zip(after.constants, before.constants) { #expect(abs(mine - theirs) <= 1) }
    #expect(abs(after.scales[0] - before.scales[0]) <= 1)
    // Decoders make colors more saturated, by a quarter.
    for channel in 1...2 { #expect(abs(Double(after.scales[channel]) - Double(before.scales[channel]) * 1.25) <= 1.5) }
  }

  // One hash is left out, because no encoder writes it. It has alpha and is marked as tall, but its aspect ratio is that of a wide image.
  @Test(arguments: PlaceholderReference.thumbHashes.filter { !$0.hash.hasPrefix("mmXp") })
  func `a ThumbHash that was decoded and encoded again has the same shape`(reference: PlaceholderReference) throws {
    let bytes = try #require(Base64Text.bytes(of: reference.hash))
    let decoded = try ThumbHash(bytes)
    let again = ThumbHash.bytes(of: try #require(decoded.pixels(decoded.size)))
    #expect(try ThumbHash(again).size == decoded.size)
    #expect(again.count == bytes.count)
  }

  @Test(arguments: [(1, 1), (2, 3), (4, 5), (40, 40), (100, 1), (1, 100)])
  func `the ThumbHash of an image of one color contains only that color`(width: Int, height: Int) throws {
    for color in [SIMD4<UInt8>(200, 80, 40, 255), SIMD4(255, 255, 255, 255), SIMD4(0, 0, 0, 255)] {
      let bytes = ThumbHash.bytes(of: .plain(width, height, color))
      #expect(Fields(bytes).scales == [0, 0, 0, 0] && bytes.dropFirst(5).allSatisfy { $0 == 0 })
      let decoded = try ThumbHash(bytes)
      let pixel = try #require(decoded.pixels(PixelSize(width: 1, height: 1)))[0, 0]
      // The format has 64 steps for luminance and for each color difference.
      for channel in 0..<3 { #expect(abs(Int(pixel[channel]) - Int(color[channel])) <= 8) }
    }
  }

  @Test func `the decoded ThumbHash of an image one pixel high is close to that of the same image eight pixels high`() throws {
    let narrow = PixelBuffer(60, 1) { x, _ in SIMD4(UInt8(4 * x), 200, 90, 255) }
    // The same image with more pixels determines all components.
    let tall = PixelBuffer(60, 8) { x, _ in narrow[x, 0] }
    let size = PixelSize(width: 32, height: 5)
    func decoded(_ image: FutureImage.PixelBuffer) throws -> FutureImage.PixelBuffer {
      try #require(ThumbHash(ThumbHash.bytes(of: image)).pixels(size))
    }
    // The likeness of two images is in decibels.
    #expect(try decoded(narrow).likeness(decoded(tall)) > 30)
  }

  @Test func `the ThumbHash of a black image equals the result of the reference encoder`() {
    #expect(text(.plain(40, 40, SIMD4(0, 0, 0, 255))) == "AAgCBwAAAAAAAAAAAAAAAAAAAAAAAAAA")
  }

  @Test(arguments: [
    (100, 100, 7, 7), (100, 75, 7, 5), (75, 100, 5, 7), (100, 50, 7, 4), (100, 14, 7, 1), (14, 100, 1, 7), (100, 1, 7, 1), (1, 100, 1, 7),
    (2, 1, 7, 4)
  ])
  func `a ThumbHash has the nearest aspect ratio that the format can represent`(width: Int, height: Int, columns: Int, rows: Int) throws {
    let hash = try ThumbHash(ThumbHash.bytes(of: .noise(width, height, seed: 4)))
    #expect(hash.size == Self.size(columns, rows))
  }

  @Test(arguments: [(100, 100, 5, 5), (100, 60, 5, 3), (60, 100, 3, 5), (100, 1, 5, 1), (1, 100, 1, 5)])
  func `a ThumbHash with alpha has fewer possible aspect ratios`(width: Int, height: Int, columns: Int, rows: Int) throws {
    let hash = try ThumbHash(ThumbHash.bytes(of: .noise(width, height, seed: 5, isOpaque: false)))
    #expect(hash.size == Self.size(columns, rows))
  }

  private static func size(_ columns: Int, _ rows: Int) -> FutureImage.PixelSize {
    let longer = Double(max(columns, rows))
    return FutureImage.PixelSize(
      width: Int((32 * Double(columns) / longer).rounded()), height: Int((32 * Double(rows) / longer).rounded()))
  }

  @Test func `a ThumbHash contains alpha if any pixel is not opaque`() throws {
    let opaque = PixelBuffer.plain(20, 10, SIMD4(10, 200, 90, 255))
    var other = opaque
    other[19, 9].w = 254
    #expect(Fields(ThumbHash.bytes(of: opaque)).shape[0] == 0 && Fields(ThumbHash.bytes(of: other)).shape[0] == 1)
  }

  @Test func `a decoded ThumbHash is transparent where the image is, and does not have the colors of transparent pixels`() throws {
    let image = PixelBuffer(60, 40) { x, _ in x < 30 ? SIMD4(200, 80, 40, 255) : SIMD4(0, 255, 0, 0) }
    let hash = try ThumbHash(ThumbHash.bytes(of: image))
    let decoded = try #require(hash.pixels(hash.size))
    let middle = decoded.height / 2
    #expect(decoded[2, middle].w > 215 && decoded[decoded.width - 3, middle].w < 40)
    for x in 0..<decoded.width {
      for (channel, level) in [200, 80, 40].enumerated() { #expect(abs(Int(decoded[x, middle][channel]) - level) <= 8) }
    }
  }

  @Test func `the ThumbHash of a completely transparent image is transparent black`() throws {
    // The reference encoder makes this hash of a transparent black image.
    #expect(text(.plain(40, 40, SIMD4(0, 0, 0, 0))) == "AAiCBQAAAAAAAAAAAAAAAAAAAAAAAAAAAA==")
    #expect(text(.plain(40, 40, SIMD4(255, 0, 0, 0))) == "AAiCBQAAAAAAAAAAAAAAAAAAAAAAAAAAAA==")
  }

  @Test(arguments: [3, 4, 5, 6]) func `a decoded ThumbHash has the average color of the image`(seed: UInt64) throws {
    // The image is gray, so it has no color differences, which the format stores in larger steps than luminance.
    let image = PixelBuffer(50, 30) { x, y in
      let level = UInt8(40 + 2 * x + Int(seed) * y / 2)
      return SIMD4(level, level, level, 255)
    }
    let hash = try ThumbHash(ThumbHash.bytes(of: image))
    let decoded = try #require(hash.pixels(hash.size))
    // Luminance has 64 steps, so rounding changes it by at most two levels. Truncation changes it by less than one level. The color
    // differences have no step at zero. The distance from zero to the nearest step is half a step, which is four levels.
    func luminance(_ mean: [Double]) -> Double { (mean[0] + mean[1] + mean[2]) / 3 }
    #expect(abs(luminance(decoded.mean) - luminance(image.mean)) <= 2 + 1)
    for (mine, theirs) in zip(decoded.mean, image.mean) { #expect(abs(mine - theirs) <= 7) }
  }

  @Test func `the ThumbHash of any image can be decoded, and has at most 25 bytes`() throws {
    var random = SeededGenerator(seed: 22)
    var longest = 0
    for round in 0..<200 {
      let (width, height) = (Int.random(in: 1...16, using: &random), Int.random(in: 1...16, using: &random))
      let bytes = ThumbHash.bytes(of: .noise(width, height, seed: UInt64(round), isOpaque: round % 2 == 0))
      longest = max(longest, bytes.count)
      _ = try ThumbHash(bytes)
    }
    #expect(longest == 25)
  }
}
