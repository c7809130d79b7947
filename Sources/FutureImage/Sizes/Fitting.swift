extension FutureImage {
  /// The size in pixels at which an image is displayed; it determines how much of the image is decoded.
  public enum Fitting: Hashable, Sendable {
    /// Every pixel of the image.
    case full
    /// The whole image inside a box of this size.
    case fit(PixelSize)
    /// The image covering a box of this size, or stretched to it.
    case fill(PixelSize)

    /// The whole image inside a box of this size in pixels.
    public static func fit(width: Int, height: Int) -> Fitting { .fit(PixelSize(width: width, height: height)) }

    /// The image covering a box of this size in pixels, or stretched to it.
    public static func fill(width: Int, height: Int) -> Fitting { .fill(PixelSize(width: width, height: height)) }
  }
}
