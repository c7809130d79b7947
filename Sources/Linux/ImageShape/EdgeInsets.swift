import Foundation

/// The distances from the four sides, as a replacement for `UIEdgeInsets` on platforms without UIKit.
public struct EdgeInsets: Hashable, Sendable {
  /// Points.
  public var top: CGFloat
  /// Points.
  public var left: CGFloat
  /// Points.
  public var bottom: CGFloat
  /// Points.
  public var right: CGFloat

  public static let zero = EdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

  public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}
