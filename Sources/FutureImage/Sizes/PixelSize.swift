extension FutureImage {
  /// The width and height in pixels of an image with its orientation applied.
  public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }

    public var description: String { "\(width) × \(height)" }
  }

  /// The size in pixels at which an image is displayed; it determines how much of the image is decoded.
  public enum Fitting: Hashable, Sendable {
    /// Every pixel of the image.
    case full
    /// The whole image inside a box of this size in pixels.
    case fit(CGSize)
    /// The image covering a box of this size in pixels, or stretched to it.
    case fill(CGSize)
  }
}
