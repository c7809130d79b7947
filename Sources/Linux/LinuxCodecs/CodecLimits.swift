import CImageCodecs

/// The limits beyond which a file is refused. They are compared with its header before memory of the image's size is allocated, so that a
/// few hostile bytes cannot claim gigabytes.
package struct CodecLimits: Sendable, Hashable {
  /// Width × height in pixels, as stored. For an animation, the sum of all frames, so that it takes no longer than the largest image; it
  /// ends where they exceed the limit.
  package var maxPixels = 120_000_000
  /// Pixels; values above 65,535 count as 65,535.
  package var maxWidth = 65_535
  /// Pixels; values above 65,535 count as 65,535.
  package var maxHeight = 65_535
  /// Bytes of the decoded pixels: four for each.
  package var maxBytes = 256 << 20
  /// Scans of one JPEG. Encoders write about ten. Each costs a pass over the whole image, so fewer scans of large images are read,
  /// depending on ``maxPixels``.
  package var maxScans = 100
  /// Bytes that a progressive JPEG may need for its coefficients: six per pixel without chroma subsampling, three with 4:2:0. Decoded at an
  /// eighth of its size or less, it needs a sixty-fourth of that. With 4:2:0, it needs a third, and a sixty-fourth at a thirty-second of
  /// its size.
  package var maxCoefficientBytes = 128 << 20
  /// Bytes that may be held in addition to the decoded pixels, where the format requires it: interlaced PNGs and GIFs, lossless WebPs, the
  /// canvas of an animation.
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

/// The reason why bytes could not be decoded. A text is the end of an English sentence, without a period: "the GIF's header is broken". The
/// words of a C library follow in parentheses.
package enum CodecError: Error, Sendable, Equatable {
  /// The first bytes match no known format.
  case unrecognized
  /// A known format, or a kind of one, that is not supported; its name.
  case unsupported(String)
  /// The bytes end before the image does. More bytes may complete it.
  case truncated(String)
  /// The bytes violate their format.
  case corrupt(String)
  /// The image exceeds ``CodecLimits``: its size, and the limit that allows it.
  case tooLarge(String)
  /// Memory does not suffice for the pixels, or for decoding them.
  case outOfMemory
}
