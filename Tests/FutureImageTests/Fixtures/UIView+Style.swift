@testable import FutureImage

extension UIView {
  /// Sets the view's style, and calls the observers of the style at once. Without this method, UIKit would call them only before the next
  /// layout.
  func change(to style: UIUserInterfaceStyle) {
    #if canImport(UIKit) || canImport(UIKitStandIn)
    overrideUserInterfaceStyle = style
    updateTraitsIfNeeded()
    #else
    appearance = style == .unspecified ? nil : NSAppearance(named: style == .dark ? .darkAqua : .aqua)
    #endif
  }
}
