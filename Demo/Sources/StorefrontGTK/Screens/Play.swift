import CGtk
import FutureImage

/// An animated picture on its way through its frames, over and over.
@MainActor
final class Play {
  private let frames: [UIImage]
  /// Microseconds.
  private let duration: gint64
  private var began: gint64?
  private var shown: Int?

  /// Nil for a still picture.
  init?(of image: UIImage) {
    guard let frames = image.images, frames.count > 1, image.duration > 0 else { return nil }
    self.frames = frames
    duration = max(1, gint64(image.duration * 1_000_000))
  }

  /// The frame that is due, unless it is the one that was due before.
  /// - Parameter now: microseconds of the frame clock; the first call's is the animation's beginning.
  func frame(at now: gint64) -> CGImage? {
    let start = began ?? now
    began = start
    let index = Int((now - start) % duration * gint64(frames.count) / duration)
    guard index != shown else { return nil }
    shown = index
    return frames[index].cgImage
  }
}
