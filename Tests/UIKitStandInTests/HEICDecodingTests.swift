import Foundation
import Testing
import UIKitStandIn

@Suite("HEIC decoding", .timeLimit(.minutes(5)))
struct HEICDecodingTests {
  /// Whether libheif and its decoder are installed on this machine.
  static let isInstalled = ImageCodecs.formats.contains(.heic)

  private func decode(_ name: String, size: PixelSize? = nil) throws -> CGImage {
    try ImageCodecs.decode(Fixture.data("heic/\(name).heic"), size: size)
  }

  private func difference(_ image: CGImage, _ expected: CGImage?) throws -> Double {
    let expected = try #require(expected)
    return try #require(image.meanDifference(from: expected))
  }

  @Test(.disabled(if: isInstalled))
  func `without libheif, HEIC is unsupported, and the error names the library`() throws {
    let text =
      "HEIC, which needs libheif 1.x and its HEVC decoder (Debian package libheif1; since Debian 13, also libheif-plugin-libde265)"
    #expect(throws: CodecError.unsupported(text)) { try decode("color") }
    #expect(throws: CodecError.unsupported(text)) { try ImageCodecs.info(of: Fixture.data("heic/color.heic")) }
  }

  @Test(
    .enabled(if: isInstalled),
    arguments: [
      "color", "full-chroma", "half-chroma", "gray", "limited-gray", "ten-bits", "ten-bits-gray", "twelve-bits", "without-brand",
      "still-of-sequence"
    ])
  func `decoded pixels are close to the image from which the file was made`(name: String) throws {
    let expected = try #require(AVIFDecodingTests.expected(gray: name.hasSuffix("gray")))
    let image = try decode(name)
    #expect(image.width == 97 && image.height == 65)
    #expect(try difference(image, expected) < 1.5)
    let size = PixelSize(width: 24, height: 16)
    #expect(try difference(decode(name, size: size), expected.reduced(to: size)) < 1.5)
  }

  @Test(.enabled(if: isInstalled), arguments: ["alpha", "colored-alpha", "ten-bits-alpha", "premultiplied"])
  func `decoded pixels with alpha are close to the image from which the file was made`(name: String) throws {
    let expected = try #require(AVIFDecodingTests.expected(alpha: true))
    let image = try decode(name)
    #expect(try difference(image, expected) < 4)
    // Premultiplication removes most of the color of nearly transparent pixels, so the test compares pixels with more alpha.
    for (x, y) in [(0, 0), (20, 64), (70, 10), (50, 33)] {
      let (mine, theirs) = (image.pixel(x, y), expected.pixel(x, y))
      #expect((0..<4).allSatisfy { abs(Int(mine[$0]) - Int(theirs[$0])) <= 8 }, "\(mine) at (\(x), \(y)), not \(theirs)")
    }
  }

  @Test(.enabled(if: isInstalled))
  func `an image is cropped to its clean aperture`() throws {
    // The image has 96 × 64 pixels. The center of the part is 5 pixels to the right of the image's center, and 3 pixels above it.
    let whole = try #require(AVIFDecodingTests.expected())
    let part = try #require(CGImage.drawn(64, 48) { x, y in whole.pixel(x + 21, y + 5) })
    #expect(try ImageCodecs.info(of: Fixture.data("heic/cropped.heic")).size == PixelSize(width: 64, height: 48))
    #expect(try difference(decode("cropped"), part) < 1.5)
    let size = PixelSize(width: 16, height: 12)
    #expect(try difference(decode("cropped", size: size), part.reduced(to: size)) < 1.5)
  }

  // MARK: - Orientation

  @Test(.enabled(if: isInstalled), arguments: 2...8)
  func `an orientation is applied at the full size and at a reduced size`(orientation: Int) throws {
    let upright = try #require(AVIFDecodingTests.expected()?.turned(ExifOrientation(exif: orientation)))
    #expect(try ImageCodecs.info(of: Fixture.data("heic/turned-\(orientation).heic")).orientation.rawValue == orientation)
    #expect(try difference(decode("turned-\(orientation)"), upright) < 1.5)
    let size = PixelSize(width: 20, height: 21)
    #expect(try difference(decode("turned-\(orientation)", size: size), upright.reduced(to: size)) < 1.5)
  }

  @Test(.enabled(if: isInstalled))
  func `a mirror and a rotation are applied in the order in which the file lists them`() throws {
    #expect(try difference(decode("mirrored-first"), AVIFDecodingTests.expected()?.turned(.upMirrored)?.turned(.right)) < 1.5)
  }

  @Test(.enabled(if: isInstalled))
  func `the orientation in EXIF has no effect`() throws {
    #expect(try ImageCodecs.info(of: Fixture.data("heic/exif.heic")).orientation == .up)
    #expect(try decode("exif").hasSamePixels(as: decode("color")))
  }

  // MARK: - Grids

  /// The colors of the tiles in the fixtures, which have two rows of three tiles.
  private static let tiles = [
    Pixel(255, 0, 0, 255), Pixel(0, 255, 0, 220), Pixel(0, 0, 255, 180), Pixel(255, 255, 0, 140), Pixel(0, 255, 255, 100),
    Pixel(255, 0, 255, 60)
  ]

