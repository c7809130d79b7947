import CImageCodecs
import Foundation

/// Stateless functions that convert bytes to pixels and back. Any number of threads can call them at the same time. The work runs on the
/// calling thread.
package enum ImageCodecs {
  /// The formats that can be decoded. AVIF is among them only if libavif is installed, and HEIC only if libheif is installed.
  package static var formats: [ImageFormat] {
    [.jpeg, .png, .gif, .webp] + (cic_has_libavif() ? [.avif] : []) + (cic_has_libheif() ? [.heic] : [])
  }

  /// Returns the description of the image. Reads only the header. Throws ``CodecError/tooLarge(_:)`` for images that
  /// ``decode(_:size:limits:applyingOrientation:)`` would refuse because of their size.
  package static func info(of data: Data, limits: CodecLimits = CodecLimits()) throws(CodecError) -> ImageInfo {
    try info(of: data, Entries.of(data), limits)
  }

  private static func info(of data: Data, _ entries: Entries, _ limits: CodecLimits) throws(CodecError) -> ImageInfo {
    var info = cic_info()
    try call { message in data.withInput { entries.info($0, &info, message) } }
    let found = ImageInfo(info, format: entries.format)
    let (width, height) = (Int(info.width), Int(info.height))
    guard width <= limits.maxWidth, height <= limits.maxHeight, width * height <= limits.maxPixels else {
      throw .tooLarge("\(width) × \(height) pixels; raise DecodingLimits.maxPixels if each side has at most 65535")
    }
    return found
  }

  /// Returns the image at `size` in displayed pixels, or at its full size if `size` is nil. A side that is longer than the image's own side
  /// is shortened to that side, so that nothing is enlarged. The two sides need not have the aspect ratio of the image. For an animation,
  /// decodes the first frame.
  ///
  /// A JPEG is reduced to a number of eighths while it is decoded, and then to `size` by Lanczos's filter. If `size` is at most a quarter
  /// of the image's size, and the file has one scan and at least one bit per pixel, the filter gets at least 1.8 times as many pixels per
  /// side as it produces. On photos, these additional pixels make the result 10 dB closer to the result of filtering all pixels. libwebp
  /// reduces a WebP without alpha. Lanczos's filter reduces all other images. If an image is much larger than `size`, groups of whole
  /// pixels are averaged before the filter is applied. No format needs memory for the whole image in addition to the result, except for the
  /// memory that ``CodecLimits`` limits.
  ///
  /// The result is upright. If `applyingOrientation` is false, the image stays as stored, but `size` still refers to the displayed image.
  ///
  /// The colors are converted to sRGB by the file's color profile, or by its other descriptions of colors.
  ///
  /// - Parameters:
  ///   - onDamage: called with the share of the rows that are missing from a damaged GIF or JPEG, if rows are missing. In a GIF, these rows
  ///     are transparent. In a JPEG, libjpeg fills them in. It is an error if fewer than a tenth of a GIF's rows are available, if no more
  ///     than half of a JPEG's rows are available, or if the data of another format is damaged.
  ///   - onIgnoredProfile: called with the reason if the color profile cannot be used, such as “it ends early”. The image then has its
  ///     stored colors, or those of another description in the file.
  package static func decode(
    _ data: Data, size: PixelSize? = nil, limits: CodecLimits = CodecLimits(), applyingOrientation: Bool = true,
    onDamage: (_ missing: Double) -> Void = { _ in }, onIgnoredProfile: (_ reason: String) -> Void = { _ in }
  ) throws(CodecError) -> CGImage {
    try decode(data, size, limits, as: applyingOrientation ? .whole : .stored, onDamage, onIgnoredProfile)
  }

  /// Returns the visible part of an image whose bytes are still arriving. The result has the available rows as they are in the final image,
  /// and the other rows are transparent. For a progressive JPEG, or for an interlaced PNG or GIF, the rows are coarser than in the final
  /// image. After the first pass has arrived, such a result has every row. For an animation, decodes the first frame. The result is
  /// upright.
  ///
  /// Returns nil if nothing is visible yet, and for formats that cannot be decoded in parts.
  package static func decode(
    beginning data: Data, size: PixelSize? = nil, limits: CodecLimits = CodecLimits()
  ) throws(CodecError) -> CGImage? {
    do throws(CodecError) {
      return try decode(data, size, limits, as: .beginning)
    } catch {
      if case .truncated = error { return nil }
      throw error
    }
  }

  /// Returns the available rows, as stored, of an image whose bytes end early or are damaged. The rest is transparent. Returns nil if no
  /// row is available.
  static func rows(of data: Data) -> CGImage? {
    try? decode(data, nil, CodecLimits(), as: .rows)
  }

  /// The part of an image that is decoded, and its orientation.
  private enum Part {
    /// The whole image, upright.
    case whole
    /// The whole image, as stored.
    case stored
    /// The rows that have arrived, upright.
    case beginning
    /// The rows that are available, as stored.
    case rows
  }

  private static func decode(
    _ data: Data, _ size: PixelSize?, _ limits: CodecLimits, as part: Part, _ onDamage: (Double) -> Void = { _ in },
    _ onIgnoredProfile: (String) -> Void = { _ in }
  ) throws(CodecError) -> CGImage {
    let isUpright = part == .whole || part == .beginning
    let isBeginning = part == .beginning || part == .rows
    let entries = try Entries.of(data)
    let info = try info(of: data, entries, limits)
    let target = info.size(atMost: size)
    let stored = target.swapped(if: info.orientation.swapsAxes)
    let made = isUpright ? target : stored
    guard made.bytes <= limits.maxBytes else {
      throw .tooLarge("\(made.width) × \(made.height) pixels at once; request fewer, or raise DecodingLimits.maxBytes")
    }
    let orientation = isUpright ? info.orientation : .up
    let gate = info.coefficientBytes > Self.manyCoefficients ? Self.coefficientGate : nil
    gate?.lock()
    defer { gate?.unlock() }
    // Freed memory that the heap retained would add to the memory of this decode.
    if gate != nil { cic_return_memory() }
    defer { if takesMuch(data, info) { cic_return_memory() } }
    var result = cic_result()
    let image = try CGImage(width: made.width, height: made.height) { pixels throws(CodecError) in
      var cLimits = cic_limits(limits)
      var target = cic_target(pixels, stored, orientation)
      try call { message in data.withInput(isBeginning: isBeginning) { entries.decode($0, &cLimits, &target, &result, message) } }
    }
    guard let image else { throw .outOfMemory }
    if result.missing > 0 { onDamage(result.missing) }
    // The text is a constant of the C code.
    if let reason = result.ignored_profile { onIgnoredProfile(String(cString: reason)) }
    return image
  }

  /// Whether decoding the image frees so much memory that the heap should return it to the system. Otherwise, the heap would retain tens of
  /// megabytes for each thread that has ever decoded a large image.
  static func takesMuch(_ data: Data, _ info: ImageInfo) -> Bool {
    data.count >= 8 << 20 || info.size.width * info.size.height * max(1, info.frames) >= 8_000_000
  }

  /// Progressive JPEGs with more bytes of coefficients than this are decoded one at a time, because such a JPEG may need memory for all of
  /// its coefficients even if the requested size is small.
  private static let manyCoefficients = 8 << 20
  private static let coefficientGate = NSLock()
}

