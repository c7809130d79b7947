extension FutureImage {
  /// The frames of an animated picture, in order, each as it is seen.
  public struct Animation {
    /// One picture of it.
    public struct Frame {
      /// The whole picture as it is then, upright; not what changed since the frame before.
      public var image: CGImage
      /// Seconds that it is shown.
      public var duration: TimeInterval

      public init(image: CGImage, duration: TimeInterval) {
        self.image = image
        self.duration = duration
      }
    }

    /// At least one; all of the same size.
    public var frames: [Frame]

    public init(frames: [Frame]) {
      self.frames = frames
    }
  }
}

extension FutureImage.Animation {
  /// How often each frame has to stand in a list of images that are all shown for the same time, as those of an animated `UIImage` are.
  ///
  /// | seconds | times | seconds of each |
  /// | --- | --- | --- |
  /// | 0.1, 0.1, 0.1 | 1, 1, 1 | 0.1 |
  /// | 0.1, 0.3, 0.2 | 1, 3, 2 | 0.1 |
  /// | 0.033, 0.034, 0.033 | 3, 4, 3 | 0.01 |
  ///
  /// Ends of frames are rounded to a hundredth of a second, so what is rounded does not add up; and coarser where the list would have more
  /// than 10,000 entries.
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
