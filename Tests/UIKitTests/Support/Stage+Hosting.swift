#if canImport(UIKit) || canImport(UIKitStandIn)
#if canImport(SwiftUI) && canImport(UIKit)
import FutureImage
import SwiftUI

extension Stage {
  /// Shows a SwiftUI view in the middle of the window, and returns after its first layout.
  func host<Content: View>(_ content: Content) -> UIHostingController<Content> {
    let controller = UIHostingController(rootView: content)
    controller.safeAreaRegions = []
    window.rootViewController = controller
    window.layoutIfNeeded()
    return controller
  }
}

extension UIViewController {
  /// Lays out the view, and returns the pixel that it draws in its middle: red, green, blue, and alpha.
  func middlePixel() throws -> SIMD4<UInt8> {
    view.layoutIfNeeded()
    CATransaction.flush()
    return try view.drawnPixel(CGPoint(x: 0.5, y: 0.5))
  }
}

extension UIView {
  /// Returns the first view of a class in the hierarchy that starts with this view.
  func first<Wanted: UIView>(_ wanted: Wanted.Type) -> Wanted? {
    if let view = self as? Wanted { return view }
    for view in subviews { if let found = view.first(wanted) { return found } }
    return nil
  }
}

extension NSObject {
  /// The accessibility elements of the object, and the accessibility elements inside them.
  @MainActor var allAccessibilityElements: [NSObject] {
    var elements = (accessibilityElements ?? []).compactMap { $0 as? NSObject }
    let count = accessibilityElementCount()
    if elements.isEmpty, count != NSNotFound { elements = (0..<count).compactMap { accessibilityElement(at: $0) as? NSObject } }
    return elements.flatMap { [$0] + $0.allAccessibilityElements }
  }
}
#endif
#endif
