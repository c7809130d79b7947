import Foundation
import Testing
import UIKitStandIn

@Suite("PNG against another decoder")
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

  @Test("every valid file of the suite has a reference")
  func complete() {
    #expect(Self.references.map { $0.name + ".png" } == PNGDecodingTests.valid)
  }

  @Test("every pixel is the other decoder's", arguments: references)
  func exact(reference: Reference) throws {
    let image = try ImageCodecs.decode(Fixture.data("pngsuite/\(reference.name).png"))
    #expect(image.width == reference.width && image.height == reference.height)
    // FNV-1a of 64 bits.
    let sum = image.bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    #expect(sum == reference.sum)
  }
}

@Suite("Photo thumbnails")
struct PhotoThumbnailTests {
  @Test(
    "a photo of much detail is within 30 dB of a Lanczos downscale", arguments: ["05-motocross", "08-market-place"], [1, 2, 4])
  func detail(name: String, sixteenths: Int) throws {
    let photos = Fixture.directory.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Demo/Sources/Storefront/Photos")
    let data = try Data(contentsOf: photos.appendingPathComponent("\(name).jpg"))
    let reference = try ImageCodecs.decode(Fixture.data("thumbnails/\(name)-\(sixteenths).png"))
    let image = try ImageCodecs.decode(data, size: PixelSize(width: reference.width, height: reference.height))
    #expect(image.width == reference.width && image.height == reference.height)
    let errors = zip(image.bytes, reference.bytes).enumerated().filter { $0.offset % 4 != 3 }.map { _, pair in
      Double((Int(pair.0) - Int(pair.1)) * (Int(pair.0) - Int(pair.1)))
    }
    let ratio = 10 * log10(255 * 255 * Double(errors.count) / errors.reduce(0, +))
    #expect(ratio >= 30, "\(ratio) dB")
  }
}
