import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct ThumbHashTests {
  private typealias PixelSize = FutureImage.PixelSize

  /// A ThumbHash of 24 bytes without alpha.
  private static let square: [UInt8] = [0, 8, 2, 7] + [UInt8](repeating: 0, count: 20)

  @Test func `the fixture has 15 reference ThumbHashes`() {
    #expect(PlaceholderReference.thumbHashes.count == 15)
  }

  @Test(arguments: PlaceholderReference.thumbHashes)
  func `the pixels of a ThumbHash differ from those of the reference decoder by at most one level`(reference: PlaceholderReference) throws {
    let hash = try ThumbHash(base64: reference.hash)
    #expect(hash.size == reference.size)
    let differences = reference.differences(of: try #require(hash.pixels(hash.size)))
    #expect(!differences.isEmpty && differences.allSatisfy { $0 <= 1 })
    // Sums that are computed in another order may round to the neighboring level.
    #expect(differences.count { $0 > 0 } * 100 <= differences.count)
  }

  @Test func `a ThumbHash can be drawn at another size`() throws {
    let hash = try ThumbHash(base64: "1QcSHQRnh493V4dIh4eXh1h4kJUI")
    let small = try #require(hash.pixels(PixelSize(width: 5, height: 3)))
    let large = try #require(hash.pixels(PixelSize(width: 25, height: 15)))
    #expect((small.width, small.height) == (5, 3))
    // The centers of the small image's pixels are the centers of every fifth pixel of the large image.
    for y in 0..<3 {
      for x in 0..<5 {
        for channel in 0..<4 { #expect(abs(Int(small[x, y][channel]) - Int(large[5 * x + 2, 5 * y + 2][channel])) <= 1) }
      }
    }
  }

  @Test(arguments: [
    ("1QcSHQRnh493V4dIh4eXh1h4kJUI", true),
    // Some texts lack the padding, and some use the URL-safe alphabet, which replaces + and /.
    ("XvcJSY4G15iHqIh4DYeHcHc=", true),
    ("XvcJSY4G15iHqIh4DYeHcHc", true),
    ("4OeFC4Io78pieZs4m_BGBx9md4h0eHg", true),
    ("4OeFC4Io78pieZs4m/BGBx9md4h0eHg", true),
    ("IXcBHRBKUs-I-R1ZlYqVZQuWdHAm", true),
    ("IXcBHRBKUs-I+R1ZlYqVZQuWdHAm", true),
    ("4ReKQYQ6CMiIeIf3d1iAhwd4eIeHiHc=", true),
    ("XvcJSY4G15iHqIh4DYeHcHc==", false),
    ("1QcSHQRnh493V4dIh4eXh1h4kJUI=", false),
    ("1QcSHQRnh493V4dI=h4eXh1h4kJUI", false),
    (" 1QcSHQRnh493V4dIh4eXh1h4kJUI", false)
  ])
  func `base64 is decoded with or without padding and in the URL-safe alphabet`(text: String, isValid: Bool) throws {
    if isValid {
      let standard = text.replacing("-", with: "+").replacing("_", with: "/")
      let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
      let bytes = try #require(Data(base64Encoded: standard + padding))
      let expected = try ThumbHash(Array(bytes))
      let hash = try ThumbHash(base64: text)
      #expect(hash.pixels(hash.size) == expected.pixels(expected.size))
    } else {
      #expect(throws: FutureImage.Failure(.undecodable("it is not base64"))) { try ThumbHash(base64: text) }
    }
  }

  @Test(arguments: [("", []), ("AQ==", [1]), ("AQ", [1]), ("AQI=", [1, 2]), ("AQIDBA==", [1, 2, 3, 4])] as [(String, [UInt8])])
  func `base64 ends with up to two padding characters`(text: String, bytes: [UInt8]) {
    #expect(Base64Text.bytes(of: text) == bytes)
  }

  @Test(arguments: ["A", "A===", "====", "AQ=", "AQ===", "AQID=", "AQ==AQ=="]) func `base64 text of an impossible length cannot be decoded`(
    text: String
  ) {
    #expect(Base64Text.bytes(of: text) == nil)
  }

  @Test func `the longest ThumbHash is decoded from bytes and from text`() throws {
    // With alpha, luminance has 7 × 5 components at most.
    let bytes: [UInt8] = [0, 0, 0x80, 7, 0] + [UInt8](repeating: 0, count: 24)
    let text = Data(bytes).base64EncodedString()
    #expect(bytes.count == ThumbHash.longestHash && text.utf8.count == ThumbHash.longestText)
    #expect(try ThumbHash(base64: text).size == ThumbHash(bytes).size)
  }

  @Test func `an invalid ThumbHash is refused`() {
    func reason(_ bytes: [UInt8]) -> FutureImage.Failure.Reason? {
      do {
        _ = try ThumbHash(bytes)
        return nil
      } catch { return error.reason }
    }
    #expect(reason([]) == .undecodable("it has fewer than 5 bytes"))
    #expect(reason(Array(Self.square.prefix(4))) == .undecodable("it has fewer than 5 bytes"))
    #expect(reason(Self.square) == nil)
    #expect(reason(Self.square.dropLast()) == .undecodable("it has 23 bytes, but its header requires more"))
    #expect(reason(Self.square + [0]) == .undecodable("it has 25 bytes, but its header requires fewer"))
    var noSize = Self.square
    noSize[3] &= 0xF8
    #expect(reason(noSize) == .undecodable("its aspect ratio is 0"))
    var alpha = Array(Self.square.prefix(5))
    alpha[2] |= 0x80
    #expect(reason(alpha) == .undecodable("it has fewer than 6 bytes, but its header declares alpha"))
    #expect(reason(alpha + [0]) == .undecodable("it has 6 bytes, but its header requires more"))
    #expect(throws: FutureImage.Failure(.undecodable("it has more than 40 characters"))) {
      try ThumbHash(base64: String(repeating: "A", count: 41))
    }
  }

  @Test func `any bytes that are decoded as a ThumbHash result in an image or a failure`() {
    var random = SeededGenerator(seed: 9)
    var decoded = 0
    for _ in 0..<500 {
      let head = random.bytes(6)
      // At most one of these lengths is valid.
      for count in 0...30 {
        guard let hash = try? ThumbHash(Array((head + random.bytes(24)).prefix(count))) else { continue }
        decoded += 1
        #expect(count <= ThumbHash.longestHash && max(hash.size.width, hash.size.height) == 32)
        #expect(hash.pixels(PixelSize(width: 3, height: 2))?.bytes.count == 24)
      }
    }
    #expect(decoded > 400)
  }

  @Test func `any ThumbHash text results in an image or a failure`() {
    var random = SeededGenerator(seed: 10)
    for round in 0..<1_000 {
      let bytes = random.bytes(Int.random(in: 0..<50, using: &random))
      let text = round % 2 == 0 ? String(decoding: bytes, as: UTF8.self) : Data(bytes).base64EncodedString()
      guard let hash = try? ThumbHash(base64: text) else { continue }
      #expect(hash.pixels(hash.size) != nil)
    }
  }
}
