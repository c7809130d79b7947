extension FutureImage {
  /// The frames of an animated image, which are decoded one at a time.
  ///
  /// The library uses each animation on one thread at a time, and usually requests the frames in order. So an animation may retain the
  /// canvas on which it draws the next frame. When no view shows the image anymore, the library releases the animation.
  public protocol Animation: AnyObject {
    /// The time in seconds for which each frame is shown.
    var durations: [TimeInterval] { get }
    /// The number of times that the animation plays; 0 means forever.
    var playCount: Int { get }
    /// The bytes that this object retains between two frames, which count against the loader's limit.
    var heldBytes: Int { get }
    /// Returns a frame, upright, and of the size that was requested when this object was made. Each frame has the whole image, not only the
    /// changes since the previous frame.
    /// - Parameter index: the number of the frame; 0 for the first.
    /// - Throws: ``FutureImage/Failure``. The animation then ends before this frame.
    func frame(at index: Int) throws -> CGImage
  }
}

extension FutureImage.Animation {
  /// Returns 0.
  public var heldBytes: Int { 0 }
}

/// All frames of an animated image, in memory at the same time.
struct DecodedFrames {
  /// At least one frame; all have the same size.
  var frames: [(image: CGImage, duration: TimeInterval)]
  /// The number of times that the animation plays; 0 means forever.
  var playCount: Int

  /// Reads the frames that are within the limits. If a frame is skipped, the frame before it is shown for longer.
  /// - Parameters:
  ///   - animation: an animation whose frames have the size of `part`.
  ///   - part: the frames to read.
  init(_ animation: any FutureImage.Animation, _ part: FutureImage.DecodingLimits.Playable) throws {
    playCount = animation.playCount
    frames = []
    for index in 0..<min(part.read, animation.durations.count) {
      guard index % part.stride == 0 else {
        frames[frames.count - 1].duration += animation.durations[index]
        continue
      }
      do {
        frames.append((try draining { try animation.frame(at: index) }, animation.durations[index]))
      } catch {
        // If a frame after the first is broken, the animation ends before that frame.
        if index == 0 { throw error }
        return
      }
    }
  }

  /// Returns the number of times that each frame occurs in the `images` of an animated `UIImage`, which shows each of its `images` for the
  /// same duration. Also returns that duration in seconds.
  ///
  /// | seconds | times | seconds of each |
  /// | --- | --- | --- |
  /// | 0.1, 0.1, 0.1 | 1, 1, 1 | 0.1 |
  /// | 0.1, 0.3, 0.2 | 1, 3, 2 | 0.1 |
  /// | 0.033, 0.034, 0.033 | 3, 4, 3 | 0.01 |
  ///
  /// The end of each frame, not its duration, is rounded to a hundredth of a second, so that rounding errors do not add up. Rounding is
  /// coarser if the list would have more than 10,000 entries.
  static func times(_ seconds: [TimeInterval]) -> (times: [Int], each: TimeInterval) {
    let seconds = seconds.map(\.frameDuration)
    let unit = max(0.01, seconds.reduce(0, +) / 10_000)
    var (time, end) = (0.0, 0)
    let times = seconds.map { duration in
      time += duration
      let next = max(end + 1, Int((time / unit).rounded()))
      defer { end = next }
      return next - end
    }
    let common = max(1, times.reduce(0) { commonDivisor($0, $1) })
    return (times.map { $0 / common }, unit * Double(common))
  }

  private static func commonDivisor(_ first: Int, _ second: Int) -> Int { second == 0 ? first : commonDivisor(second, first % second) }
}

extension TimeInterval {
  /// The time in seconds for which a frame is shown if its decoder states this duration: at least a hundredth of a second, and at most a
  /// million seconds. If the stated duration is not finite, the time is a tenth of a second.
  var frameDuration: TimeInterval { isFinite ? max(0.01, min(self, 1e6)) : 0.1 }
}
