#if canImport(AppKit) && !canImport(UIKit)
import AppKit

extension NSView {
  /// Adds a view that fills this view up to a margin.
  func fill(with view: NSView, margin: CGFloat = 0) {
    view.translatesAutoresizingMaskIntoConstraints = false
    addSubview(view)
    NSLayoutConstraint.activate([
      view.topAnchor.constraint(equalTo: topAnchor, constant: margin),
      view.bottomAnchor.constraint(equalTo: bottomAnchor, constant: -margin),
      view.leadingAnchor.constraint(equalTo: leadingAnchor, constant: margin),
      view.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -margin)
    ])
  }
}
#endif
