import CImageCodecs
import Foundation

/// Writes an encoded file of one image, or of the images of an animation in order. The work runs on the calling thread, and one thread at
/// a time may use a writer. The colors of the file are sRGB.
///
/// ```swift
/// let writer = try ImageWriter(format: .webp, width: 320, height: 240, quality: 0.8)
/// try writer.add(image)
/// let data = try writer.finish()
/// ```
package final class ImageWriter {
  private let writer: OpaquePointer
  private let width: Int
  private let height: Int

  /// Opens a writer.
  /// - Parameters:
  ///   - format: one of ``ImageCodecs/writableFormats``. An animated PNG is an APNG.
  ///   - width: the width of each image in pixels. A side has at most 65,500 pixels in a JPEG, 1,000,000 in a PNG, 16,383 in a WebP, and
  ///     32,768 in an AVIF.
  ///   - quality: 0 (smallest) to 1 (best); values outside of this range are clamped. PNG ignores it.
  ///   - isAnimated: whether ``add(_:milliseconds:)`` will be called more than once. JPEG refuses this.
  ///   - plays: the number of times to play an animation; 0 means forever. libavif 0.11 does not store it.
  ///   - exif: a TIFF structure, as ``ImageCodecs/exif(of:)`` returns it. It is left out if it exceeds a megabyte, or 65,527 bytes in a
  ///     JPEG.
  /// - Throws: `.unsupported` if the format cannot be written, if it has no animations but `isAnimated` is true, or if a side is below 1;
  ///   `.tooLarge` if a side is too long for the format.
  package init(
    format: ImageFormat, width: Int, height: Int, quality: Double = 1, isAnimated: Bool = false, plays: Int = 0, exif: Data? = nil
  ) throws(CodecError) {
    let open = try Self.function(format)
    let exif = exif ?? Data()
    var opened: OpaquePointer?
    try ImageCodecs.call { message in
      // The writer copies the EXIF, whose pointer is valid only inside the closure.
      exif.withInput { exif in
        var writing = cic_writing(
          width: UInt32(clamping: width), height: UInt32(clamping: height), quality: Self.percent(quality), is_animated: isAnimated,
          plays: UInt32(clamping: plays), exif: exif.bytes, exif_count: exif.count)
        return open(&writing, &opened, message)
      }
    }
    guard let opened else { throw .outOfMemory }
    writer = opened
    self.width = width
    self.height = height
  }

  deinit { cic_writer_close(writer) }

  /// Encodes an image, which must have the size of the file.
  /// - Parameter milliseconds: the duration of the image in an animation. Each format stores the nearest duration that it can represent.
  package func add(_ image: CGImage, milliseconds: Int = 0) throws(CodecError) {
    guard image.width == width, image.height == height else {
      throw .unsupported("an image of \(image.width) × \(image.height) pixels in a file of \(width) × \(height)")
    }
    try ImageCodecs.call { message in
      image.withRGBA { pixels in
        guard !pixels.isEmpty else { return .CIC_NO_MEMORY }
        return cic_writer_add(writer, pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(clamping: milliseconds), message)
      }
    }
  }

  /// Returns the file. At least one image must have been added, and none can be added afterwards.
  package func finish() throws(CodecError) -> Data {
    var output = cic_output()
    try ImageCodecs.call { cic_writer_finish(writer, &output, $0) }
    return Data(taking: output)
  }

  private typealias Open = (
    UnsafePointer<cic_writing>?, UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<CChar>?
  ) -> cic_status

  private static func function(_ format: ImageFormat) throws(CodecError) -> Open {
    switch format {
    case .jpeg: return cic_jpeg_writer
    case .png: return cic_png_writer
    case .webp: return cic_webp_writer
    case .avif: return cic_avif_writer
    case .gif, .heic, .tiff, .bmp: throw .unsupported("encoding \(format.rawValue.uppercased())")
    }
  }

  /// Returns the quality from 1 to 100.
  private static func percent(_ quality: Double) -> Int32 {
    quality.isNaN ? 100 : Int32(max(1, min(100, (quality * 100).rounded())))
  }
}

extension ImageCodecs {
  /// The formats that ``ImageWriter`` writes. AVIF is among them only if libavif is installed with libaom's encoder.
  package static var writableFormats: [ImageFormat] { [.jpeg, .png, .webp] + (cic_has_avif_encoder() ? [.avif] : []) }

  /// Returns a PNG with 8 bits per channel, without the alpha channel if every pixel is opaque. Returns nil for an image above 1,000,000
  /// pixels per side, and if memory runs out.
  package static func png(_ image: CGImage) -> Data? { try? encoded(image, .png) }

  /// Returns a JPEG with chroma subsampled 4:2:0. Transparent pixels are composited over white. Returns nil for an image above 65,500
  /// pixels per side, which the format does not allow, and if memory runs out.
  ///
  /// - Parameter quality: 0 (smallest) to 1 (best); values outside of this range are clamped.
  package static func jpeg(_ image: CGImage, quality: Double) -> Data? { try? encoded(image, .jpeg, quality: quality) }

  private static func encoded(_ image: CGImage, _ format: ImageFormat, quality: Double = 1) throws(CodecError) -> Data {
    let writer = try ImageWriter(format: format, width: image.width, height: image.height, quality: quality)
    try writer.add(image)
    return try writer.finish()
  }

  /// Returns the file's EXIF as a TIFF structure, changed so that it describes an upright image without a thumbnail. Returns nil if the
  /// file has no EXIF, if the EXIF is broken, and for formats without EXIF.
  package static func exif(of data: Data) throws(CodecError) -> Data? {
    let find: (cic_input, UnsafeMutablePointer<cic_output>?) -> cic_status
    switch ImageFormat.sniff(data) {
    case .jpeg: find = cic_jpeg_exif
    case .png: find = cic_png_exif
    case .webp: find = cic_webp_exif
    case .avif, .heic: find = cic_heif_exif
    case .gif, .tiff, .bmp, nil: return nil
    }
    var output = cic_output()
    try call { _ in data.withInput { find($0, &output) } }
    guard cic_exif_make_upright(output.bytes, output.count) else {
      cic_output_free(&output)
      return nil
    }
    return Data(taking: output)
  }
}

extension Data {
  /// Creates data from the output of a C function, and frees the output.
  fileprivate init(taking output: cic_output) {
    var output = output
    // The bytes are valid until cic_output_free, which runs after this copy.
    self = output.bytes.map { Data(bytes: $0, count: output.count) } ?? Data()
    cic_output_free(&output)
  }
}
