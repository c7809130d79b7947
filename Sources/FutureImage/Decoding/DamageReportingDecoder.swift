/// A decoder that shows what can be read of damaged data, and reports how much cannot.
protocol DamageReportingDecoder: FutureImage.ImageDecoder {
  /// - Parameter onDamage: Called with the share of the pixels that is missing, above 0 and below 1, before this returns.
  func decode(_ data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> CGImage
  /// - Parameter onDamage: Called likewise, for the frame that misses most.
  func animation(of data: Data, size: FutureImage.PixelSize, onDamage: (_ missing: Double) -> Void) throws -> FutureImage.Animation?
}

extension FutureImage.ImageDecoder {
  /// Does not call `onDamage` where the decoder does not report damage.
  func decode(_ data: Data, size: FutureImage.PixelSize, ifDamaged onDamage: (_ missing: Double) -> Void) throws -> CGImage {
    guard let decoder = self as? any DamageReportingDecoder else { return try decode(data, size: size) }
    return try decoder.decode(data, size: size, onDamage: onDamage)
  }

  /// Likewise.
  func animation(
    of data: Data, size: FutureImage.PixelSize, ifDamaged onDamage: (_ missing: Double) -> Void
  ) throws -> FutureImage.Animation? {
    guard let decoder = self as? any DamageReportingDecoder else { return try animation(of: data, size: size) }
    return try decoder.animation(of: data, size: size, onDamage: onDamage)
  }
}
