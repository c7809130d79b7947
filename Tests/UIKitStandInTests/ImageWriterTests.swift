import Foundation
import Testing
import UIKitStandIn

@Suite("Writing images", .timeLimit(.minutes(5)))
struct ImageWriterTests {
  static let formats = ImageCodecs.writableFormats
  static let hasAVIF = formats.contains(.avif)

  static func file(
    _ image: CGImage?, _ format: ImageFormat, quality: Double = 0.8, exif: Data? = nil
  ) throws -> Data {
    let image = try #require(image)
    let writer = try ImageWriter(format: format, width: image.width, height: image.height, quality: quality, exif: exif)
    try writer.add(image)
    return try writer.finish()
  }

  /// Returns an image with smooth colors. If the image is not opaque, its alpha decreases from the left to the right.
  static func gradient(_ width: Int, _ height: Int, opaque: Bool = true) -> CGImage? {
    CGImage.drawn(width, height) { x, y in
      Pixel(UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) * 127 / (width + height)), opaque ? 255 : UInt8(255 - x * 2))
    }
  }

  /// Returns the peak signal-to-noise ratio of red, green, and blue, in decibels.
  private func ratio(_ image: CGImage, _ original: CGImage) throws -> Double {
    try #require(image.width == original.width && image.height == original.height)
    var sum = 0.0
    for (i, (mine, other)) in zip(image.bytes, original.bytes).enumerated() where i % 4 != 3 {
      sum += (Double(mine) - Double(other)) * (Double(mine) - Double(other))
    }
    return 10 * log10(255 * 255 * Double(image.width * image.height * 3) / max(sum, 1e-9))
  }

  @Test(arguments: formats) func `a photo that is written decodes to a similar photo, which is closer at a higher quality`(
    format: ImageFormat
  ) throws {
    let photo = try ImageCodecs.decode(Fixture.data("exif/Landscape_1.jpg"), size: PixelSize(width: 320, height: 240))
    let (good, bad) = try (Self.file(photo, format, quality: 0.8), Self.file(photo, format, quality: 0.2))
    #expect(ImageFormat.sniff(good) == format)
    let (near, far) = try (ratio(ImageCodecs.decode(good), photo), ratio(ImageCodecs.decode(bad), photo))
    if format == .png {
      #expect(good == bad && near > 100)
    } else {
      #expect(near > 30 && near > far + 2 && bad.count * 2 < good.count, "\(near) dB, \(far) dB, \(good.count) and \(bad.count) bytes")
    }
  }

  @Test(arguments: formats) func `a color is nearly the same after it is written and decoded`(format: ImageFormat) throws {
    for color in [Pixel(255, 0, 0, 255), Pixel(0, 255, 0, 255), Pixel(0, 0, 255, 255), Pixel(128, 64, 200, 255), .init(repeating: 255)] {
      let decoded = try ImageCodecs.decode(Self.file(CGImage.drawn(32, 32) { _, _ in color }, format, quality: 0.95))
      let seen = decoded.pixel(16, 16)
      for i in 0..<4 { #expect(abs(Int(seen[i]) - Int(color[i])) <= 4, "\(seen) instead of \(color)") }
    }
  }

  @Test(arguments: formats.filter { $0 != .jpeg }) func `a written file preserves alpha`(format: ImageFormat) throws {
    let image = try #require(Self.gradient(97, 65, opaque: false))
    let decoded = try ImageCodecs.decode(Self.file(image, format))
    let differences = stride(from: 3, to: image.bytes.count, by: 4).map { abs(Int(image.bytes[$0]) - Int(decoded.bytes[$0])) }
    #expect(try #require(differences.max()) <= (format == .avif ? 6 : 0))
  }

  @Test(.enabled(if: hasAVIF)) func `an AVIF declares its colors as sRGB with the code numbers of BT.709, sRGB, and BT.601`() throws {
    let file = try Self.file(Self.gradient(32, 24), .avif)
    // The last byte means that brightness has the full range.
    let numbers = Data("nclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80]
    #expect(file.range(of: numbers) != nil)
  }

  @Test(.enabled(if: hasAVIF)) func `alpha of an AVIF is more accurate than its colors`() throws {
    let image = try #require(CGImage.noise(64, 64, opaque: false))
    let decoded = try ImageCodecs.decode(Self.file(image, .avif, quality: 0.3))
    func difference(_ channel: Int) -> Int {
      stride(from: channel, to: image.bytes.count, by: 4).reduce(0) { $0 + abs(Int(image.bytes[$1]) - Int(decoded.bytes[$1])) }
    }
    #expect(difference(3) * 2 < difference(1))
  }

  @Test(arguments: formats) func `an image of one pixel, and images of odd sizes, keep their size`(format: ImageFormat) throws {
    for (width, height) in [(1, 1), (1, 17), (3, 2), (64, 1), (129, 7)] {
      let decoded = try ImageCodecs.decode(Self.file(Self.gradient(width, height), format))
      #expect(decoded.width == width && decoded.height == height)
    }
  }

  private static let limits: [(ImageFormat, name: String, Int)] = [
    (.jpeg, "a JPEG", 65_500), (.png, "a PNG", 1_000_000), (.webp, "a WebP", 16_383), (.avif, "an AVIF", 32_768)
  ]

  @Test(arguments: formats) func `an image with a side that is too long for the format is refused with the format's limit`(
    format: ImageFormat
  ) throws {
    let (_, name, limit) = try #require(Self.limits.first { $0.0 == format })
    let longest = try #require(Self.gradient(1, limit))
    let info = try ImageCodecs.decodedSize(Self.file(longest, format))
    #expect(info == nil || info == PixelSize(width: 1, height: limit))
    for (width, height) in [(limit + 1, 2), (2, limit + 1), (.max, 2)] {
      let size = "\(min(width, Int(UInt32.max))) × \(height)"
      let text = "\(name) of \(size) pixels; the longest side that can be written has \(limit) pixels"
      #expect(throws: CodecError.tooLarge(text)) { try ImageWriter(format: format, width: width, height: height) }
    }
    #expect(throws: CodecError.unsupported("\(name) without pixels")) { try ImageWriter(format: format, width: 0, height: -1) }
  }

  @Test func `a format that cannot be written, and an animated JPEG, are refused`() {
    for format in [ImageFormat.gif, .heic, .tiff, .bmp] {
      #expect(throws: CodecError.unsupported("encoding \(format.rawValue.uppercased())")) {
        try ImageWriter(format: format, width: 1, height: 1)
      }
    }
    let text = "a JPEG with several images; the format has one image only"
    #expect(throws: CodecError.unsupported(text)) { try ImageWriter(format: .jpeg, width: 1, height: 1, isAnimated: true) }
  }

  @Test(.disabled(if: hasAVIF)) func `without libavif, an AVIF cannot be written, and the error names the library`() {
    let text =
      "encoding AVIF, which needs libavif 0.11 or 1.x with libaom's encoder (Debian package libavif16; libavif15 on Debian 12)"
    #expect(throws: CodecError.unsupported(text)) { try ImageWriter(format: .avif, width: 1, height: 1) }
  }

  @Test(arguments: formats) func `a file without an image, with one image too many, or with an image of another size is refused`(
    format: ImageFormat
  ) throws {
    let image = try #require(Self.gradient(8, 8))
    let writer = try ImageWriter(format: format, width: 8, height: 8)
    #expect(throws: CodecError.self) { try writer.finish() }
    #expect(throws: CodecError.unsupported("an image of 8 × 4 pixels in a file of 8 × 8")) {
      try writer.add(#require(Self.gradient(8, 4)))
    }
    try writer.add(image)
    #expect(throws: CodecError.self) { try writer.add(image) }
    #expect(try ImageCodecs.decode(writer.finish()).width == 8)
    #expect(throws: CodecError.self) { try writer.add(image) }
    #expect(throws: CodecError.self) { try writer.finish() }
  }
}

extension ImageCodecs {
  /// Returns the size of the image; nil if it is larger than the decoders accept.
  fileprivate static func decodedSize(_ data: Data) throws(CodecError) -> PixelSize? {
    do {
      return try info(of: data).size
    } catch .tooLarge {
      return nil
    }
  }
}
