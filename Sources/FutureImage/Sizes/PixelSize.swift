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

    /// Creates the size in pixels of a size in points.
    ///
    /// A fraction of a pixel is rounded up. An infinite side becomes `Int.max`, which is no limit for a ``Fitting``. A side that is
    /// negative or not a number becomes zero.
    /// - Parameters:
    ///   - points: the size in points.
    ///   - scale: the number of pixels in a point, such as a view's `traitCollection.displayScale`.
    public init(_ points: CGSize, scale: CGFloat) {
      self.init(points, scale: CGSize(width: scale, height: scale))
    }

    /// - Parameters:
    ///   - points: the size in points.
    ///   - scale: the number of pixels in a point, for the width and for the height.
    init(_ points: CGSize, scale: CGSize) {
      // A thousandth of a pixel is a rounding error that is not visible. A comparison with NaN is false, so NaN becomes zero.
      func pixels(_ points: CGFloat, _ scale: CGFloat) -> Int {
        let pixels = (points * scale - 0.001).rounded(.up)
        guard pixels > 0 else { return 0 }
        return pixels < CGFloat(Int.max) ? Int(pixels) : .max
      }
      self.init(width: pixels(points.width, scale.width), height: pixels(points.height, scale.height))
    }

    public var description: String { "\(width) × \(height)" }
  }
}

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
