#if canImport(UIKit) || canImport(AppKit)
#if canImport(Accessibility)
import Accessibility
#endif

/// Whether animated images play by themselves. People turn this off in Settings, under Accessibility: Auto-Play Animated Images.
@MainActor var playsAnimatedImages: Bool {
  // The model of AppKit in the tests has the setting, but not the Accessibility framework.
  #if canImport(Accessibility)
  guard #available(iOS 18, macOS 15, tvOS 18, visionOS 2, *) else { return AXAnimatedImagesEnabled() }
  #endif
  return AccessibilitySettings.animatedImagesEnabled
}
#endif
