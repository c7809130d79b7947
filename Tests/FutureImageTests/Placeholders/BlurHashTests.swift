import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct BlurHashTests {
  private typealias PixelSize = FutureImage.PixelSize

  @Test func `the fixture has 11 reference BlurHashes`() {
    #expect(PlaceholderReference.blurHashes.count == 11)
  }

  @Test(arguments: PlaceholderReference.blurHashes)
  func `the pixels of a BlurHash differ from those of the reference decoder by at most one level`(reference: PlaceholderReference) throws {
    let pixels = try #require(BlurHash(reference.hash).pixels(reference.size))
    let differences = reference.differences(of: pixels)
    #expect(!differences.isEmpty && differences.allSatisfy { $0 <= 1 })
    // The reference uses single precision, and may round to the neighboring level.
    #expect(differences.count { $0 > 0 } * 100 <= differences.count)
  }

  @Test func `a BlurHash with a single component has its color in every pixel`() throws {
    // 3 + 29 × 83 + 3 × 83² + 1 × 83³ = 0x0913B0.
    let pixels = try #require(BlurHash("0013T3").pixels(PixelSize(width: 3, height: 2)))
    #expect(pixels == .plain(3, 2, SIMD4(9, 19, 176, 255)))
  }

  @Test(arguments: [
    ("", "it has fewer than 6 characters"),
    ("00Ey1", "it has fewer than 6 characters"),
    ("00Ey166", "it has 7 characters, but its first character requires 6"),
    ("LEHV6nWB2yk8pyo0adR*.7kCMdn", "it has 27 characters, but its first character requires 28"),
    ("LEHV6nWB2yk8pyo0adR*.7kCMdnjj", "it has 29 characters, but its first character requires 28"),
    ("LEHV6nWB2yk8pyo0adR*.7kCMd\"j", "it has characters other than the 83 of the format"),
    ("LEHV6nWB2yk8pyo0adR*.7kCMdé", "it has characters other than the 83 of the format"),
    ("00Ey1\u{0}", "it has characters other than the 83 of the format"),
    // The first character is 81, for ten rows of one component, or 82, for ten rows of two components.
    ("}0Ey16" + String(repeating: "00", count: 9), "it has more than 9 rows of components"),
    ("~0Ey16" + String(repeating: "00", count: 19), "it has more than 9 rows of components"),
    // TSUA encodes 0xFFFFFF, and ~q encodes 18, 18, 18.
    ("00TSUB", "its average color is out of range"),
    ("00~~~~", "its average color is out of range"),
    ("1000000~r", "it has 9 characters, but its first character requires 8"),
    ("100000~r", "one of its components is out of range"),
    ("100000~~", "one of its components is out of range"),
    (String(repeating: "~", count: 167), "it has more than 166 characters"),
    (String(repeating: "0", count: 1 << 20), "it has more than 166 characters")
  ])
  func `a text that no encoder writes is refused`(text: String, reason: String) {
    #expect(throws: FutureImage.Failure(.undecodable(reason))) { try BlurHash(text) }
  }

  @Test func `a BlurHash with the greatest values that the format allows is decoded`() throws {
    let white = try #require(BlurHash("00TSUA").pixels(PixelSize(width: 1, height: 1)))
    #expect(white == .plain(1, 1, SIMD4(255, 255, 255, 255)))
    _ = try BlurHash("100000~q")
    let most = try BlurHash("|~TSUA" + String(repeating: "~q", count: 80))
    #expect(most.pixels(PixelSize(width: 32, height: 32)) != nil)
  }

  @Test func `any BlurHash text results in an image or a failure`() {
    var random = SeededGenerator(seed: 8)
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")
    var decoded = 0
    for round in 0..<2_000 {
      let counts = Int.random(in: 0..<83, using: &random)
      let expected = 4 + 2 * (counts % 9 + 1) * (counts / 9 + 1)
      let count = round % 4 == 0 ? Int.random(in: 0..<200, using: &random) : expected
      var text = String((0..<count).map { _ in alphabet[Int.random(in: 0..<83, using: &random)] })
      if round % 4 != 0 { text = String(alphabet[counts]) + text.dropFirst() }
      if round % 5 == 0 { text = String(decoding: random.bytes(count), as: UTF8.self) }
      // This digit makes the average color small, so that some hashes are valid.
      if round % 2 == 0, text.count > 6 { text = text.prefix(2) + "0" + text.dropFirst(3) }
      guard let hash = try? BlurHash(text) else { continue }
      decoded += 1
      let size = PixelSize(width: Int.random(in: 1...8, using: &random), height: Int.random(in: 1...8, using: &random))
      #expect(hash.pixels(size)?.alphas.allSatisfy { $0 == 255 } ?? false)
    }
    #expect(decoded > 200)
  }
}
