#if canImport(UIKitStandIn) && !canImport(UIKit)
extension UIView {
  /// Adds the view; where it is drawn is the toolkit's affair.
  func addInTheMiddle(_ view: UIView) { addSubview(view) }
}
#endif
