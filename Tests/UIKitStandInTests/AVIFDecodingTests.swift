import Foundation
import Testing
import UIKitStandIn

@Suite("AVIF decoding", .timeLimit(.minutes(5)))
struct AVIFDecodingTests {
  /// Whether libavif is installed on this machine.
  static let isInstalled: Bool = {
    do throws(CodecError) {
      _ = try ImageCodecs.info(of: (try? Fixture.data("avif/color.avif")) ?? Data())
      return true
    } catch {
      return false
    }
  }()

  private func decode(_ name: String, size: PixelSize? = nil) throws -> CGImage {
    try ImageCodecs.decode(Fixture.data("avif/\(name).avif"), size: size)
  }

  /// Returns the image of 97 × 65 pixels that the fixtures show.
  static func expected(alpha: Bool = false, gray: Bool = false) -> CGImage? {
    CGImage.drawn(97, 65) { x, y in
      let (red, green, blue) = ((x * 255 + 48) / 96, (y * 255 + 32) / 64, ((x + y) * 255 + 80) / 160)
      let light = UInt8((299 * red + 587 * green + 114 * blue) / 1000)
      if gray { return Pixel(light, light, light, 255) }
      return Pixel(UInt8(red), UInt8(green), UInt8(blue), alpha ? UInt8(255 - red) : 255)
    }
  }

  @Test(.disabled(if: isInstalled))
  func `without libavif, AVIF is unsupported, and the error names the library`() throws {
    let text = "AVIF, which needs libavif 0.11 or 1.x (Debian package libavif16; libavif15 on Debian 12)"
    #expect(throws: CodecError.unsupported(text)) { try decode("color") }
  }

  @Test(.enabled(if: isInstalled), arguments: ["color", "full-chroma", "gray", "alpha"])
  func `decoded pixels are close to the image from which the file was made`(name: String) throws {
    let expected = try #require(Self.expected(alpha: name == "alpha", gray: name == "gray"))
    let difference = try #require(decode(name).meanDifference(from: expected))
    #expect(difference < 2, "\(difference)")
  }

  @Test(
    .enabled(if: isInstalled),
    arguments: ["twelve-bits", "twelve-bits-alpha", "premultiplied", "twelve-bits-premultiplied"])
  func `an AVIF with twelve bits or premultiplied alpha decodes to pixels close to the image from which it was made`(name: String) throws {
    let expected = try #require(Self.expected(alpha: name != "twelve-bits"))
    let image = try decode(name)
    #expect(try #require(image.meanDifference(from: expected)) < 4)
    // Premultiplication removes most of the color of nearly transparent pixels, so the test compares pixels with more alpha.
    for (x, y) in [(0, 0), (20, 64), (70, 10), (50, 33)] {
      let (mine, theirs) = (image.pixel(x, y), expected.pixel(x, y))
      #expect((0..<4).allSatisfy { abs(Int(mine[$0]) - Int(theirs[$0])) <= 8 }, "\(mine) at (\(x), \(y)), not \(theirs)")
    }
  }

  @Test(.enabled(if: isInstalled))
  func `the bands in which a large image is converted have no visible edges`() throws {
    // The image alternates between two red rows and two blue rows. The decoder converts an image of this width in bands of 62 rows.
    let image = try decode("bands")
    for y in 5..<63 {
      let (mine, before) = (image.pixel(9, y), image.pixel(9, y - 4))
      #expect((0..<4).allSatisfy { abs(Int(mine[$0]) - Int(before[$0])) <= 8 }, "\(mine) in row \(y), \(before) above")
    }
  }

  // MARK: - Parts

  @Test(.enabled(if: isInstalled))
  func `an image is cropped to its clean aperture`() throws {
    let data = try Fixture.data("avif/cropped.avif")
    let expected = try ImageCodecs.decode(Fixture.data("png/cropped-avif.png"))
    #expect(expected.width == 64 && expected.height == 48)
    #expect(try ImageCodecs.info(of: data).size == PixelSize(width: 64, height: 48))
    // This decoder and the decoder of the reference round differently when they convert from YUV.
    #expect(try #require(decode("cropped").largestDifference(from: expected)) <= 3)
    let size = PixelSize(width: 16, height: 12)
    let reduced = try #require(expected.reduced(to: size))
    #expect(try #require(decode("cropped", size: size).largestDifference(from: reduced)) <= 3)
  }

  /// Decodes the fixture with another clean aperture. An aperture has four fractions, and each of their eight numbers has four bytes.
  private func cropped(_ aperture: [Int32]) throws -> CGImage {
    var data = try Fixture.data("avif/cropped.avif")
    let box = try #require(data.range(of: Data("clap".utf8))).upperBound
    data.replaceSubrange(box..<box + 32, with: aperture.flatMap { withUnsafeBytes(of: $0.bigEndian) { Array($0) } })
    return try ImageCodecs.decode(data)
  }

