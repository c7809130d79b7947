import FutureImage

extension UIView {
  /// Sets the view's style, and calls the observers of it, which otherwise hear of it before the next layout.
  func change(to style: UIUserInterfaceStyle) {
    overrideUserInterfaceStyle = style
    updateTraitsIfNeeded()
  }
}
