extension FutureImage {
  /// Images: a fetched image stays on disk as received; an image that is set is stored as PNG, with only the first frame of an animation.
  public struct ImageCoder: CacheCoder {
    public func data(from value: UIImage) throws -> Data {
      guard let data = uprightPNG(of: value) else {
        throw Failure(.unreadable("it has no pixels that PNG can hold; store an image that has some"))
      }
      return data
    }

    /// Returns the upright image with all pixels decoded. `UIImage(data:)` would decode them on the main thread, when the image is first
    /// shown.
    /// - Throws: ``FutureImage/Failure``: `.undecodable` for broken or truncated data, `.unsupported`, or `.tooManyPixels` for an image
    ///   beyond the default ``DecodingLimits``.
    public func value(from data: Data) throws -> UIImage {
      let decoder = makePlatformDecoder(ProcessMemory.decodingLimitsOfProcess)
      return UIImage(cgImage: try decoder.decode(data, size: decoder.size(of: data)))
    }

    /// Four bytes for each pixel of each frame.
    public func cost(of value: UIImage) -> Int? {
      let frames = value.images ?? [value]
      return frames.reduce(0) { $0 + ($1.cgImage?.width ?? 0) * ($1.cgImage?.height ?? 0) * 4 }
    }
  }
}

extension FutureImage.CacheCoder where Self == FutureImage.ImageCoder {
  /// Images: fetched ones as received, others as PNG.
  public static var image: Self { Self() }
}
