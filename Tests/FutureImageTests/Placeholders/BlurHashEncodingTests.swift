import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct BlurHashEncodingTests {
  private typealias PixelBuffer = FutureImage.PixelBuffer

  @Test func `the fixture has 13 BlurHashes of reference encoders`() {
    #expect(HashReference.blurHashes.count == 10 && HashReference.edgeHashes.count == 3)
  }

  @Test(arguments: HashReference.blurHashes)
  func `the BlurHash of an image equals the result of a reference encoder that averages the cosine over each pixel`(
    reference: HashReference
  ) {
    let text = BlurHash.text(of: reference.pixels, columns: reference.components.columns, rows: reference.components.rows)
    #expect(text == reference.hash)
  }

  /// Returns the header, and the value of each channel of each component.
  private func steps(_ hash: String) -> (header: String, steps: [Int]) {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")
    let digits = hash.dropFirst(6).compactMap { alphabet.firstIndex(of: $0) }
    let steps = stride(from: 0, to: digits.count - 1, by: 2).flatMap { start in
      let value = digits[start] * 83 + digits[start + 1]
      return [value / 361, value / 19 % 19, value % 19]
    }
    // The header is returned without its second character. This character encodes the greatest component, which may differ by a step.
    return (String(hash.prefix(1) + hash.dropFirst(2).prefix(4)), steps)
  }

  @Test(arguments: HashReference.edgeHashes)
  func `the BlurHash of a large image is close to the result of the original encoder, which does not average the cosine`(
    reference: HashReference
  ) {
    let mine = steps(BlurHash.text(of: reference.pixels, columns: reference.components.columns, rows: reference.components.rows))
    let original = steps(reference.hash)
    #expect(mine.header == original.header && mine.steps.count == original.steps.count && !mine.steps.isEmpty)
    let differences = zip(mine.steps, original.steps).map { abs($0 - $1) }
    #expect(differences.allSatisfy { $0 <= 1 })
    #expect(differences.count { $0 > 0 } * 4 <= differences.count)
  }

  @Test(arguments: [(1, 1), (1, 7), (7, 1), (2, 2), (64, 64)])
  func `the BlurHash of an image of one color contains only that color, whatever the size of the image`(width: Int, height: Int) {
    // TSUA encodes 0xFFFFFF. fQ encodes the value 9 for each channel, which stands for a component of zero.
    let white = PixelBuffer.plain(width, height, SIMD4(255, 255, 255, 255))
    #expect(BlurHash.text(of: white, columns: 4, rows: 3) == "L0TSUA" + String(repeating: "fQ", count: 11))
    // 0013T3 is the hash of 0x0913B0 in the tests of the decoder.
    #expect(BlurHash.text(of: .plain(width, height, SIMD4(9, 19, 176, 255)), columns: 1, rows: 1) == "0013T3")
  }

  @Test func `every number of components from 1 to 9 results in a BlurHash of the length that the format requires`() throws {
    let image = PixelBuffer.noise(12, 10, seed: 3)
    for columns in 1...9 {
      for rows in 1...9 {
        let text = BlurHash.text(of: image, columns: columns, rows: rows)
        #expect(text.count == 4 + 2 * columns * rows)
        _ = try BlurHash(text)
      }
    }
  }

  @Test func `the components of an image of extreme contrast are limited to the range of the format`() throws {
    // If the light of white is 1, the horizontal component is 2 / π, but the format's limit is 1 / 2.
    let halves = PixelBuffer(64, 4) { x, _ in x < 32 ? SIMD4(255, 255, 255, 255) : SIMD4(0, 0, 0, 255) }
    let text = BlurHash.text(of: halves, columns: 2, rows: 1)
    // ~ is the greatest scale, and ~q encodes 18 for each channel, which is the greatest component.
    #expect(text.hasPrefix("1~") && text.hasSuffix("~q"))
    let decoded = try #require(BlurHash(text).pixels(FutureImage.PixelSize(width: 32, height: 2)))
    #expect(decoded[0, 0].x == 255 && decoded[31, 0].x < 40)
  }

  @Test func `transparent parts have no effect on the average color of a BlurHash, whatever colors these parts have`() throws {
    func half(_ behind: SIMD4<UInt8>) -> PixelBuffer {
      PixelBuffer(16, 16) { x, _ in x < 8 ? SIMD4(200, 80, 40, 255) : behind }
    }
    let plain = BlurHash.text(of: .plain(16, 16, SIMD4(200, 80, 40, 255)), columns: 4, rows: 3)
    for behind in [SIMD4<UInt8>(0, 0, 0, 0), SIMD4(255, 255, 255, 0), SIMD4(200, 80, 40, 77)] {
      #expect(BlurHash.text(of: half(behind), columns: 4, rows: 3) == plain)
    }
    // With an opacity of 51 / 255, the right half has a weight of a fifth. So the average has (1 + 1/5 × 0) / (1 + 1/5) of the red light
    // of the left half.
    let text = BlurHash.text(of: half(SIMD4(0, 80, 40, 51)), columns: 1, rows: 1)
    let color = try #require(BlurHash(text).pixels(FutureImage.PixelSize(width: 1, height: 1)))[0, 0]
    let red = pow((200 / 255 + 0.055) / 1.055, 2.4) / 1.2
    #expect(color == SIMD4(UInt8(((1.055 * pow(red, 1 / 2.4) - 0.055) * 255).rounded()), 80, 40, 255))
  }

  @Test func `the BlurHash of a completely transparent image is black`() {
    #expect(BlurHash.text(of: .plain(5, 4, SIMD4(255, 0, 0, 0)), columns: 2, rows: 1) == "100000fQ")
  }

  @Test(arguments: [SIMD4<UInt8>(200, 80, 40, 255), SIMD4(3, 250, 128, 255), SIMD4(127, 127, 127, 255)])
  func `a decoded BlurHash has the average color of the image, and becomes darker in the same direction as the image`(color: SIMD4<UInt8>)
    throws
  {
    // Linear light falls from left to right.
    let light = [color.x, color.y, color.z].map { BlurHash.linear(Int($0)) }
    let image = PixelBuffer(48, 32) { x, _ in
      let part = 1.2 - 0.4 * (Double(x) + 0.5) / 48
      return SIMD4(BlurHash.level(light[0] * part), BlurHash.level(light[1] * part), BlurHash.level(light[2] * part), 255)
    }
    let size = FutureImage.PixelSize(width: 32, height: 21)
    let decoded = try #require(BlurHash(BlurHash.text(of: image, columns: 4, rows: 3)).pixels(size))
    for (mine, theirs) in zip(decoded.mean, image.mean) { #expect(abs(mine - theirs) <= 2) }
    #expect(decoded[1, 10].y > decoded[30, 10].y)
    #expect(decoded[16, 0] == decoded[16, 20])
  }

  @Test func `the BlurHash of any image can be decoded`() throws {
    var random = SeededGenerator(seed: 21)
    for round in 0..<200 {
      let (width, height) = (Int.random(in: 1...12, using: &random), Int.random(in: 1...12, using: &random))
      let image = PixelBuffer.noise(width, height, seed: UInt64(round), isOpaque: round % 2 == 0)
      _ = try BlurHash(
        BlurHash.text(of: image, columns: Int.random(in: 1...9, using: &random), rows: Int.random(in: 1...9, using: &random)))
    }
  }
}
