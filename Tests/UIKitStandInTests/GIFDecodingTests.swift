import Foundation
import Testing
import UIKitStandIn

@Suite("GIF decoding", .timeLimit(.minutes(5)))
struct GIFDecodingTests {
  static let colors = [Pixel(255, 0, 0, 255), Pixel(0, 255, 0, 255), Pixel(0, 0, 255, 255), Pixel(255, 255, 0, 255)]

  /// Returns the index of the color that the fixtures have at a position.
  private static func pattern(_ x: Int, _ y: Int) -> Int { (x + 2 * y + x * y) % 4 }

  private func decode(_ name: String) throws -> CGImage { try ImageCodecs.decode(Fixture.data("gif/\(name).gif")) }

  private func expect(_ name: String, _ width: Int, _ height: Int, _ pixel: (Int, Int) -> Pixel) throws {
    let image = try decode(name)
    let drawn = CGImage.drawn(width, height, pixel)
    #expect(try image.hasSamePixels(as: #require(drawn)), "\(name)")
    #expect(try ImageCodecs.info(of: Fixture.data("gif/\(name).gif")).size == PixelSize(width: width, height: height))
  }

  @Test(
    arguments: ["still", "interlaced", "gif87a", "no-canvas", "trailing-garbage", "no-trailer", "double-zero"])
  func `GIFs that store the same image in different ways decode to the same pixels`(name: String) throws {
    try expect(name, 13, 17) { Self.colors[Self.pattern($0, $1)] }
  }

  @Test func `a frame's colors come from its own table, otherwise from the file's table, and are grays if there is neither table`() throws {
    try expect("local-palette", 4, 4) { x, y in
      let first = UInt8(3 * Self.pattern(x, y) + 1)
      return Pixel(first, first + 1, first + 2, 255)
    }
    try expect("no-palette", 4, 4) { x, y in
      let gray = UInt8(Self.pattern(x, y))
      return Pixel(gray, gray, gray, 255)
    }
    // In this file, one color of the table is transparent.
    try expect("transparent", 4, 4) { x, y in Self.pattern(x, y) == 2 ? .zero : Self.colors[Self.pattern(x, y)] }
  }

  @Test func `a frame smaller than its canvas is drawn at its position, and the other pixels are transparent`() throws {
    try expect("small-frame", 9, 7) { x, y in (2..<6).contains(x) && (3..<5).contains(y) ? Self.colors[1] : .zero }
    try expect("small-frame-interlaced", 9, 7) { x, y in
      (2..<7).contains(x) && (1..<7).contains(y) ? Self.colors[Self.pattern(x - 2, y - 1)] : .zero
    }
    try expect("outside-canvas", 6, 5) { _, _ in .zero }
  }

  @Test(arguments: ["beyond-canvas", "beyond-canvas-interlaced"])
  func `a frame larger than its canvas is clipped`(name: String) throws {
    try expect(name, 6, 5) { x, y in x >= 2 && y >= 1 ? Self.colors[Self.pattern(x - 2, y - 1)] : .zero }
  }

  @Test func `a frame whose pixels end before its last row shows the rows that it has`() throws {
    try expect("rows-missing", 4, 4) { _, y in y < 2 ? Self.colors[1] : .zero }
  }

  @Test func `a GIF whose first pixels have a code beyond the table is refused`() throws {
    let error = CodecError.corrupt("the GIF's pixels are damaged: fewer than a tenth of its rows can be read")
    #expect(throws: error) { try decode("broken-only") }
  }

  @Test func `the info of a GIF states its frame count, its play count, and whether the GIF is interlaced`() throws {
    let info = try ImageCodecs.info(of: Fixture.data("gif/dispose-keep.gif"))
    #expect(info.frames == 5 && info.plays == 4 && !info.isProgressive && info.format == .gif)
    let transparent = try ImageCodecs.info(of: Fixture.data("gif/animated-transparent.gif"))
    #expect(transparent.frames == 3 && transparent.plays == 0)
    let still = try ImageCodecs.info(of: Fixture.data("gif/interlaced.gif"))
    #expect(still.frames == 1 && still.plays == 1 && still.isProgressive)
  }

  @Test(
    arguments: ["still", "interlaced", "small-frame", "beyond-canvas", "transparent", "rows-missing"])
  func `decoding a GIF at a reduced size gives the same pixels as reducing the whole image`(name: String) throws {
    let whole = try decode(name)
    for size in [PixelSize(width: 3, height: 4), PixelSize(width: 4, height: 3)] {
      let reduced = try ImageCodecs.decode(Fixture.data("gif/\(name).gif"), size: size)
      #expect(try reduced.hasSamePixels(as: #require(whole.reduced(to: size))))
    }
  }

  @Test func `a GIF of a million frames decodes to its first frame, and info counts at most 10,000 frames`() throws {
    var data = try Fixture.data("gif/dispose-keep.gif")
    let first = try #require(data.range(of: Data([0x21, 0xF9])))
    data.removeLast()
    let frames = data[first.lowerBound...]
    for _ in 0..<200_000 { data += frames }
    #expect(try ImageCodecs.info(of: data).frames == 10_000)
    let image = try ImageCodecs.decode(data)
    #expect(image.pixel(0, 0) == Self.colors[0])
    #expect(try ImageCodecs.animation(of: data, most: 3)?.frames.count == 3)
    #expect(try AnimationReader(data)?.milliseconds.count == 10_000)
  }
}
