import Foundation

@testable import FutureImage

#if canImport(UIKit) || canImport(UIKitStandIn)
extension UITapGestureRecognizer {
  /// Does what the tap of a finger does.
  func tap() {
    #if canImport(UIKit)
    // UIKit has no public call that makes a recognizer recognize a tap. The library's recognizer is the target of its own action, so this
    // method calls the action.
    _ = perform(NSSelectorFromString("futureImageTapped"))
    #else
    recognize()
    #endif
  }
}
#else
extension RetryTap {
  /// Does what a click does.
  func tap() {
    #if canImport(ObjectiveC)
    // AppKit has no public call that makes a recognizer recognize a click. The library's recognizer is the target of its own action, so
    // this method calls the action.
    _ = perform(NSSelectorFromString("futureImageClicked"))
    #else
    onClick?()
    #endif
  }
}
#endif
