import CImageCodecs

/// The limits beyond which a file is refused. They are compared with the header of the file before memory for the image is allocated. So a
/// small hostile file cannot cause an allocation of gigabytes.
package struct CodecLimits: Sendable, Hashable {
  /// The maximum of width × height in pixels, as stored. For an animation, this is the maximum for the canvas, and for each frame. The
  /// animation ends before a frame that exceeds the maximum.
  package var maxPixels = 120_000_000
  /// The maximum width in pixels. Values above 65,535 count as 65,535.
  package var maxWidth = 65_535
  /// The maximum height in pixels. Values above 65,535 count as 65,535.
  package var maxHeight = 65_535
  /// The maximum size of the decoded pixels in bytes. Each pixel takes four bytes.
  package var maxBytes = 256 << 20
  /// The maximum number of scans in one JPEG. Encoders write about ten. Each scan takes a pass over the whole image. So for large images,
  /// fewer scans are allowed, depending on ``maxPixels``.
  package var maxScans = 100
  /// The maximum size of the coefficients of a progressive JPEG, in bytes. They take six bytes per pixel without chroma subsampling, and
  /// three bytes with 4:2:0. A decode at a smaller size stores fewer coefficients. Without subsampling, a decode at an eighth of the
  /// image's size or less takes a sixty-fourth of these bytes. With 4:2:0, a decode at an eighth of the size takes a third of these bytes,
  /// and a decode at a thirty-second takes a sixty-fourth.
  package var maxCoefficientBytes = 128 << 20
  /// The maximum number of bytes that a decode may need in addition to the decoded pixels. Some images require such memory, for example
  /// interlaced PNGs and GIFs, lossless WebPs, AVIFs, animations for their canvas, and images with color profiles that have tables.
  package var maxHeldBytes = 128 << 20

  package init() {}
}

extension cic_limits {
  init(_ limits: CodecLimits) {
    self.init(
      pixels: UInt64(clamping: limits.maxPixels),
      width: UInt32(clamping: limits.maxWidth),
      height: UInt32(clamping: limits.maxHeight),
      scans: UInt32(clamping: limits.maxScans),
      coefficient_bytes: UInt64(clamping: limits.maxCoefficientBytes),
      held_bytes: UInt64(clamping: limits.maxHeldBytes))
  }
}

/// The reason why bytes could not be decoded. Each text completes an English sentence and has no period, for example "the GIF's header is
/// broken". If a C library has reported a message, that message follows in parentheses.
package enum CodecError: Error, Sendable, Equatable {
  /// The first bytes match no known format.
  case unrecognized
  /// The format, or this kind of image in a supported format, is not supported. The text names the format or the kind.
  case unsupported(String)
  /// The bytes end before the image does. More bytes may complete it.
  case truncated(String)
  /// The bytes violate their format.
  case corrupt(String)
  /// The image exceeds ``CodecLimits``. The text has the size of the image, and the limit to raise.
  case tooLarge(String)
  /// Memory does not suffice for the pixels, or for decoding them.
  case outOfMemory
}
