extension UIImageView: ImageDisplaying {
  /// The view's bounds in the pixels of its display. A content mode that does not scale needs every pixel of the image. Before layout, it
  /// is the window's size, if there is a window.
  public var pixelFitting: FutureImage.Fitting? { pixelFitting(contentMode) }

  /// The future whose image is still to appear while the view is highlighted; nil once it has appeared, or something else is in its place.
  public var highlightedFutureImage: FutureImage? {
    get { FutureImage.Slot.highlightedImage.futureImage(of: self) }
    set { FutureImage.Slot.highlightedImage.display(newValue, in: self) }
  }
}

extension FutureImage.Slot where Owner: UIImageView {
  /// The image that the view shows while it is highlighted.
  public static var highlightedImage: Self {
    Self(
      "FutureImage, highlighted", get: { $0.highlightedImage }, set: { $0.showHighlightedImage($1) }, pixelFitting: { $0.pixelFitting })
  }
}

extension UIImageView {
  /// Sets the highlighted image. A view that is highlighted draws a new one only when it is highlighted again.
  fileprivate func showHighlightedImage(_ image: UIImage?) {
    highlightedImage = image
    guard isHighlighted else { return }
    isHighlighted = false
    isHighlighted = true
  }
}
