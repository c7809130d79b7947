import Foundation
import Testing
import UIKitStandIn

@Suite("PNG pixels compared with another decoder", .timeLimit(.minutes(5)))
struct PNGReferenceTests {
  struct Reference: Sendable, CustomTestStringConvertible {
    let name: String
    let width: Int
    let height: Int
    let sum: UInt64
    var testDescription: String { name }
  }

  static let references: [Reference] = {
    let text = (try? Fixture.data("references.txt")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ").map(String.init)
      guard parts.count == 4, let width = Int(parts[1]), let height = Int(parts[2]), let sum = UInt64(parts[3], radix: 16)
      else { return nil }
      return Reference(name: parts[0], width: width, height: height, sum: sum)
    }
  }()

  @Test func `every valid file of PngSuite has a reference from another decoder`() {
    #expect(Self.references.map { $0.name + ".png" } == PNGDecodingTests.valid)
  }

  @Test(arguments: references)
  func `every pixel of PngSuite's valid files matches the pixel from another decoder`(reference: Reference) throws {
    let image = try ImageCodecs.decode(Fixture.data("pngsuite/\(reference.name).png"))
    #expect(image.width == reference.width && image.height == reference.height)
    // The checksum is FNV-1a with 64 bits.
    let sum = image.bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    #expect(sum == reference.sum)
  }
}
