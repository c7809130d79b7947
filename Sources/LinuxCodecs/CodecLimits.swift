import CImageCodecs

/// What a file may ask for before it is refused. Compared with what its header declares, before anything of the picture's size is
/// allocated, so a few hostile bytes cannot claim gigabytes.
package struct CodecLimits: Sendable, Hashable {
  /// Width × height in pixels, as stored; of an animation those of all its frames, so it takes no longer than the largest picture.
  package var maxPixels = 120_000_000
  /// Pixels; more than 65,535 is read as that.
  package var maxWidth = 65_535
  /// Pixels; more than 65,535 is read as that.
  package var maxHeight = 65_535
  /// Bytes of the pixels that are made: four for each.
  package var maxBytes = 256 << 20
  /// Frames of one animation. One of more is its first frame.
  package var maxFrames = 500
  /// Bytes of the frames that are made of one animation. One of more is its first frame.
  package var maxAnimationBytes = 64 << 20
  /// Scans of one JPEG. Encoders write about ten; each costs a pass over the whole picture, so of large pictures fewer are read, by
  /// ``maxPixels``.
  package var maxScans = 100
  /// Bytes that a progressive JPEG may need for its coefficients: six a pixel without chroma subsampling, three with 4:2:0. For an eighth of
  /// its size or less it needs a sixty-fourth of that; with 4:2:0 a third, and a sixty-fourth for a thirty-second of its size.
  package var maxCoefficientBytes = 128 << 20
  /// Bytes that may have to be held besides the pixels that are made, where the format has it so: interlaced PNGs and GIFs, lossless
  /// WebPs, the canvas of an animation.
  package var maxHeldBytes = 128 << 20

  package init() {}
}

extension cic_limits {
  init(_ limits: CodecLimits) {
    self.init(
      pixels: UInt64(clamping: limits.maxPixels),
      width: UInt32(clamping: limits.maxWidth),
      height: UInt32(clamping: limits.maxHeight),
      frames: UInt32(clamping: limits.maxFrames),
      scans: UInt32(clamping: limits.maxScans),
      coefficient_bytes: UInt64(clamping: limits.maxCoefficientBytes),
      held_bytes: UInt64(clamping: limits.maxHeldBytes))
  }
}
