// The functions of the library that require AppKit. `Platform+UIKit.swift` and `Platform+Linux.swift` have the same declarations.
#if canImport(AppKit) && !canImport(UIKit)
/// Nil, because macOS sends no memory warnings. Instead, it reports memory pressure, which `MemoryPressure` observes.
let platformMemoryWarning: Notification.Name? = nil
/// The notification that people have hidden the app.
let platformBackground: Notification.Name? = NSApplication.didHideNotification

package func uprightPNG(of image: BaseImage) -> Data? { image.pngData() }

func uprightBitmap(of image: BaseImage) -> CGImage? { image.upright }

/// Returns a timer that follows the main display. If there is no display, or if a loader has its own clock, as in tests, the timer uses the
/// clock instead.
@MainActor func makeFrameTimer(_ clock: any Clock<Duration>) -> any FrameTimer {
  #if canImport(QuartzCore)
  if clock is ContinuousClock, let screen = NSScreen.main {
    return DisplayTimer { screen.displayLink(target: $0, selector: $1) }
  }
  #endif
  return ClockTimer(clock)
}

/// Whether people have turned on Reduce Motion.
@MainActor var reducesMotion: Bool { NSWorkspace.shared.accessibilityDisplayShouldReduceMotion }

/// A recognizer that receives the clicks on a view until `end()` is called. The recognizer is its own target. Only the view retains it,
/// because a recognizer does not retain its target.
@MainActor final class RetryTap: NSClickGestureRecognizer {
  /// Whether the view received touches before the recognizer was added.
  var receivedTouches = true
  private var retry: (@MainActor () -> Void)?

  static func make(_ retry: @escaping @MainActor () -> Void) -> RetryTap {
    let tap = RetryTap()
    tap.retry = retry
    // If the events were delayed, a table could not select the row of a failed image.
    tap.delaysPrimaryMouseButtonEvents = false
    #if canImport(ObjectiveC)
    tap.target = tap
    tap.action = #selector(futureImageClicked)
    #else
    // The model of AppKit in the tests has no selectors.
    tap.onClick = retry
    #endif
    return tap
  }

  #if canImport(ObjectiveC)
  // This name ensures that the method does not replace a method of AppKit.
  @objc private func futureImageClicked() { retry?() }
  #endif
}

extension NSColor {
  /// The red, green, blue, and alpha in sRGB; nil for a color that has none, such as a pattern.
  ///
  /// `getRed(_:green:blue:alpha:)` of a color in another space raises an exception, so the color is converted first.
  var sRGBComponents: SIMD4<Double>? {
    guard let color = usingColorSpace(.sRGB) else { return nil }
    var (red, green, blue, alpha) = (CGFloat.zero, CGFloat.zero, CGFloat.zero, CGFloat.zero)
    // The pointers are used only during the call.
    color.getRed(&red, green: &green, blue: &blue, alpha: &alpha)
    return SIMD4(Double(red), Double(green), Double(blue), Double(alpha))
  }
}
#endif
