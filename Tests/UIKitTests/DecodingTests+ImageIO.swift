#if canImport(UIKit)
import FutureImage
import ImageIO
import Testing

extension DecodingTests {
  /// The formats of rows 11 and 12.
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

  /// Row 11.
  @MainActor @Test(arguments: Format.allCases)
  func `a file that is cut off is refused`(format: Format) throws {
    let data = try format.data()
    let decoder = FutureImage.StandardDecoder()
    let size = try decoder.size(of: data)
    let cuts = [("whole", data), ("half", data.prefix(data.count / 2)), ("without its last 12 bytes", data.dropLast(12))]
    for (name, part) in cuts {
      let source = try #require(CGImageSourceCreateWithData(Data(part) as CFData, nil))
      let statuses = (CGImageSourceGetStatus(source).rawValue, CGImageSourceGetStatusAtIndex(source, 0).rawValue)
      record(11, "\(format.rawValue), \(name)", "of the source \(statuses.0), of its first image \(statuses.1)")
    }
    #expect(throws: Never.self) { try decoder.decode(data, size: size) }
    for (name, part) in cuts.dropFirst() {
      #expect(throws: FutureImage.Failure.self, "\(name)") { try decoder.decode(Data(part), size: size) }
    }
  }

  /// Row 12.
  @MainActor @Test(arguments: [Format.jpeg, .png, .heic])
  func `a thumbnail is a decoded bitmap`(format: Format) throws {
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceCreateThumbnailWithTransform: true,
      kCGImageSourceShouldCacheImmediately: true, kCGImageSourceThumbnailMaxPixelSize: 100
    ]
    let source = try #require(CGImageSourceCreateWithData(try format.data() as CFData, nil))
    let image = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary))
    #expect(max(image.width, image.height) == 100)
    #expect(image.bytesPerRow >= image.width * image.bitsPerPixel / 8)
    let space = image.colorSpace.flatMap { $0.name as String? } ?? "no name"
    record(
      12, format.rawValue,
      "\(image.width) × \(image.height), bitmap info \(image.bitmapInfo.rawValue), \(image.bytesPerRow) bytes a row, \(space)")
  }
}
#endif
