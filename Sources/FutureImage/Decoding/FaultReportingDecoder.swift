/// A fault of an image that is shown nevertheless.
enum DecodingFault: Sendable, Equatable {
  /// This share of the pixels, above 0 and below 1, is missing because the data is damaged. For an animation, the largest share of any frame.
  case missingPixels(Double)
  /// The color profile is not used, for this reason, such as “it ends early”.
  case ignoredProfile(String)
}

/// A decoder that shows as much of an image as it can, and reports what is wrong with it.
protocol FaultReportingDecoder: FutureImage.ImageDecoder {
  /// - Parameter onFault: called before the method returns, once for each fault.
  func decode(_ data: Data, size: FutureImage.PixelSize, onFault: (DecodingFault) -> Void) throws -> CGImage
  /// - Parameter onFault: called before the method returns, once for each fault.
  func animation(of data: Data, size: FutureImage.PixelSize, onFault: (DecodingFault) -> Void) throws -> FutureImage.Animation?
}

extension FaultReportingDecoder {
  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage { try decode(data, size: size, onFault: { _ in }) }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> FutureImage.Animation? {
    try animation(of: data, size: size, onFault: { _ in })
  }
}

extension FutureImage.ImageDecoder {
  /// The decoder itself, or a wrapper that reports no faults.
  var reportingFaults: any FaultReportingDecoder { self as? any FaultReportingDecoder ?? SilentDecoder(decoder: self) }
}

/// A wrapper around an app's decoder, which reports no faults.
private struct SilentDecoder: FaultReportingDecoder {
  let decoder: any FutureImage.ImageDecoder

  func size(of data: Data) throws -> FutureImage.PixelSize { try decoder.size(of: data) }

  func decode(_ data: Data, size: FutureImage.PixelSize, onFault: (DecodingFault) -> Void) throws -> CGImage {
    try decoder.decode(data, size: size)
  }

  func animation(of data: Data, size: FutureImage.PixelSize, onFault: (DecodingFault) -> Void) throws -> FutureImage.Animation? {
    try decoder.animation(of: data, size: size)
  }

  func preview(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? { try decoder.preview(of: beginning, size: size) }
}
