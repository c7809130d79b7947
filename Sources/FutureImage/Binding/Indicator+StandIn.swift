#if canImport(UIKitStandIn) && !canImport(UIKit)
extension UIView {
  /// Adds the view; the toolkit decides where to draw it.
  func addInTheMiddle(_ view: UIView) { addSubview(view) }
}
#endif
