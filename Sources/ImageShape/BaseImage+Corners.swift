extension BaseImage {
  /// The corners of a rectangle, as a replacement for `UIRectCorner` on platforms without UIKit.
  public struct Corners: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    public static let topLeft = Corners(rawValue: 1)
    public static let topRight = Corners(rawValue: 2)
    public static let bottomLeft = Corners(rawValue: 4)
    public static let bottomRight = Corners(rawValue: 8)
    /// All corners. As in UIKit, all bits are set, including bits that represent no corner.
    public static let allCorners = Corners(rawValue: .max)
  }
}
