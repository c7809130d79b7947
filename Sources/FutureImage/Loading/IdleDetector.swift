/// Distinguishes true idleness from the short gap between two images.
///
/// The owner polls twice, with a pause of ``length`` in between. If no job has ended during the pause, the owner counts as idle until the
/// next job ends.
struct IdleDetector {
  /// The pause between the two polls, a little longer than a frame.
  static let length = Duration.milliseconds(20)

  /// The number of jobs that have ended.
  private var ended: UInt64 = 0
  /// The value of `ended` when the owner was last found idle.
  private var idleAt: UInt64?
  private(set) var isPolling = false

  /// Whether the owner was found idle, and no job has ended since.
  var isIdle: Bool { idleAt == ended }

  /// Records that a lookup, a fetch, or a decode has ended.
  mutating func somethingEnded() { ended += 1 }

  /// - Returns: the value to pass to ``finishPoll(_:)``.
  mutating func poll() -> UInt64 {
    isPolling = true
    return ended
  }

  /// - Parameter before: the value that ``poll()`` returned.
  mutating func finishPoll(_ before: UInt64) {
    isPolling = false
    if before == ended { idleAt = before }
  }
}
