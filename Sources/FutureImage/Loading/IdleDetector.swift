/// Distinguishes true idleness from the short gap between two images.
///
/// A lull is detected by a second look after ``length``: if no job has ended in between, the lull lasts until one does.
struct IdleDetector {
  /// A little more than a frame.
  static let length = Duration.milliseconds(20)

  private var ended: UInt64 = 0
  private var noticedAt: UInt64?
  private(set) var isLookedFor = false

  var lasts: Bool { noticedAt == ended }

  /// Notes that a lookup, a transfer or a decode has ended.
  mutating func somethingEnded() { ended += 1 }

  /// - Returns: the value to pass to ``lookAgain(_:)``.
  mutating func poll() -> UInt64 {
    isLookedFor = true
    return ended
  }

  mutating func lookAgain(_ before: UInt64) {
    isLookedFor = false
    if before == ended { noticedAt = before }
  }
}
