@testable import FutureImage

extension UITapGestureRecognizer {
  /// Does what the tap of a finger does.
  func tap() {
    #if canImport(UIKit)
    // UIKit has no public call that makes a recognizer recognize. The library's recognizer is its own target.
    _ = perform(NSSelectorFromString("tapped"))
    #else
    recognize()
    #endif
  }
}
