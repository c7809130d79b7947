extension FutureImage {
  /// A width and a height in pixels, as the picture is seen: after its orientation is applied.
  public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }

    public var description: String { "\(width) × \(height)" }
  }

  /// How large, in pixels, a picture is to be shown; it decides how much of it is decoded.
  public enum Fitting: Hashable, Sendable {
    /// Every pixel of the picture.
    case full
    /// The whole picture inside a box of this many pixels.
    case fit(CGSize)
    /// The picture covering a box of this many pixels, or stretched to it.
    case fill(CGSize)
  }
}
