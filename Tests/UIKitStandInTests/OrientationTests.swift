import CImageCodecs
import Foundation
import Testing
import UIKitStandIn

@Suite("Orientation", .timeLimit(.minutes(5)))
struct OrientationTests {
  private func data(_ orientation: Int) throws -> Data {
    try Fixture.data("exif/Landscape_\(orientation).jpg")
  }

  @Test(arguments: 0...8)
  func `all eight orientations decode to the same upright image, and an invalid orientation means upright`(orientation: Int) throws {
    let upright = try ImageCodecs.decode(data(1))
    let image = try ImageCodecs.decode(data(orientation))
    let difference = try #require(image.meanDifference(from: upright))
    #expect(difference < 6, "\(difference)")
  }

  @Test(arguments: 0...8)
  func `the header gives the upright size and the orientation`(orientation: Int) throws {
    let info = try ImageCodecs.info(of: data(orientation))
    #expect(info.size == PixelSize(width: 96, height: 64))
    #expect(info.orientation.rawValue == max(1, orientation))
    #expect(info.storedSize == (orientation > 4 ? PixelSize(width: 64, height: 96) : info.size))
  }

  @Test(arguments: 1...8)
  func `a requested size is the size of the upright image`(orientation: Int) throws {
    let reduced = try ImageCodecs.decode(data(orientation), size: PixelSize(width: 31, height: 20))
    #expect(reduced.width == 31 && reduced.height == 20)
    let stored = try ImageCodecs.decode(data(orientation), size: PixelSize(width: 31, height: 20), applyingOrientation: false)
    #expect(stored.width == (orientation > 4 ? 20 : 31) && stored.height == (orientation > 4 ? 31 : 20))
    #expect(try #require(stored.turned(ExifOrientation(exif: orientation))).hasSamePixels(as: reduced))
  }

  @Test func `each orientation puts the first pixel into the correct corner, and the second pixel beside it`() throws {
    // The corner in which EXIF shows the first pixel of row 0, and the position of the second pixel.
    let corners: [(first: (Int, Int), second: (Int, Int))] = [
      ((0, 0), (1, 0)), ((2, 0), (1, 0)), ((2, 1), (1, 1)), ((0, 1), (1, 1)),
      ((0, 0), (0, 1)), ((1, 0), (1, 1)), ((1, 2), (1, 1)), ((0, 2), (0, 1))
    ]
    let stored = try #require(CGImage.drawn(3, 2) { x, y in Pixel(UInt8(x), UInt8(y), 7, 255) })
    for (index, corner) in corners.enumerated() {
      let turned = try #require(stored.turned(ExifOrientation(exif: index + 1)))
      #expect(turned.width == (index < 4 ? 3 : 2) && turned.height == (index < 4 ? 2 : 3))
      #expect(turned.pixel(corner.first.0, corner.first.1) == Pixel(0, 0, 7, 255), "EXIF \(index + 1)")
      #expect(turned.pixel(corner.second.0, corner.second.1) == Pixel(1, 0, 7, 255), "EXIF \(index + 1)")
    }
  }

  @Test(arguments: 1...8)
  func `an image larger than a tile loses no pixel when it is turned, and is the same after it is turned back`(orientation: Int) throws {
    // An image is turned in tiles of 32 × 32 pixels.
    let stored = try #require(CGImage.noise(70, 37, opaque: false))
    let turned = try #require(stored.turned(ExifOrientation(exif: orientation)))
    #expect(turned.bytes.sorted() == stored.bytes.sorted())
    // A quarter turn to the right reverses a quarter turn to the left. Every other orientation reverses itself.
    let back = orientation == 6 ? 8 : orientation == 8 ? 6 : orientation
    #expect(try #require(turned.turned(ExifOrientation(exif: back))).hasSamePixels(as: stored))
  }

