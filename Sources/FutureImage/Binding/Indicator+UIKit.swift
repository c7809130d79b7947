#if canImport(UIKit)
extension UIView {
  /// Adds the view in the middle of this one. Constraints to a superview's center require nothing of the superview's size, and hold for
  /// superviews that are laid out without constraints, too.
  func addInTheMiddle(_ view: UIView) {
    view.translatesAutoresizingMaskIntoConstraints = false
    addSubview(view)
    // The app may have taken it away while it was added.
    guard view.superview === self else { return }
    NSLayoutConstraint.activate([
      view.centerXAnchor.constraint(equalTo: centerXAnchor), view.centerYAnchor.constraint(equalTo: centerYAnchor)
    ])
  }
}
#endif
