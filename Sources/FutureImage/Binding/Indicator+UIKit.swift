#if canImport(UIKit)
extension UIView {
  /// Adds the view in the middle of this one. Constraints to a superview's center require nothing of the superview's size, and also hold in
  /// superviews that are laid out without constraints.
  func addInTheMiddle(_ view: UIView) {
    view.translatesAutoresizingMaskIntoConstraints = false
    addSubview(view)
    // The app may have removed it while it was being added.
    guard view.superview === self else { return }
    NSLayoutConstraint.activate([
      view.centerXAnchor.constraint(equalTo: centerXAnchor), view.centerYAnchor.constraint(equalTo: centerYAnchor)
    ])
  }
}
#endif
