#if !canImport(CoreGraphics)
/// A decoder that uses libjpeg-turbo, libpng, giflib, libwebp, and, if it is installed, libavif. It calls them by the codecs of the
/// stand-in.
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

  func animation(of data: Data, size: FutureImage.PixelSize, onFault: (DecodingFault) -> Void) throws -> FutureImage.Animation? {
    try mappingErrors {
      guard limits.maxFrames > 1, let info = try ImageCodecs.animationInfo(of: data, limits: CodecLimits(limits)) else { return nil }
      let whole = FutureImage.PixelSize(width: info.size.width, height: info.size.height)
      if let part = limits.playable(info.frames, of: whole, at: size) {
        let animation = try ImageCodecs.animation(
          of: data, size: PixelSize(width: part.size.width, height: part.size.height), frames: (part.read, part.stride),
          limits: CodecLimits(limits), onDamage: { onFault(.missingPixels($0)) }, onIgnoredProfile: { onFault(.ignoredProfile($0)) })
        guard EndOfData(of: data) != .cutOff else { throw FutureImage.Failure(.undecodable("it ends early")) }
        if let animation {
          let frames = animation.frames.map { (image: $0.image, duration: Double($0.milliseconds) / 1_000) }
          return FutureImage.Animation(frames: frames, playCount: info.plays, frameCount: info.frames)
        }
      }
      let first = try decode(data, size: size, onFault: onFault)
      return FutureImage.Animation(frames: [(image: first, duration: 0)], playCount: info.plays, frameCount: info.frames)
    }
  }

  func preview(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? {
    try mappingErrors {
      try ImageCodecs.decode(beginning: beginning, size: PixelSize(width: size.width, height: size.height), limits: CodecLimits(limits))
    }
  }

  private func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
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