  @Test(.enabled(if: isInstalled))
  func `a clean aperture can begin at any pixel, and is ignored if it is invalid or outside the image`() throws {
    // A width of 0 is invalid, so the decoder shows the whole image.
    let whole = try cropped([0, 1, 0, 1, 0, 1, 0, 1])
    let (width, height) = (Int32(whole.width), Int32(whole.height))
    for (x, y) in [(0, 0), (1, 1), (3, 5), (2, 1), (7, 0)] as [(Int32, Int32)] {
      // An aperture declares the distance from the center of the image to the center of the part.
      let part = try cropped([20, 1, 13, 1, 2 * x + 20 - width, 2, 2 * y + 13 - height, 2])
      #expect(part.width == 20 && part.height == 13)
      for row in 0..<13 {
        #expect((0..<20).allSatisfy { part.pixel($0, row) == whole.pixel($0 + Int(x), row + Int(y)) }, "row \(row) of (\(x), \(y))")
      }
    }
    for aperture in [
      [20, 0, 13, 1, 0, 1, 0, 1], [20, 1, 13, 1, 0, 0, 0, 1], [21, 2, 13, 1, 0, 1, 0, 1], [width + 1, 1, 13, 1, 0, 1, 0, 1],
      [20, 1, 13, 1, -1000, 1, 0, 1], [20, 1, 13, 1, 1000, 1, 0, 1], [20, 1, 13, 1, 1, 3, 0, 1], [20, 1, 13, 1, 0, 1, 0, -1]
    ] as [[Int32]] {
      #expect(try cropped(aperture).hasSamePixels(as: whole), "\(aperture)")
    }
  }

  // MARK: - Grids

  /// The colors of the tiles in the fixture, which has two rows of three tiles.
  private static let tiles = [
    Pixel(255, 0, 0, 255), Pixel(0, 255, 0, 220), Pixel(0, 0, 255, 180), Pixel(255, 255, 0, 140), Pixel(0, 255, 255, 100),
    Pixel(255, 0, 255, 60)
  ]

  /// Returns the fixture with the tile references of its grids in other orders. The first order is for the color grid, and the second is
  /// for the alpha grid.
  private func grid(_ orders: [[Int]]) throws -> Data {
    var data = try Fixture.data("avif/grid.avif")
    var start = data.startIndex
    for order in orders {
      // The box contains its name, the identifier of the grid, the number of tiles, and their identifiers. Each number has two bytes.
      let box = try #require(data.range(of: Data("dimg".utf8), in: start..<data.endIndex))
      let first = box.upperBound + 4
      let ids = (0..<6).map { Data(data[first + 2 * $0..<first + 2 * $0 + 2]) }
      data.replaceSubrange(first..<first + 12, with: order.map { ids[$0] }.reduce(Data(), +))
      start = box.upperBound
    }
    return data
  }

