import Foundation

extension BaseImage {
  /// The distances from the four sides, as a replacement for `UIEdgeInsets` on platforms without UIKit.
  public struct EdgeInsets: Hashable, Sendable {
    /// The inset at the top, in points.
    public var top: CGFloat
    /// The inset on the left, in points.
    public var left: CGFloat
    /// The inset at the bottom, in points.
    public var bottom: CGFloat
    /// The inset on the right, in points.
    public var right: CGFloat

    public static let zero = EdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
      self.top = top
      self.left = left
      self.bottom = bottom
      self.right = right
    }
  }
}
