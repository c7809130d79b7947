@testable import FutureImage

extension UITapGestureRecognizer {
  /// Performs the action that a tap of a finger performs.
  func tap() {
    #if canImport(UIKit)
    // UIKit has no public method that makes a recognizer recognize a gesture. The library's recognizer is its own target, so this calls the
    // action.
    _ = perform(NSSelectorFromString("tapped"))
    #else
    recognize()
    #endif
  }
}
