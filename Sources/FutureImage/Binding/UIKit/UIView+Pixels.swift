#if canImport(UIKit) || canImport(UIKitStandIn)
extension UIView {
  /// The size of the view's bounds, in the pixels of its display. Before layout, this is the size of the window, if there is a window.
  var pixelBox: FutureImage.PixelSize? {
    guard let points = bounds.isEmpty ? window?.bounds.size : bounds.size, points.width > 0, points.height > 0 else { return nil }
    return FutureImage.PixelSize(points, scale: pixelsPerPoint)
  }

  /// The number of display pixels in one point of the view's width, and the number in one point of its height.
  ///
  /// A transform counts if it enlarges the view or one of its superviews, because a scroll view zooms with a transform, and transforms do
  /// not change bounds (Swift by Sundell, "UIView bounds and transforms"). A transform that shrinks the view does not count, because a
  /// transition that begins small ends at a size that needs every pixel.
  var pixelsPerPoint: CGSize {
    let scale = max(traitCollection.displayScale, 1)
    let zoom = zoom
    return CGSize(width: scale * max(zoom.width, 1), height: scale * max(zoom.height, 1))
  }

  /// The number of points of the window that one point of the view's width covers, and the number that one point of its height covers.
  private var zoom: CGSize {
    let none = CGSize(width: 1, height: 1)
    guard window != nil else { return none }
    let unit = CGRect(x: 0, y: 0, width: 1, height: 1)
    let box = convert(unit, to: nil)
    // Most views are not enlarged, and this code runs at each binding, so it returns early. The tolerance is for rounding errors.
    guard max(box.width, box.height) > 1.001 else { return none }
    let ends = [CGPoint.zero, CGPoint(x: 1, y: 0), CGPoint(x: 0, y: 1)].map { convert($0, to: nil) }
    func length(_ end: CGPoint) -> CGFloat {
      let (x, y) = (end.x - ends[0].x, end.y - ends[0].y)
      return (x * x + y * y).squareRoot()
    }
    return CGSize(width: length(ends[1]), height: length(ends[2]))
  }

  /// The pixels of an image that the view's bounds show in that content mode; nil if the image is scaled and the view has no size yet.
  func pixelFitting(_ contentMode: ContentMode) -> FutureImage.Fitting? {
    switch contentMode {
    case .scaleToFill, .scaleAspectFill, .scaleAspectFit:
      guard let box = pixelBox else { return nil }
      return contentMode == .scaleAspectFit ? .fit(box) : .fill(box)
    default: return .full
    }
  }
}
#endif
