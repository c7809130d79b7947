/// A decoder that shows what can be read of damaged data, and reports how much cannot.
protocol DamageReportingDecoder: FutureImage.ImageDecoder {
  /// - Parameter onDamage: Called with the share of the pixels that is missing, above 0 and below 1, before this returns.
  func decode(_ data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> CGImage
  /// - Parameter onDamage: Called likewise, for the frame that misses most.
  func animation(of data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> FutureImage.Animation?
}

extension FutureImage.ImageDecoder {
  /// The decoder itself, or one that decodes with it and reports nothing.
  var reportingDamage: any DamageReportingDecoder { self as? any DamageReportingDecoder ?? SilentDecoder(decoder: self) }
}

/// Decodes with a decoder that reports no damage.
private struct SilentDecoder: DamageReportingDecoder {
  let decoder: any FutureImage.ImageDecoder

  func size(of data: Data) throws -> FutureImage.PixelSize { try decoder.size(of: data) }

  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage { try decoder.decode(data, size: size) }

  func decode(_ data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> CGImage {
    try decoder.decode(data, size: size)
  }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> FutureImage.Animation? {
    try decoder.animation(of: data, size: size)
  }

  func animation(of data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> FutureImage.Animation? {
    try decoder.animation(of: data, size: size)
  }

  func interim(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? { try decoder.interim(of: beginning, size: size) }
}
