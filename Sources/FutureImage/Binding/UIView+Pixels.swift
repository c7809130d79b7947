extension UIView {
  /// The view's bounds in the pixels of its display; before layout the window's, if there is one.
  var pixelBox: CGSize? {
    guard let points = bounds.isEmpty ? window?.bounds.size : bounds.size, points.width > 0, points.height > 0 else { return nil }
    let scale = max(traitCollection.displayScale, 1)
    return CGSize(width: points.width * scale, height: points.height * scale)
  }
}
