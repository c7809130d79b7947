extension FutureImage {
  /// The frames of an animated image, in order, each as it is displayed.
  public struct Animation {
    /// The frames, at least one. All have the same size. Each frame has the whole upright image, not only the changes since the previous
    /// frame, and the time in seconds for which it is shown.
    public var frames: [(image: CGImage, duration: TimeInterval)]
    /// The number of times that the animation plays, as its file states; 0 means forever.
    public var playCount: Int
    /// The number of frames in the file. If it is larger than the number of ``frames``, the loader reports that the animation is reduced.
    var frameCount: Int

    /// - Parameters:
    ///   - frames: at least one frame; all have the same size.
    ///   - playCount: the number of times that the animation plays; 0 means forever.
    ///   - frameCount: the number of frames in the file; nil for the number of `frames`.
    public init(frames: [(image: CGImage, duration: TimeInterval)], playCount: Int = 0, frameCount: Int? = nil) {
      self.frames = frames
      self.playCount = playCount
      self.frameCount = frameCount ?? frames.count
    }
  }
}

extension FutureImage.Animation {
  /// Returns the number of times that each frame occurs in the list of an animated `UIImage`, which shows all images of the list for the
  /// same time. Also returns that time in seconds.
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
    let seconds = seconds.map { $0.isFinite ? max(0.01, min($0, 1e6)) : 0.1 }
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
