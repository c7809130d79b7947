extension UIImageView: FutureImageBinding {
  /// The view's bounds in the pixels of its display. A content mode that does not scale needs every pixel of the picture. Before layout it
  /// is the window's size, if there is a window.
  public var pixelFitting: FutureImage.Fitting? { pixelFitting(contentMode) }

  func pixelFitting(_ contentMode: ContentMode) -> FutureImage.Fitting? {
    switch contentMode {
    case .scaleToFill, .scaleAspectFill: pixelBox.map { .fill($0) }
    case .scaleAspectFit: pixelBox.map { .fit($0) }
    default: .full
    }
  }

  /// The future that is to appear while the view is highlighted. Nil once its picture is there, or if something else was put in its place.
  public var highlightedFutureImage: FutureImage? {
    get { FutureImage.Slot.highlightedImage.futureImage(of: self) }
    set { FutureImage.Slot.highlightedImage.display(newValue, in: self) }
  }
}

extension FutureImage.Slot where Owner: UIImageView {
  /// What the view shows while it is highlighted.
  public static var highlightedImage: Self {
    Self(
      "highlighted image", get: { $0.highlightedImage }, set: { $0.highlightedImage = $1 }, pixelFitting: { $0.pixelFitting })
  }
}
