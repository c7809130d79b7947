/// A decoder that shows the readable part of damaged data, and reports how much is missing.
protocol DamageReportingDecoder: FutureImage.ImageDecoder {
  /// - Parameter onDamage: called before the method returns, with the missing share of the pixels, above 0 and below 1.
  func decode(_ data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> CGImage
  /// - Parameter onDamage: called before the method returns, with the largest missing share of any frame, above 0 and below 1.
  func animation(of data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> FutureImage.Animation?
}

extension DamageReportingDecoder {
  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage { try decode(data, size: size, onDamage: { _ in }) }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> FutureImage.Animation? {
    try animation(of: data, size: size, onDamage: { _ in })
  }
}

extension FutureImage.ImageDecoder {
  /// The decoder itself, or a wrapper that reports no damage.
  var reportingDamage: any DamageReportingDecoder { self as? any DamageReportingDecoder ?? SilentDecoder(decoder: self) }
}

/// A wrapper around an app's decoder, which reports no damage.
private struct SilentDecoder: DamageReportingDecoder {
  let decoder: any FutureImage.ImageDecoder

  func size(of data: Data) throws -> FutureImage.PixelSize { try decoder.size(of: data) }

  func decode(_ data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> CGImage {
    try decoder.decode(data, size: size)
  }

  func animation(of data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> FutureImage.Animation? {
    try decoder.animation(of: data, size: size)
  }

  func preview(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? { try decoder.preview(of: beginning, size: size) }
}
