extension FutureImage.Placeholder {
  /// Makes the BlurHash of an image, for a feed. From the hash, an app creates a placeholder by ``blurHash(_:aspectRatio:)``.
  ///
  ///     let hash = try FutureImage.Placeholder.makeBlurHash(of: await photo.value)
  ///
  /// The format is that of [BlurHash](https://github.com/woltapp/blurhash/blob/master/Algorithm.md). A BlurHash contains neither the size
  /// of the image nor its alpha, so deliver the size beside the hash. Transparent parts get the average color of the other parts, and a
  /// completely transparent image is black. (The format's own encoders ignore alpha, so their hashes contain the colors that a file stores
  /// for transparent pixels.)
  ///
  /// May be called on any thread, and does its work there. The method reads all pixels of the image, and needs four bytes of memory for
  /// each of them. So pass an image that was reduced when it was decoded, as by ``FutureImage/value(fitting:confirmed:)``. The method
  /// reduces a larger image to at most 64 pixels on the longer side.
  /// - Parameters:
  ///   - image: an image in any orientation; the hash is that of the upright image. The hash of an animation is that of its first frame.
  ///     Pass the value of a future, not the future, whose own pixels are those of its placeholder.
  ///   - columns: the number of components across. A number outside of 1...9 is limited to that range.
  ///   - rows: the number of components down, limited to the same range.
  /// - Returns: 4 + 2 × `columns` × `rows` characters: 28 by default.
  /// - Throws: `.unreadable` if the image has no pixels, `.refused` if it is a future, or `.outOfMemory`.
  public static func makeBlurHash(of image: BaseImage, columns: Int = 4, rows: Int = 3) throws(FutureImage.Failure) -> String {
    let range = 1...BlurHash.mostComponents
    func limited(_ count: Int) -> Int { min(max(count, range.lowerBound), range.upperBound) }
    return BlurHash.text(of: try pixels(of: image, longestSide: 64), columns: limited(columns), rows: limited(rows))
  }

  /// Makes the ThumbHash of an image, for a feed. From the hash, an app creates a placeholder by ``thumbHash(_:)``.
  ///
  ///     let hash = try FutureImage.Placeholder.makeThumbHash(of: await photo.value)
  ///
  /// The format is that of [ThumbHash](https://github.com/evanw/thumbhash). The hash contains alpha if a pixel is not opaque, and an
  /// approximate aspect ratio: a number from 1 to 7 for the shorter side, where the longer side is 7. If there is alpha, the longer side is
  /// 5, and the number is at most 5.
  ///
  /// May be called on any thread, and does its work there. The method reads all pixels of the image, and needs four bytes of memory for
  /// each of them. So pass an image that was reduced when it was decoded, as by ``FutureImage/value(fitting:confirmed:)``. The method
  /// reduces a larger image to at most 100 pixels on the longer side, which is the limit of the format's own encoders.
  /// - Parameter image: an image in any orientation; the hash is that of the upright image. The hash of an animation is that of its first
  ///   frame. Pass the value of a future, not the future, whose own pixels are those of its placeholder.
  /// - Returns: the hash of at most 25 bytes in base64 with padding.
  /// - Throws: `.unreadable` if the image has no pixels, `.refused` if it is a future, or `.outOfMemory`.
  public static func makeThumbHash(of image: BaseImage) throws(FutureImage.Failure) -> String {
    Data(ThumbHash.bytes(of: try pixels(of: image, longestSide: 100))).base64EncodedString()
  }

  /// Returns the upright pixels of an image, reduced so that its longer side has at most `longestSide` pixels.
  private static func pixels(of image: BaseImage, longestSide: Int) throws(FutureImage.Failure) -> FutureImage.PixelBuffer {
    try requireNoFuture(image)
    return try draining { () throws(FutureImage.Failure) -> FutureImage.PixelBuffer in
      guard let bitmap = uprightBitmap(of: image) else {
        throw FutureImage.Failure(.unreadable("it has no pixels; use an image with pixels"))
      }
      guard let pixels = FutureImage.PixelBuffer(bitmap, scale: 1)?.reduced(toLongestSide: longestSide) else {
        throw FutureImage.Failure(.outOfMemory)
      }
      return pixels
    }
  }
}

extension FutureImage.PixelBuffer {
  /// Returns the image with at most `limit` pixels on the longer side. The shorter side has at least one pixel.
  fileprivate func reduced(toLongestSide limit: Int) -> Self? {
    let longer = max(width, height)
    guard longer > limit else { return self }
    func side(_ pixels: Int) -> Int { max(1, Int((Double(pixels) * Double(limit) / Double(longer)).rounded())) }
    return resampled(origin: .zero, extent: SIMD2(Double(width), Double(height)), width: side(width), height: side(height))
  }
}
