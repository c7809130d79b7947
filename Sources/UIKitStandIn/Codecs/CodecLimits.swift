import CImageCodecs

/// What a file may ask for before it is refused. Compared with what its header declares, before anything of the picture's size is
/// allocated, so a few hostile bytes cannot claim gigabytes.
package struct CodecLimits: Sendable, Hashable {
  /// Width × height in pixels, as stored. A full decode takes four bytes for each.
  package var maxPixels = 100_000_000
  /// Pixels; more than 65,535 is read as that.
  package var maxWidth = 65_535
  /// Pixels; more than 65,535 is read as that.
  package var maxHeight = 65_535
  /// Scans of one JPEG. Encoders write about ten; each costs a pass over the whole picture.
  package var maxScans = 100
  /// Bytes that a progressive JPEG may need for its coefficients: six a pixel without chroma subsampling, three with 4:2:0.
  package var maxCoefficientBytes = 400_000_000

  package init() {}
}

extension cic_limits {
  init(_ limits: CodecLimits) {
    self.init(
      pixels: UInt64(clamping: limits.maxPixels),
      width: UInt32(clamping: limits.maxWidth),
      height: UInt32(clamping: limits.maxHeight),
      scans: UInt32(clamping: limits.maxScans),
      coefficient_bytes: UInt64(clamping: limits.maxCoefficientBytes))
  }
}
