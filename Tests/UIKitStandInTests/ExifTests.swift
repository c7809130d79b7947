import Foundation
import Testing
import UIKitStandIn

@Suite("EXIF", .timeLimit(.minutes(5)))
struct ExifTests {
  /// Returns a TIFF structure with an orientation, a second directory, and a thumbnail of four bytes.
  /// - Parameters:
  ///   - type: the data type of the orientation.
  ///   - second: the position of the second directory; 0 for none.
  private static func tiff(_ orientation: UInt8, type: UInt8 = 3, second: UInt8 = 26, thumbnail: [UInt8] = [9, 9, 9, 9]) -> Data {
    let first: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, type, 0, 1, 0, 0, 0, orientation, 0, 0, 0, second, 0, 0, 0]
    let start: [UInt8] = [1, 2, 4, 0, 1, 0, 0, 0, 56, 0, 0, 0]
    let length: [UInt8] = [2, 2, 4, 0, 1, 0, 0, 0, 4, 0, 0, 0]
    return Data(first + [2, 0] + start + length + [0, 0, 0, 0] + thumbnail)
  }

  /// The bytes of `tiff(_:)` after the library has made the orientation upright, and has removed the second directory and the thumbnail.
  static let upright = tiff(1, second: 0, thumbnail: [0, 0, 0, 0])

  private static let image = ImageWriterTests.gradient(32, 24)

  @Test(arguments: ImageWriterTests.formats) func `EXIF is kept, describes an upright image, and has no thumbnail`(
    format: ImageFormat
  ) throws {
    #expect(try ImageCodecs.exif(of: ImageWriterTests.file(Self.image, format)) == nil)
    for orientation in 1...8 as ClosedRange<UInt8> {
      let turned = try ImageWriterTests.file(Self.image, format, exif: Self.tiff(orientation))
      // libavif ignores the orientation in EXIF, but version 1.x writes this orientation as a property of the image.
      if format != .avif { #expect(try ImageCodecs.info(of: turned).orientation.rawValue == Int(orientation)) }
      let exif = try #require(try ImageCodecs.exif(of: turned))
      #expect(exif == Self.upright)
      let upright = try ImageWriterTests.file(Self.image, format, exif: exif)
      #expect(try ImageCodecs.info(of: upright).orientation == .up)
      #expect(try ImageCodecs.exif(of: upright) == Self.upright)
    }
  }

  @Test(arguments: [true, false]) func `a WebP with EXIF begins with a header that declares the EXIF`(opaque: Bool) throws {
    let file = try ImageWriterTests.file(ImageWriterTests.gradient(32, 24, opaque: opaque), .webp, exif: Self.upright)
    let header = Data("VP8X".utf8) + [10, 0, 0, 0, opaque ? 8 : 0x18, 0, 0, 0, 31, 0, 0, 23, 0, 0]
    #expect(file.dropFirst(12).prefix(18) == header)
    // The length in the file's header is the number of bytes that follow the length.
    #expect(file.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) } == file.count - 8 && file.count % 2 == 0)
  }

  @Test(arguments: [ImageFormat.png, .webp]) func `an animation keeps EXIF, too`(format: ImageFormat) throws {
    let writer = try ImageWriter(format: format, width: 32, height: 24, isAnimated: true, exif: Self.upright)
    for opaque in [true, false] { try writer.add(#require(ImageWriterTests.gradient(32, 24, opaque: opaque)), milliseconds: 100) }
    #expect(try ImageCodecs.exif(of: writer.finish()) == Self.upright)
  }

  @Test func `the orientation becomes upright whatever its type and byte order`() throws {
    let big = Data([0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0])
    let exif = try #require(try ImageCodecs.exif(of: ImageWriterTests.file(Self.image, .jpeg, exif: big)))
    #expect(Array(exif) == [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    for type in 0...13 as ClosedRange<UInt8> {
      let file = try ImageWriterTests.file(Self.image, .jpeg, exif: Self.tiff(6, type: type))
      #expect(try ImageCodecs.exif(of: file) == Self.upright)
    }
  }

  @Test func `a photo's EXIF is found in a JPEG and in a HEIC`() throws {
    for number in 1...8 {
      let exif = try #require(try ImageCodecs.exif(of: Fixture.data("exif/Landscape_\(number).jpg")))
      let file = try ImageWriterTests.file(Self.image, .png, exif: exif)
      #expect(try ImageCodecs.info(of: file).orientation == .up)
    }
    #expect(try ImageCodecs.exif(of: Fixture.data("heic/exif.heic")) != nil)
    #expect(try ImageCodecs.exif(of: Fixture.data("heic/plain.heic")) == nil)
    #expect(try ImageCodecs.exif(of: Data()) == nil)
  }

  @Test func `EXIF that is too long for a JPEG's marker is left out, and so is EXIF of more than a megabyte`() throws {
    func kept(_ count: Int, _ format: ImageFormat) throws -> Int? {
      let exif = Self.upright + Data(count: count - Self.upright.count)
      return try ImageCodecs.exif(of: ImageWriterTests.file(Self.image, format, exif: exif))?.count
    }
    #expect(try kept(65_527, .jpeg) == 65_527 && kept(65_528, .jpeg) == nil)
    for format in ImageWriterTests.formats where format != .jpeg {
      #expect(try kept(65_528, format) == 65_528)
      #expect(try kept(1 << 20, format) == 1 << 20 && kept(1 << 20 + 1, format) == nil)
    }
  }

  @Test func `EXIF that is cut or has changed bytes is left out, or describes an upright image`() throws {
    let whole = try ImageWriterTests.file(Self.image, .png, exif: Self.tiff(6))
    let place = try #require(whole.range(of: Data("eXIf".utf8))).lowerBound - 4
    var found = 0
    for count in 0...Self.tiff(6).count {
      // The header and the first directory have 22 bytes. Without them, there is no EXIF to keep.
      let exif = try ImageCodecs.exif(of: ImageWriterTests.file(Self.image, .png, exif: Self.tiff(6).prefix(count)))
      #expect((exif != nil) == (count >= 22), "\(count) bytes")
    }
    for position in 0..<60 {
      for value in [0, 1, 8, 10, 26, 127, 255] as [UInt8] {
        var bytes = Self.tiff(6)
        bytes[position] = value
        guard let exif = try ImageCodecs.exif(of: ImageWriterTests.file(Self.image, .png, exif: bytes)) else { continue }
        found += 1
        #expect(try ImageCodecs.info(of: ImageWriterTests.file(Self.image, .png, exif: exif)).orientation == .up)
        #expect(exif.count == bytes.count)
      }
    }
    #expect(found > 100)
    // A file that ends within the EXIF has none.
    #expect(try ImageCodecs.exif(of: whole.prefix(place + 40)) == nil)
  }

  @Test(arguments: ImageWriterTests.formats)
  func `a truncated file has no EXIF, or EXIF that describes an upright image, and a damaged file causes no crash`(
    format: ImageFormat
  ) throws {
    let file = try ImageWriterTests.file(CGImage.drawn(1, 1) { _, _ in Pixel(1, 2, 3, 255) }, format, exif: Self.tiff(6))
    for position in file.indices {
      #expect(try ImageCodecs.exif(of: file.prefix(position)).map { $0 == Self.upright } != false)
      var changed = file
      changed[position] ^= 0xFF
      _ = try ImageCodecs.exif(of: changed)
    }
  }
}
