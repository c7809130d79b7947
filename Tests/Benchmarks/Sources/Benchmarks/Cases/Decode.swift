import CReference
import FutureImage

/// The library's decoder, compared with a plain loop that calls the format's own library, on one thread. The loop reduces JPEG and WebP
/// images, but decodes PNG and GIF images at full size, because libpng and giflib cannot reduce an image.
extension Benchmark {
  static let decode = Benchmark(name: "decode") {
    let picture = try Pictures.picture(width: 1200, height: 900)
    guard let jpeg = picture.jpegData(compressionQuality: 0.85), let png = picture.pngData() else { throw Pictures.Missing() }
    let wide = try inDisplayP3(jpeg)
    let progressive = try converted(jpeg, REFERENCE_PROGRESSIVE_JPEG)
    let gif = try converted(jpeg, REFERENCE_GIF)
    let webp = try converted(jpeg, REFERENCE_WEBP)
    // The file of the photo has two bits for each pixel. Above one bit, the library decodes a JPEG at twice the scale of the reference, and
    // then filters the result, for better quality.
    let photo = try Data(contentsOf: Pictures.folder.appending(path: "05-motocross.jpg"))
    return [
      try await row("decode photo 768 × 512, to 160", photo, 192, 128, rounds: 15, target: 1.3) {
        bare(photo, $0) { reference_decode_jpeg($0, 160, $1, $2) }
      },
      try await row("decode JPEG 1200 × 900, full", jpeg, 1200, 900, rounds: 15) {
        bare(jpeg, $0) { reference_decode_jpeg($0, 0, $1, $2) }
      },
      try await row("decode JPEG 1200 × 900, to 160", jpeg, 300, 225, rounds: 15) {
        bare(jpeg, $0) { reference_decode_jpeg($0, 160, $1, $2) }
      },
      // The reference does not convert the colors.
      try await row("decode JPEG in Display P3 1200 × 900, full", wide, 1200, 900, rounds: 15, target: 2) {
        bare(jpeg, $0) { reference_decode_jpeg($0, 0, $1, $2) }
      },
      try await row("decode JPEG in Display P3 1200 × 900, to 160", wide, 300, 225, rounds: 15, target: 1.15) {
        bare(jpeg, $0) { reference_decode_jpeg($0, 160, $1, $2) }
      },
      try await row("decode PNG 1200 × 900, full", png, 1200, 900, rounds: 9) { bare(png, $0) { reference_decode_png($0, $1, $2) } },
      try await row("decode PNG 1200 × 900, to 160", png, 300, 225, rounds: 9) { bare(png, $0) { reference_decode_png($0, $1, $2) } },
      try await row("decode progressive JPEG 1200 × 900, full", progressive, 1200, 900, rounds: 9) {
        bare(progressive, $0) { reference_decode_jpeg($0, 0, $1, $2) }
      },
      try await row("decode progressive JPEG 1200 × 900, to 160", progressive, 300, 225, rounds: 9) {
        bare(progressive, $0) { reference_decode_jpeg($0, 160, $1, $2) }
      },
      try await row("decode WebP 1200 × 900, full", webp, 1200, 900, rounds: 9) {
        bare(webp, $0) { reference_decode_webp($0, 0, 0, $1, $2) }
      },
      try await row("decode WebP 1200 × 900, to 160", webp, 300, 225, rounds: 9) {
        bare(webp, $0) { reference_decode_webp($0, 300, 225, $1, $2) }
      },
      try await row("decode GIF 1200 × 900, full", gif, 1200, 900, rounds: 9) { bare(gif, $0) { reference_decode_gif($0, $1, $2) } },
      try await row("decode GIF 1200 × 900, to 160", gif, 300, 225, rounds: 9) { bare(gif, $0) { reference_decode_gif($0, $1, $2) } }
    ]
  }

  /// Returns the JPEG with the color profile of a fixture.
  private static func inDisplayP3(_ jpeg: Data) throws -> Data {
    let fixture = try Data(contentsOf: Pictures.folder.appending(path: "../../../../Tests/Fixtures/color/p3.jpg"))
    guard let start = fixture.range(of: Data("ICC_PROFILE\0".utf8))?.lowerBound else { throw Pictures.Missing() }
    let length = Int(fixture[start - 2]) << 8 | Int(fixture[start - 1])
    return jpeg.prefix(2) + fixture[start - 4..<start - 2 + length] + jpeg.dropFirst(2)
  }

  private static func converted(_ jpeg: Data, _ format: reference_format) throws -> Data {
    let made = jpeg.withUnsafeBytes { bytes in
      var count = 0
      let input = reference_bytes(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
      let start = reference_convert_jpeg(input, format, &count)
      return start.map { Data(bytesNoCopy: $0, count: count, deallocator: .free) }
    }
    guard let made else { throw Pictures.Missing() }
    return made
  }

  /// - Parameter reference: decodes the image the given number of times. Returns false if a decode failed.
  @MainActor private static func row(
    _ name: String, _ data: Data, _ width: Int, _ height: Int, rounds: Int, target: Double = 1.1, reference: (Int) -> Bool
  ) async throws -> Row {
    let decoder = FutureImage.Loader.Configuration().decoder
    let size = FutureImage.PixelSize(width: width, height: height)
    let times = 4
    let comparison = try await Comparison(rounds: rounds) {
      try threadTime { for _ in 0..<times { _ = try decoder.decode(data, size: size) } } / Double(times)
    } reference: {
      var isDone = false
      let seconds = threadTime { isDone = reference(times) }
      guard isDone else { throw Pictures.Missing() }
      return seconds / Double(times)
    }
    return Row(name, comparison, target: target, unit: "ms", scale: 1e3)
  }

  private typealias Decode = (reference_bytes, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> UnsafeMutablePointer<UInt8>?

  private static func bare(_ data: Data, _ times: Int, _ decode: Decode) -> Bool {
    data.withUnsafeBytes { bytes in
      let input = reference_bytes(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
      var (width, height) = (UInt32(), UInt32())
      return (0..<times).allSatisfy { _ in
        let pixels = decode(input, &width, &height)
        defer { free(pixels) }
        return pixels != nil
      }
    }
  }
}
