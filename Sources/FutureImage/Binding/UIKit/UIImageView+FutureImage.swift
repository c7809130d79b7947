#if canImport(UIKit) || canImport(UIKitStandIn)
extension UIImageView: ImageDisplaying {
  /// The view's bounds in the pixels of its display. A content mode that does not scale needs every pixel of the image. Before layout, this
  /// is the size of the window, if there is a window.
  public var pixelFitting: FutureImage.Fitting? { pixelFitting(contentMode) }
}

extension FutureImage.Slot where Owner: UIImageView {
  /// The image that the view shows while it is highlighted.
  public static var highlightedImage: Self {
    Self(
      "FutureImage, highlighted", get: { $0.highlightedImage }, set: { $0.showHighlightedImage($1) }, pixelFitting: { $0.pixelFitting })
  }
}

extension UIImageView {
  /// Sets the highlighted image. A view that is already highlighted draws a new highlighted image only when it is highlighted again.
  fileprivate func showHighlightedImage(_ image: BaseImage?) {
    highlightedImage = image
    guard isHighlighted else { return }
    isHighlighted = false
    isHighlighted = true
  }
}
#endif
