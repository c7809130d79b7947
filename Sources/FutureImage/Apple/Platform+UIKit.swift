// The functions of the library that require UIKit. `Platform+AppKit.swift` and `Platform+Linux.swift` have the same declarations.
#if canImport(UIKit)
/// The notification of a memory warning.
let platformMemoryWarning: Notification.Name? = UIApplication.didReceiveMemoryWarningNotification
/// The notification that the app has entered the background.
let platformBackground: Notification.Name? = UIApplication.didEnterBackgroundNotification

/// Returns a PNG with upright pixels, because a PNG that UIKit writes has no orientation.
package func uprightPNG(of image: UIImage) -> Data? {
  guard image.imageOrientation != .up else { return image.pngData() }
  let format = UIGraphicsImageRendererFormat()
  format.scale = image.scale
  return UIGraphicsImageRenderer(size: image.size, format: format).pngData { _ in image.draw(at: .zero) }
}

/// Returns the image's pixels, rotated upright; nil if the image has no pixels.
func uprightBitmap(of image: UIImage) -> CGImage? {
  if image.imageOrientation == .up, let bitmap = image.cgImage { return bitmap }
  guard image.size.width > 0, image.size.height > 0 else { return nil }
  let format = UIGraphicsImageRendererFormat()
  format.scale = image.scale
  return UIGraphicsImageRenderer(size: image.size, format: format).image { _ in image.draw(at: .zero) }.cgImage
}

/// Returns a timer that follows the display. If a loader has its own clock, as in tests, the timer uses that clock instead.
@MainActor func makeFrameTimer(_ clock: any Clock<Duration>) -> any FrameTimer {
  clock is ContinuousClock ? DisplayTimer { CADisplayLink(target: $0, selector: $1) } : ClockTimer(clock)
}

/// Whether people have turned on Reduce Motion.
@MainActor var reducesMotion: Bool { UIAccessibility.isReduceMotionEnabled }

/// A recognizer that receives the taps of a view until `end()` is called. The recognizer is its own target. Only the view retains it,
/// because a recognizer does not retain its targets.
@MainActor final class RetryTap: UITapGestureRecognizer {
  /// Whether the view received touches before the recognizer was added.
  var receivedTouches = true
  private var retry: (@MainActor () -> Void)?

  static func make(_ retry: @escaping @MainActor () -> Void) -> RetryTap {
    let tap = RetryTap()
    tap.retry = retry
    tap.addTarget(tap, action: #selector(futureImageTapped))
    return tap
  }

  // This name ensures that the method does not replace a method of UIKit.
  @objc private func futureImageTapped() { retry?() }
}
#endif
