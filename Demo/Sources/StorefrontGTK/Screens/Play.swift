import CGtk
import FutureImage

/// The playback of an animated image, which repeats its frames forever.
@MainActor
final class Play {
  private let frames: [UIImage]
  /// The duration of all frames, in microseconds.
  private let duration: gint64
  private var began: gint64?
  private var shown: Int?

  /// Returns nil for a still image.
  init?(of image: UIImage) {
    guard let frames = image.images, frames.count > 1, image.duration > 0 else { return nil }
    self.frames = frames
    duration = max(1, gint64(image.duration * 1_000_000))
  }

  /// Returns the frame that is due; nil if it is still the frame of the previous call.
  /// - Parameter now: the time of the frame clock, in microseconds. The animation begins at the time of the first call.
  func frame(at now: gint64) -> CGImage? {
    let start = began ?? now
    began = start
    let index = Int((now - start) % duration * gint64(frames.count) / duration)
    guard index != shown else { return nil }
    shown = index
    return frames[index].cgImage
  }
}
