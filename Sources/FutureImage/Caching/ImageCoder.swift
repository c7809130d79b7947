extension FutureImage {
  /// Pictures: what was fetched stays on disk as it came, what is set by hand is kept as PNG, of an animated one the first frame.
  public struct ImageCoder: CacheCoder {
    public func data(from value: UIImage) throws -> Data {
      guard let data = uprightPNG(of: value) else { throw Failure(.unsupported("it cannot be written as PNG")) }
      return data
    }

    public func value(from data: Data) throws -> UIImage {
      guard let image = UIImage(data: data) else { throw Failure(.undecodable("no decoder reads it")) }
      return image
    }

    /// Four bytes for each pixel of each frame.
    public func cost(of value: UIImage) -> Int? {
      let frames = value.images ?? [value]
      return frames.reduce(0) { $0 + ($1.cgImage?.width ?? 0) * ($1.cgImage?.height ?? 0) * 4 }
    }
  }
}

extension FutureImage.CacheCoder where Self == FutureImage.ImageCoder {
  /// Pictures: fetched ones as they came, others as PNG.
  public static var image: Self { Self() }
}