  @Test func `UIKit's cases correspond to EXIF's values`() {
    let order: [UIImage.Orientation] = [.up, .upMirrored, .down, .downMirrored, .leftMirrored, .right, .rightMirrored, .left]
    #expect((1...8).map(UIImage.Orientation.init(exif:)) == order)
    #expect(order.map(\.exif) == Array(1...8))
    #expect(
      (0...7).map(UIImage.Orientation.init(rawValue:)) == [
        .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored
      ])
    #expect(UIImage.Orientation(exif: 0) == .up && UIImage.Orientation(exif: 9) == .up && UIImage.Orientation(exif: -1) == .up)
  }
}

@Suite("EXIF parser", .timeLimit(.minutes(5)))
struct ExifParserTests {
  /// Returns a TIFF with one directory at offset 8 and one entry. With a value of four bytes, the TIFF has 22 bytes.
  private func tiff(
    bigEndian: Bool = true, directory: UInt32 = 8, entries: UInt16 = 1, tag: UInt16 = 0x0112, type: UInt16 = 3, count: UInt32 = 1,
    value: [UInt8]
  ) -> [UInt8] {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: bigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
    }
    let head = Array((bigEndian ? "MM" : "II").utf8) + bytes(UInt16(42)) + bytes(directory)
    return head + bytes(entries) + bytes(tag) + bytes(type) + bytes(count) + value
  }

  @Test(arguments: [(1, 0), (3, 1), (4, 3), (6, 0), (8, 1), (9, 3)])
  func `the parser reads an orientation of every integer type that encoders use`(type: UInt16, place: Int) {
    var value: [UInt8] = [0, 0, 0, 0]
    value[place] = 6
    #expect(cic_exif_orientation(tiff(type: type, value: value), 22) == 6)
    #expect(cic_exif_orientation(tiff(bigEndian: false, type: type, value: [6, 0, 0, 0]), 22) == 6)
    #expect(cic_exif_orientation(tiff(type: type, count: 0, value: value), 22) == 1)
    #expect(cic_exif_orientation(tiff(type: type, count: 2, value: value), 22) == 1)
    value[place] = 0xFA
    #expect(cic_exif_orientation(tiff(type: type, value: value), 22) == 1)
  }

  @Test func `the parser reads short and long values in both byte orders`() {
    #expect(cic_exif_orientation(tiff(value: [0, 6, 0, 0]), 22) == 6)
    #expect(cic_exif_orientation(tiff(bigEndian: false, value: [8, 0, 0, 0]), 22) == 8)
    #expect(cic_exif_orientation(tiff(type: 4, value: [0, 0, 0, 3]), 22) == 3)
    #expect(cic_exif_orientation(tiff(bigEndian: false, type: 4, value: [5, 0, 0, 0]), 22) == 5)
  }

  @Test func `an image with an invalid orientation entry in its EXIF data is upright`() {
    #expect(cic_exif_orientation(tiff(value: [0, 0, 0, 0]), 22) == 1)
    #expect(cic_exif_orientation(tiff(value: [0, 9, 0, 0]), 22) == 1)
    #expect(cic_exif_orientation(tiff(type: 4, value: [1, 0, 0, 6]), 22) == 1)
    #expect(cic_exif_orientation(tiff(type: 7, value: [0, 6, 0, 0]), 22) == 1)
    #expect(cic_exif_orientation(tiff(count: 2, value: [0, 6, 0, 0]), 22) == 1)
    #expect(cic_exif_orientation(tiff(tag: 0x0113, value: [0, 6, 0, 0]), 22) == 1)
    #expect(cic_exif_orientation(tiff(directory: .max, value: [0, 6, 0, 0]), 22) == 1)
    #expect(cic_exif_orientation(tiff(directory: 21, value: [0, 6, 0, 0]), 22) == 1)
    #expect(cic_exif_orientation(tiff(entries: .max, tag: 1, value: [0, 6, 0, 0]), 22) == 1)
  }

  @Test func `truncated EXIF data means an upright image, and no byte beyond the end of the data is read`() {
    let whole = tiff(value: [0, 6])
    for count in 0..<whole.count {
      // The bytes are in a separate array of that length, so that the address sanitizer detects a read beyond it.
      #expect(cic_exif_orientation(Array(whole.prefix(count)), count) == 1)
    }
    #expect(cic_exif_orientation(whole, whole.count) == 6)
  }
}
