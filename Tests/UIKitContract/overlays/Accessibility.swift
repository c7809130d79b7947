// Accessibility has no Objective-C part here, because the library uses only two declarations, which Apple's overlay declares in Swift.
// Facts: https://developer.apple.com/documentation/accessibility/accessibilitysettings/animatedimagesenabled (iOS 18, macOS 15, tvOS 18,
// visionOS 2), https://developer.apple.com/documentation/accessibility/axanimatedimagesenabled() (iOS 17, macOS 14, tvOS 17, visionOS 1;
// deprecated since the versions that have the property).
public struct AccessibilitySettings {
  public static var animatedImagesEnabled: Bool { true }
}
public func AXAnimatedImagesEnabled() -> Bool { true }
