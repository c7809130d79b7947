import Foundation
import Testing
import UIKitStandIn

/// Thumbnails of photos with the sizes of photos from cameras and phones.
@Suite(.serialized, .tags(.threads), .timeLimit(.minutes(5))) struct LargePhotoTests {
  enum Photo: String, CaseIterable, Sendable {
    case progressive24 = "24 megapixels, progressive, 4:4:4"
    case progressive50 = "50 megapixels, progressive, 4:2:0"
    case baseline108 = "108 megapixels, baseline, 4:2:0"

    var size: PixelSize {
      switch self {
      case .progressive24: PixelSize(width: 6_000, height: 4_000)
      case .progressive50: PixelSize(width: 8_192, height: 6_144)
      case .baseline108: PixelSize(width: 12_000, height: 9_000)
      }
    }

    func file() throws -> Data {
      try #require(
        JPEGReference.file(
          size.width, size.height, self == .progressive24 ? .JPEG_REFERENCE_444 : .JPEG_REFERENCE_420,
          progressive: self != .baseline108, quality: 75, noise: 24))
    }

    /// The limit that is named in the error for a photo at full size.
    static let limit = "DecodingLimits.maxBytes"
  }

  /// The maximum growth of the memory, in bytes. The growth includes the bytes of the file, which are some megabytes, and the memory that
  /// the process allocates only once.
  private static let most = 64 << 20

  @Test(arguments: Photo.allCases)
  func `a large photo decodes to 160 × 120 pixels with at most 64 MB of additional memory`(photo: Photo) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("large-photo-\(UUID().uuidString).jpg").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try photo.file().write(to: URL(fileURLWithPath: path))
    await #expect(processExitsWith: .success) { [path = path as String] in
      let before = try Self.peak()
      let image = try ImageCodecs.decode(Data(contentsOf: URL(fileURLWithPath: path)), size: PixelSize(width: 160, height: 120))
      #expect(image.width == 160)
      let growth = try Self.peak() - before
      print("the memory grew by \(growth >> 20) MB")
      guard growth <= Self.most else { exit(1) }
    }
  }

  @Test(arguments: Photo.allCases)
  func `the error for a large photo at full size names the limit to raise`(photo: Photo) throws {
    let file = try photo.file()
    #expect(try ImageCodecs.info(of: file).size == photo.size)
    let error = #expect(throws: CodecError.self) { try ImageCodecs.decode(file) }
    guard case .tooLarge(let message) = error else { throw CodecError.unrecognized }
    #expect(message.contains("raise \(Photo.limit)"), "\(message)")
  }

  /// Returns the peak of the resident memory of the process, in bytes.
  private static func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
  }
}