  @Test(
    .enabled(if: isInstalled),
    arguments: [
      ("grid", [0, 1, 2, 3, 4, 5]), ("grid-reversed", [5, 4, 3, 2, 1, 0]), ("grid-of-tiles-with-alpha", [0, 1, 2, 3, 4, 5])
    ])
  func `the tiles of a grid are placed in the order of its references, and cut off at its edges`(name: String, order: [Int]) throws {
    let image = try decode(name)
    #expect(image.width == 180 && image.height == 120)
    let small = try decode(name, size: PixelSize(width: 45, height: 30))
    for place in 0..<6 {
      let (tile, column, row) = (Self.tiles[order[place]], place % 3, place / 3)
      for (x, y) in [(column * 64 + 2, row * 64 + 2), (min(column * 64 + 61, 179), min(row * 64 + 61, 119))] {
        let found = image.pixel(x, y)
        #expect((0..<4).allSatisfy { abs(Int(found[$0]) - Int(tile[$0])) <= 4 }, "\(found) in place \(place), not \(tile)")
      }
      let found = small.pixel(column * 16 + 6, row * 16 + 6)
      #expect((0..<4).allSatisfy { abs(Int(found[$0]) - Int(tile[$0])) <= 4 }, "\(found) in place \(place), not \(tile)")
    }
  }

  @Test(.enabled(if: isInstalled))
  func `a grid is turned as a whole`() throws {
    let turned = try #require(decode("grid").turned(.right))
    #expect(try decode("grid-turned").hasSamePixels(as: turned))
  }

  // MARK: - Limits

  @Test(.enabled(if: isInstalled))
  func `a HEIC at the limit of pixels decodes, and a HEIC beyond the limit is refused`() throws {
    // The encoder has padded the image of 97 × 65 pixels, so that its sides are even.
    let size = 98 * 66
    #expect(try !isTooLarge("color") { $0.maxPixels = size })
    #expect(try isTooLarge("color") { $0.maxPixels = size - 1 })
    #expect(try !isTooLarge("grid") { $0.maxPixels = 180 * 120 })
    #expect(try isTooLarge("grid") { $0.maxPixels = 180 * 120 - 1 })
  }

  @Test(
    .enabled(if: isInstalled),
    arguments: [("color", 5), ("full-chroma", 7), ("half-chroma", 6), ("gray", 3), ("ten-bits", 14), ("ten-bits-gray", 6)])
  func `the decoder's memory for the pixels of a HEIC, and four copies of its data, count as held bytes`(
    name: String, bytesPerPixel: Int
  ) throws {
    // The encoder rounds the size of 98 × 66 pixels up to multiples of 8, its smallest blocks.
    let pixels = 104 * 72 * bytesPerPixel
    let data = try Fixture.data("heic/\(name).heic").count
    #expect(try isTooLarge(name) { $0.maxHeldBytes = pixels })
    #expect(try !isTooLarge(name) { $0.maxHeldBytes = pixels + 4 * data })
  }

  @Test(.enabled(if: isInstalled))
  func `the held bytes of a HEIC grid count the tiles of one row, and not the tiles of other rows`() throws {
    // A row has three tiles. The decode of a tile takes 7 bytes per pixel. The colors of the three tiles take 3 bytes per pixel each, and
    // the alpha of the two tiles that are not being decoded takes 1 byte per pixel each.
    let bytes = 64 * 64 * (7 + 3 + 2 * 3 + 2 * 1)
    // The copies of a tile's data count, too. They have fewer than 2,000 bytes.
    #expect(try isTooLarge("grid") { $0.maxHeldBytes = bytes })
    #expect(try !isTooLarge("grid") { $0.maxHeldBytes = bytes + 2_000 })
  }

  private func isTooLarge(_ name: String, _ change: (inout CodecLimits) -> Void) throws -> Bool {
    var limits = CodecLimits()
    change(&limits)
    let data = try Fixture.data("heic/\(name).heic")
    do throws(CodecError) {
      _ = try ImageCodecs.decode(data, limits: limits)
      return false
    } catch {
      if case .tooLarge = error { return true }
      throw error
    }
  }

  // MARK: - Damage

  @Test(.enabled(if: isInstalled), arguments: ["color", "alpha", "grid", "ten-bits"])
  func `a truncated HEIC is refused`(name: String) throws {
    let data = try Fixture.data("heic/\(name).heic")
    for count in 32..<data.count {
      #expect(throws: CodecError.self, "\(count) bytes") { try ImageCodecs.decode(data.prefix(count)) }
    }
  }

  @Test(.enabled(if: isInstalled), arguments: ["alpha", "grid", "grid-of-tiles-with-alpha", "cropped"])
  func `a HEIC with damaged tables decodes or is refused, without a crash`(name: String) throws {
    let data = try Fixture.data("heic/\(name).heic")
    let end = try #require(data.range(of: Data("mdat".utf8))).upperBound
    for position in 8..<end {
      for value: UInt8 in [0, 1, 0xFF] {
        var copy = data
        copy[position] = value
        _ = try? ImageCodecs.decode(copy, size: PixelSize(width: 6, height: 4))
      }
    }
  }
}
