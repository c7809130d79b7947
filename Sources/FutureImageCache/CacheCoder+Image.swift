import FutureImage

extension CacheCoder where Value == BaseImage {
  /// A coder for images. A fetched image is stored on disk as received. An image that is set is stored as PNG, with only the first frame of
  /// an animation.
  ///
  /// Decoding throws a ``/FutureImage/FutureImage/Failure``: `.undecodable` for broken or truncated data, `.unsupported`, or
  /// `.tooManyPixels` for an image beyond the ``/FutureImage/FutureImage/DecodingLimits`` that suit the memory of the process. The cost of
  /// an image is four bytes for each pixel of each frame.
  public static var image: Self { Self(encode: png(of:), decode: upright(from:), cost: byteCount(of:)) }

  private static func png(of image: BaseImage) throws -> Data {
    guard let data = uprightPNG(of: image) else {
      throw FutureImage.Failure(.unreadable("it has no pixels that PNG can hold; store an image with pixels"))
    }
    return data
  }

  /// Returns the upright image with all pixels decoded, because `UIImage(data:)` decodes on the main thread when a view first shows it.
  private static func upright(from data: Data) throws -> BaseImage {
    let decoder = FutureImage.StandardDecoder()
    return BaseImage(cgImage: try decoder.decode(data, size: decoder.size(of: data)))
  }

  private static func byteCount(of image: BaseImage) -> Int? {
    let frames = image.images ?? [image]
    return frames.reduce(0) { $0 + ($1.cgImage?.width ?? 0) * ($1.cgImage?.height ?? 0) * 4 }
  }
}
