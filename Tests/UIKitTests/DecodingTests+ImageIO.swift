#if canImport(UIKit)
import ImageIO
import Testing

@testable import FutureImage

extension DecodingTests {
  /// The formats of rows 11 and 12 of the report that `Tests/first-run` writes.
  enum Format: String, CaseIterable, Sendable {
    case jpeg, png, gif, webp, heic, avif

    @MainActor func data() throws -> Data {
      switch self {
      case .jpeg: try Fixture.data("beginnings/sequential.jpg")
      case .png: try Fixture.data("beginnings/plain.png")
      case .gif: try Fixture.data("beginnings/plain.gif")
      case .webp: try Fixture.data("beginnings/lossy.webp")
      case .heic: try #require(Pixels.image(640).heicData())
      case .avif: try Fixture.data("avif/color.avif")
      }
    }
  }

  /// Row 11 of the report that `Tests/first-run` writes.
  @MainActor @Test(arguments: Format.allCases)
  func `the decoder decodes a whole file, and throws for a truncated file`(format: Format) throws {
    let data = try format.data()
    let decoder = FutureImage.StandardDecoder()
    let size = try decoder.size(of: data)
    let cuts = [("whole", data), ("half", data.prefix(data.count / 2)), ("without its last 12 bytes", data.dropLast(12))]
    for (name, part) in cuts {
      let source = try #require(CGImageSourceCreateWithData(Data(part) as CFData, nil))
      let statuses = (CGImageSourceGetStatus(source).rawValue, CGImageSourceGetStatusAtIndex(source, 0).rawValue)
      record(11, "\(format.rawValue), \(name)", "status \(statuses.0) of the source, status \(statuses.1) of its first image")
    }
    #expect(throws: Never.self) { try decoder.decode(data, size: size) }
    for (name, part) in cuts.dropFirst() {
      #expect(throws: FutureImage.Failure.self, "\(name)") { try decoder.decode(Data(part), size: size) }
    }
  }

  /// Row 27 of the report that `Tests/first-run` writes. In a preview, the library makes the rows of pixels that have not arrived
  /// transparent, because an incremental source of ImageIO may draw them gray or black.
  @Test(arguments: ["beginnings/sequential.jpg", "beginnings/progressive.jpg"])
  func `the missing rows of a preview are transparent`(path: String) throws {
    let data = try Fixture.data(path)
    let decoder = FutureImage.StandardDecoder()
    let size = try decoder.size(of: data)
    let half = Data(data.prefix(data.count / 2))
    let image = try #require(try decoder.preview(of: half, size: size))
    let pixel = try #require(FutureImage.PixelBuffer(image, scale: 1)?[image.width / 2, image.height - 1])
    record(27, "\(path): alpha info, and a pixel of the last row", "\(image.alphaInfo.rawValue) \(pixel)")
    // Half of a progressive JPEG has pixels for every row.
    if path.contains("sequential") { #expect(pixel[3] == 0) }
  }

  /// Row 12 of the report that `Tests/first-run` writes.
  @MainActor @Test(arguments: [Format.jpeg, .png, .heic])
  func `ImageIO makes a thumbnail that is a bitmap of the requested size`(format: Format) throws {
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceCreateThumbnailWithTransform: true,
      kCGImageSourceShouldCacheImmediately: true, kCGImageSourceThumbnailMaxPixelSize: 100
    ]
    let source = try #require(CGImageSourceCreateWithData(try format.data() as CFData, nil))
    let image = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary))
    #expect(max(image.width, image.height) == 100)
    #expect(image.bytesPerRow >= image.width * image.bitsPerPixel / 8)
    let space = spaceName(of: image) ?? "no name"
    record(
      12, format.rawValue,
      "\(image.width) × \(image.height), bitmap info \(image.bitmapInfo.rawValue), \(image.bytesPerRow) bytes per row, \(space)")
  }

  private func spaceName(of image: CGImage) -> String? { image.colorSpace.flatMap { $0.name as String? } }

  /// The encodings of the PNGs in the tests of pixel formats.
  enum Encoding: String, CaseIterable, Sendable {
    case displayP3, sixteenBits, translucent

    var colorSpace: CFString { self == .displayP3 ? CGColorSpace.displayP3 : CGColorSpace.sRGB }
    var bits: Int { self == .sixteenBits ? 16 : 8 }
    var isOpaque: Bool { self != .translucent }

    /// Returns a file of 50 × 30 pixels. The number of bytes in a decoded row is not a multiple of 64.
    func data() throws -> Data {
      let alpha = isOpaque ? CGImageAlphaInfo.noneSkipLast : .premultipliedLast
      let space = try #require(CGColorSpace(name: colorSpace))
      let context = try #require(
        CGContext(
          data: nil, width: 50, height: 30, bitsPerComponent: bits, bytesPerRow: 0, space: space, bitmapInfo: alpha.rawValue))
      context.setFillColor(UIColor(red: 0.7, green: 0.5, blue: 0.3, alpha: isOpaque ? 1 : 0.5).cgColor)
      context.fill(CGRect(x: 0, y: 0, width: 50, height: 30))
      let (data, image) = (NSMutableData(), try #require(context.makeImage()))
      let destination = try #require(CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil))
      CGImageDestinationAddImage(destination, image, nil)
      try #require(CGImageDestinationFinalize(destination))
      return data as Data
    }
  }

  @Test(arguments: Encoding.allCases)
  func `a decoded image retains its color profile, has eight bits per channel, and has no straight alpha`(encoding: Encoding) throws {
    let data = try encoding.data()
    // These bytes of the file are the bits per channel and the color type (PNG specification, 11.2.2).
    #expect(Int(data[24]) == encoding.bits && data[25] == (encoding.isOpaque ? 2 : 6))
    let decoder = FutureImage.StandardDecoder()
    let image = try decoder.decode(data, size: decoder.size(of: data))
    #expect(spaceName(of: image) == encoding.colorSpace as String)
    #expect(image.bitsPerComponent == 8 && image.bitsPerPixel == 32)
    #expect(image.alphaInfo != .first && image.alphaInfo != .last)
  }

  @MainActor @Test(arguments: Encoding.allCases)
  func `a transformed image is in sRGB, has aligned rows, and has the color of the original image`(encoding: Encoding) async throws {
    let data = try encoding.data()
    let decoder = FutureImage.StandardDecoder()
    let stage = Stage()
    let url = try #require(URL(string: "https://images.test/a"))
    let future = FutureImage(at: url, transform: .custom("unchanged") { $0 }, loader: stage.loader)
    async let value = future.value
    await stage.serve(data)
    let image = try #require(try await value.cgImage)
    #expect(spaceName(of: image) == CGColorSpace.sRGB as String)
    #expect(image.bytesPerRow % 64 == 0 && image.bitsPerComponent == 8)
    #expect(image.alphaInfo == (encoding.isOpaque ? .noneSkipFirst : .premultipliedFirst))
    let decoded = try #require(Pixels.first(try decoder.decode(data, size: decoder.size(of: data))))
    let transformed = try #require(Pixels.first(image))
    for channel in 0..<4 { #expect(abs(Int(decoded[channel]) - Int(transformed[channel])) <= 2) }
  }
}
#endif
