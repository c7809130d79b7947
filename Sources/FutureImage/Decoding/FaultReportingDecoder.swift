/// A fault of an image that is shown nevertheless.
enum DecodingFault: Sendable, Equatable {
  /// The data is damaged, so this share of the pixels is missing. The share is above 0 and below 1.
  case missingPixels(Double)
  /// The color profile is not used. The value is the reason, such as “it ends early”.
  case ignoredProfile(String)
}

/// A decoder that shows as much of an image as it can, and reports what is wrong with the image.
protocol FaultReportingDecoder: FutureImage.ImageDecoder {
  /// Decodes the image like `decode(_:size:)`, and reports its faults.
  /// - Parameter onFault: called before the method returns, once for each fault.
  func decode(_ data: Data, size: FutureImage.PixelSize, onFault: (DecodingFault) -> Void) throws -> CGImage
}

extension FaultReportingDecoder {
  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage { try decode(data, size: size, onFault: { _ in }) }
}

/// An animation of this library's decoders.
protocol PlatformAnimation: FutureImage.Animation {
  /// The number of frames in the file. It is greater than the number of durations if a limit allows only the first frame.
  var frameCount: Int { get }
  /// The faults of the file and of the frames that were decoded so far.
  var faults: [DecodingFault] { get }
}

/// An animation that has only its first frame, because a limit excludes the others.
final class FirstFrame: PlatformAnimation {
  let frameCount: Int
  let faults: [DecodingFault]
  private let image: CGImage

  var durations: [TimeInterval] { [0] }
  var playCount: Int { 1 }

  init(_ image: CGImage, of frameCount: Int, faults: [DecodingFault]) {
    self.image = image
    self.frameCount = frameCount
    self.faults = faults
  }

  func frame(at index: Int) -> CGImage { image }
}

extension FutureImage.ImageDecoder {
  /// The decoder itself, or a wrapper that reports no faults.
  var reportingFaults: any FaultReportingDecoder { self as? any FaultReportingDecoder ?? SilentDecoder(decoder: self) }
}

/// A decoder that reports no faults. It wraps a decoder of the app.
private struct SilentDecoder: FaultReportingDecoder {
  let decoder: any FutureImage.ImageDecoder

  func size(of data: Data) throws -> FutureImage.PixelSize { try decoder.size(of: data) }

  func decode(_ data: Data, size: FutureImage.PixelSize, onFault: (DecodingFault) -> Void) throws -> CGImage {
    try decoder.decode(data, size: size)
  }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> (any FutureImage.Animation)? {
    try decoder.animation(of: data, size: size)
  }

  func preview(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? { try decoder.preview(of: beginning, size: size) }
}
