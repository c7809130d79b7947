#if canImport(UIKitStandIn)
/// libjpeg-turbo, libpng, giflib and libwebp, through the stand-in's codecs.
struct LinuxDecoder: FutureImage.ImageDecoder {
  var limits = CodecLimits()

  func size(of data: Data) throws -> FutureImage.PixelSize {
    try told {
      let info = try ImageCodecs.info(of: data, limits: limits)
      return FutureImage.PixelSize(width: info.size.width, height: info.size.height)
    }
  }

  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage {
    try told { try ImageCodecs.decode(data, size: PixelSize(width: size.width, height: size.height), limits: limits) }
  }

  private func told<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as CodecError {
      let reason: FutureImage.Failure.Reason =
        switch error {
        case .unrecognized: .undecodable("its bytes are of no known picture format")
        case .unsupported(let what): .unsupported(what)
        case .truncated(let what): .undecodable("it ends early: \(what)")
        case .corrupt(let what): .undecodable(what)
        case .tooLarge(let what): .tooManyPixels(what)
        }
      throw FutureImage.Failure(reason, underlying: error)
    }
  }
}
#endif
