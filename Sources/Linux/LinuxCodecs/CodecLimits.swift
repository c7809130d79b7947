import CImageCodecs

/// The limits beyond which a file is refused. They are compared with the header of the file before memory for the image is allocated, so
/// that a few hostile bytes cannot claim gigabytes.
package struct CodecLimits: Sendable, Hashable {
  /// The maximum of width × height in pixels, as stored. For an animation, this is the maximum of the sum over all frames, so that an
  /// animation takes no longer than the largest image. The animation ends before the frame that would exceed the maximum.
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
  /// three with 4:2:0. Without subsampling, decoding at an eighth of the image's size or less takes a sixty-fourth of these bytes. With
  /// 4:2:0, it takes a third at an eighth of the size, and a sixty-fourth at a thirty-second.
  package var maxCoefficientBytes = 128 << 20
  /// The maximum number of bytes that a decode may need in addition to the decoded pixels. Some formats require such memory: interlaced
  /// PNGs and GIFs, lossless WebPs, and the canvas of an animation.
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

/// The reason why bytes could not be decoded. Each text can end an English sentence, and has no period, such as "the GIF's header is
/// broken". The message of a C library follows in parentheses.
package enum CodecError: Error, Sendable, Equatable {
  /// The first bytes match no known format.
  case unrecognized
  /// A known format, or a kind of image in a known format, is not supported. The text is its name.
  case unsupported(String)
  /// The bytes end before the image does. More bytes may complete it.
  case truncated(String)
  /// The bytes violate their format.
  case corrupt(String)
  /// The image exceeds ``CodecLimits``. The text has its size, and the limit to raise.
  case tooLarge(String)
  /// Memory does not suffice for the pixels, or for decoding them.
  case outOfMemory
}
