import Foundation

extension UIView {
  /// Returns the point in another view's coordinates, by applying the transforms of the views in between.
  /// - Parameter view: a view that contains this view; the window if nil.
  public func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
    var (point, current) = (point, self)
    while current !== view, let superview = current.superview {
      point = current.pointInSuperview(point)
      current = superview
    }
    return point
  }

  /// Returns the smallest rectangle in another view's coordinates that contains the four corners of the given rectangle.
  /// - Parameter view: a view that contains this view; the window if nil.
  public func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
    boundingBox(of: rect) { convert($0, to: view) }
  }

  func boundingBox(of rect: CGRect, _ moved: (CGPoint) -> CGPoint) -> CGRect {
    let corners = [rect.minX, rect.maxX].flatMap { x in [rect.minY, rect.maxY].map { moved(CGPoint(x: x, y: $0)) } }
    let (x, y) = (corners.map(\.x), corners.map(\.y))
    let origin = CGPoint(x: x.min() ?? 0, y: y.min() ?? 0)
    return CGRect(x: origin.x, y: origin.y, width: (x.max() ?? 0) - origin.x, height: (y.max() ?? 0) - origin.y)
  }
}
