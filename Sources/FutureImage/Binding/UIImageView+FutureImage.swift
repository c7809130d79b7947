extension UIImageView: FutureImageBinding {
  /// The view's bounds in the pixels of its display. A content mode that does not scale needs every pixel of the picture. Before layout it
  /// is the window's size, if there is a window.
  public var pixelFitting: FutureImage.Fitting? {
    switch contentMode {
    case .scaleToFill, .scaleAspectFill: pixelBox.map { .fill($0) }
    case .scaleAspectFit: pixelBox.map { .fit($0) }
    default: .full
    }
  }

  private var pixelBox: CGSize? {
    guard let points = bounds.isEmpty ? window?.bounds.size : bounds.size, points.width > 0, points.height > 0 else { return nil }
    let scale = max(traitCollection.displayScale, 1)
    return CGSize(width: points.width * scale, height: points.height * scale)
  }
}
