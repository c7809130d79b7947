#if !canImport(CoreGraphics)
/// A decoder that uses libjpeg-turbo, libpng, giflib, libwebp, and, if they are installed, libavif and libheif. It calls them through the
/// module `LinuxCodecs`.
struct LinuxDecoder: FaultReportingDecoder {
  var limits = FutureImage.DecodingLimits()

  func size(of data: Data) throws -> FutureImage.PixelSize {
    try mappingErrors {
      let info = try ImageCodecs.info(of: data, limits: CodecLimits(limits))
      return FutureImage.PixelSize(width: info.size.width, height: info.size.height)
    }
  }

  func decode(_ data: Data, size: FutureImage.PixelSize, onFault: (DecodingFault) -> Void) throws -> CGImage {
    try mappingErrors {
      let size = PixelSize(width: size.width, height: size.height)
      return try ImageCodecs.decode(
        data, size: size, limits: CodecLimits(limits), onDamage: { onFault(.missingPixels($0)) },
        onIgnoredProfile: { onFault(.ignoredProfile($0)) })
    }
  }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> (any FutureImage.Animation)? {
    try mappingErrors {
      guard limits.maxFrames > 1, try ImageCodecs.isAnimated(data) else { return nil }
      do throws(CodecError) {
        guard let animation = try LinuxAnimation(data, size, limits) else { return nil }
        guard EndOfData(of: data) != .cutOff else { throw .truncated("") }
        return animation
      } catch .tooLarge(_), .outOfMemory {
        // The canvas needs more memory than the first frame alone.
        var faults: [DecodingFault] = []
        let image = try decode(data, size: size) { faults.append($0) }
        return FirstFrame(image, of: try ImageCodecs.info(of: data, limits: CodecLimits(limits)).frames, faults: faults)
      }
    }
  }

  func preview(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? {
    try mappingErrors {
      try ImageCodecs.decode(beginning: beginning, size: PixelSize(width: size.width, height: size.height), limits: CodecLimits(limits))
    }
  }

  private func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result { try mappingCodecErrors(body) }
}

/// An animation that a codec of the module `LinuxCodecs` decodes.
private final class LinuxAnimation: PlatformAnimation {
  private let data: Data
  private let size: PixelSize
  private let limits: CodecLimits
  private var reader: AnimationReader
  /// The index of the reader's next frame.
  private var next = 0
  let durations: [TimeInterval]

  init?(_ data: Data, _ size: FutureImage.PixelSize, _ limits: FutureImage.DecodingLimits) throws(CodecError) {
    self.data = data
    self.size = PixelSize(width: size.width, height: size.height)
    self.limits = CodecLimits(limits)
    guard let reader = try AnimationReader(data, size: self.size, limits: self.limits), reader.milliseconds.count > 1 else { return nil }
    self.reader = reader
    durations = reader.milliseconds.map { Double($0) / 1_000 }
  }

  var playCount: Int { reader.plays }
  var heldBytes: Int { reader.heldBytes }
  var frameCount: Int { durations.count }
  var faults: [DecodingFault] {
    let missing: DecodingFault? = reader.missing > 0 ? .missingPixels(reader.missing) : nil
    return [missing, reader.ignoredProfile.map { .ignoredProfile($0) }].compactMap { $0 }
  }

  func frame(at index: Int) throws -> CGImage {
    try mappingCodecErrors {
      if index < next {
        guard let reader = try AnimationReader(data, size: size, limits: limits) else { throw CodecError.outOfMemory }
        (self.reader, next) = (reader, 0)
      }
      while next < index {
        guard try reader.skip() else { throw CodecError.corrupt("a frame of the animation is broken") }
        next += 1
      }
      guard let image = try reader.next() else { throw CodecError.corrupt("a frame of the animation is broken") }
      next += 1
      return image
    }
  }
}

func mappingCodecErrors<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as CodecError {
    let reason: FutureImage.Failure.Reason =
      switch error {
      case .unrecognized: .undecodable("its bytes are of no known image format")
      case .unsupported(let what): .unsupported(what)
      case .truncated: .undecodable("it ends early")
      case .corrupt(let what): .undecodable(what)
      case .tooLarge(let what): .tooManyPixels(what)
      case .outOfMemory: .outOfMemory
      }
    throw FutureImage.Failure(reason, underlying: error)
  }
}

extension CodecLimits {
  fileprivate init(_ limits: FutureImage.DecodingLimits) {
    self.init()
    maxPixels = limits.maxPixels
    maxWidth = limits.maxSide
    maxHeight = limits.maxSide
    maxBytes = limits.maxBytes
    maxScans = limits.maxScans
    maxCoefficientBytes = limits.maxCoefficientBytes
    maxHeldBytes = limits.maxHeldBytes
  }
}
#endif