extension ImageCodecs {
  /// The C functions of a format.
  struct Entries {
    typealias Info = (cic_input, UnsafeMutablePointer<cic_info>?, UnsafeMutablePointer<CChar>?) -> cic_status
    typealias Decode = (
      cic_input, UnsafePointer<cic_limits>?, UnsafePointer<cic_target>?, UnsafeMutablePointer<cic_result>?,
      UnsafeMutablePointer<CChar>?
    ) -> cic_status
    typealias Animate = (
      cic_input, UnsafePointer<cic_limits>?, UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<CChar>?
    ) -> cic_status

    let format: ImageFormat
    let info: Info
    let decode: Decode
    var animate: Animate?

    static func of(_ data: Data) throws(CodecError) -> Entries {
      switch ImageFormat.sniff(data) {
      case .jpeg: return Entries(format: .jpeg, info: cic_jpeg_info, decode: cic_jpeg_decode)
      case .png: return Entries(format: .png, info: cic_png_info, decode: cic_png_decode, animate: cic_png_animation)
      case .gif: return Entries(format: .gif, info: cic_gif_info, decode: cic_gif_decode, animate: cic_gif_animation)
      case .webp: return Entries(format: .webp, info: cic_webp_info, decode: cic_webp_decode, animate: cic_webp_animation)
      case .avif: return Entries(format: .avif, info: cic_avif_info, decode: cic_avif_decode, animate: cic_avif_animation)
      case .heic: return Entries(format: .heic, info: cic_heic_info, decode: cic_heic_decode)
      case .some(let format): throw .unsupported(format.rawValue.uppercased())
      case nil: throw .unrecognized
      }
    }
  }

  /// Calls one C function. If the status is a failure, throws its status and message as an error.
  static func call(_ entry: (UnsafeMutablePointer<CChar>?) -> cic_status) throws(CodecError) {
    var status = cic_status.CIC_OK
    let message = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CIC_MESSAGE_SIZE)) { buffer in
      buffer.initialize(repeating: 0)
      status = entry(buffer.baseAddress)
      // Every byte was set to zero, and the C function ends its text with a zero.
      return buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    switch status {
    case .CIC_OK: return
    case .CIC_TRUNCATED: throw .truncated(message)
    case .CIC_UNSUPPORTED: throw .unsupported(message)
    case .CIC_TOO_LARGE: throw .tooLarge(message)
    case .CIC_NO_MEMORY: throw .outOfMemory
    case .CIC_CORRUPT: throw .corrupt(message)
    }
  }
}

extension cic_target {
  /// - Parameters:
  ///   - pixels: the memory to which the C functions write, with four bytes for each pixel of `stored`. It must stay valid until they
  ///     return.
  ///   - stored: the size before the orientation is applied.
  init(_ pixels: UnsafeMutableRawBufferPointer, _ stored: PixelSize, _ orientation: ExifOrientation = .up) {
    self.init(
      rgba: pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), width: UInt32(stored.width), height: UInt32(stored.height),
      orientation: Int32(orientation.rawValue))
  }
}

extension Data {
  /// Calls `body` with these bytes. Their pointer is valid only inside `body`, and the C functions do not retain it.
  func withInput(isBeginning: Bool = false, _ body: (cic_input) -> cic_status) -> cic_status {
    withUnsafeBytes { buffer in
      body(
        cic_input(bytes: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), count: buffer.count, is_beginning: isBeginning))
    }
  }
}