  @Test(
    .enabled(if: isInstalled),
    arguments: [
      ([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]), ([5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 0]), ([3, 0, 5, 1, 4, 2], [3, 0, 5, 1, 4, 2]),
      ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]), ([1, 0, 2, 3, 4, 5], [0, 1, 2, 3, 5, 4])
    ])
  func `the tiles of a grid are placed in the order of its references`(color: [Int], alpha: [Int]) throws {
    let data = try grid([color, alpha])
    let image = try ImageCodecs.decode(data)
    #expect(image.width == 192 && image.height == 128)
    let small = try ImageCodecs.decode(data, size: PixelSize(width: 48, height: 32))
    for place in 0..<6 {
      var tile = Self.tiles[color[place]]
      tile.w = Self.tiles[alpha[place]].w
      let (x, y) = (place % 3 * 64 + 32, place / 3 * 64 + 32)
      for found in [image.pixel(x, y), small.pixel(x / 4, y / 4)] {
        #expect((0..<4).allSatisfy { abs(Int(found[$0]) - Int(tile[$0])) <= 4 }, "\(found) in place \(place), not \(tile)")
      }
    }
  }

  /// Returns the fixture with an alpha item for each tile instead of an alpha grid. Items 9 to 14 have the alpha of items 2 to 7.
  private func gridOfTilesWithAlpha(_ order: [Int]) throws -> Data {
    var data = try Fixture.data("avif/grid.avif")
    func number(_ value: Int, bytes: Int) -> Data { Data((0..<bytes).map { UInt8(value >> (8 * (bytes - 1 - $0)) & 255) }) }
    func box(_ name: String, _ numbers: [Int]) -> Data {
      number(8 + 2 * numbers.count, bytes: 4) + Data(name.utf8) + numbers.map { number($0, bytes: 2) }.reduce(Data(), +)
    }
    func add(_ value: Int, at position: Int) {
      let old = data[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      data.replaceSubrange(position..<position + 4, with: number(old + value, bytes: 4))
    }
    let alpha = (0..<6).map { box("auxl", [9 + $0, 1, 2 + $0]) }.reduce(Data(), +)
    let references = Data(count: 4) + box("dimg", [1, 6] + order.map { 2 + $0 }) + alpha
    let name = try #require(data.range(of: Data("iref".utf8)))
    let length = data[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    data.replaceSubrange(name.upperBound..<name.lowerBound - 4 + length, with: references)
    let added = references.count + 8 - length
    add(added, at: name.lowerBound - 4)
    add(added, at: try #require(data.range(of: Data("meta".utf8))).lowerBound - 4)
    // The boxes before the data of the 14 items are longer now, so the positions of the data change.
    let locations = try #require(data.range(of: Data("iloc".utf8))).upperBound + 8
    for item in 0..<14 { add(added, at: locations + 14 * item + 6) }
    return data
  }

  @Test(
    .enabled(if: isInstalled),
    arguments: [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]])
  func `a grid without an alpha grid uses its tiles' alpha items, and damaged tables do not crash the decoder`(order: [Int]) throws {
    let data = try gridOfTilesWithAlpha(order)
    let image = try ImageCodecs.decode(data)
    for place in 0..<6 {
      let (found, tile) = (image.pixel(place % 3 * 64 + 32, place / 3 * 64 + 32), Self.tiles[order[place]])
      #expect((0..<4).allSatisfy { abs(Int(found[$0]) - Int(tile[$0])) <= 4 }, "\(found) in place \(place), not \(tile)")
    }
    for position in 32..<800 {
      var copy = data
      copy[position] = 0xFF
      _ = try? ImageCodecs.decode(copy, size: PixelSize(width: 6, height: 4))
    }
  }

  @Test(.enabled(if: isInstalled))
  func `a grid that refers to a tile twice is refused`() throws {
    #expect(throws: CodecError.self) { try ImageCodecs.decode(grid([[0, 1, 2, 3, 4, 4]])) }
    #expect(throws: CodecError.self) { try ImageCodecs.decode(grid([[5, 5, 5, 5, 5, 5]])) }
  }

  @Test(.enabled(if: isInstalled))
  func `a grid with damaged tables decodes or is refused, without a crash`() throws {
    let data = try grid([[5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 0]])
    for position in 32..<760 {
      for value: UInt8 in [0, 1, 0xFF] {
        var copy = data
        copy[position] = value
        _ = try? ImageCodecs.decode(copy, size: PixelSize(width: 6, height: 4))
      }
    }
  }

  @Test(.enabled(if: isInstalled), arguments: 2...8)
  func `an orientation is applied at the full size and at a reduced size`(orientation: Int) throws {
    let upright = try #require(Self.expected()?.turned(ExifOrientation(exif: orientation)))
    #expect(try #require(decode("turned-\(orientation)").meanDifference(from: upright)) < 2)
    let size = PixelSize(width: 20, height: 21)
    let small = try #require(upright.reduced(to: size))
    #expect(try #require(decode("turned-\(orientation)", size: size).meanDifference(from: small)) < 2)
  }

  @Test(.enabled(if: isInstalled))
  func `a sequence decodes to its first image`() throws {
    let data = try Fixture.data("avif/animated.avif")
    let image = try ImageCodecs.decode(data)
    #expect(image.width == 24 && image.pixel(3, 5).x > 240 && image.pixel(3, 5).z < 15)
  }

  @Test(.enabled(if: isInstalled))
  func `an AVIF at the limit of pixels or held bytes decodes, and an AVIF beyond either limit is refused`() throws {
    let data = try Fixture.data("avif/color.avif")
    func isTooLarge(_ change: (inout CodecLimits) -> Void) -> Bool {
      var limits = CodecLimits()
      change(&limits)
      do throws(CodecError) {
        _ = try ImageCodecs.decode(data, limits: limits)
        return false
      } catch {
        if case .tooLarge = error { return true }
        return false
      }
    }
    #expect(!isTooLarge { $0.maxPixels = 97 * 65 })
    #expect(isTooLarge { $0.maxPixels = 97 * 65 - 1 })
    // In 4:2:0, each pixel counts as three bytes.
    #expect(!isTooLarge { $0.maxHeldBytes = 97 * 65 * 3 })
    #expect(isTooLarge { $0.maxHeldBytes = 97 * 65 * 3 - 1 })
  }

  @Test(.enabled(if: isInstalled))
  func `each tile of a grid counts as half a megabyte of held bytes`() throws {
    let data = try Fixture.data("avif/grid.avif")
    var limits = CodecLimits()
    // The grid has six tiles for the colors and six for the alpha. This limit has no room for the planes of the image, which take less than
    // two megabytes, whether in 4:2:0 or in 4:4:4.
    limits.maxHeldBytes = 12 << 19
    #expect { try ImageCodecs.decode(data, limits: limits) } throws: { if case .tooLarge = $0 as? CodecError { true } else { false } }
    limits.maxHeldBytes += 2 << 20
    #expect(try ImageCodecs.decode(data, limits: limits).width == 192)
  }

  @Test(.enabled(if: isInstalled))
  func `a truncated AVIF is refused`() throws {
    let data = try Fixture.data("avif/alpha.avif")
    for count in stride(from: 32, to: data.count, by: 13) {
      #expect(throws: CodecError.self, "\(count) bytes") { try ImageCodecs.decode(data.prefix(count)) }
    }
  }
}
