/// Whether people have stopped waiting for pictures, or there is only nothing to do for them between one that came and the next.
///
/// It is noticed by looking again after ``length``: if nothing has ended meanwhile, it lasts until something does.
struct Lull {
  /// A little more than a frame.
  static let length = Duration.milliseconds(20)

  private var ended: UInt64 = 0
  private var noticedAt: UInt64?
  private(set) var isLookedFor = false

  var lasts: Bool { noticedAt == ended }

  /// A look-up, a transfer or a decode has.
  mutating func somethingEnded() { ended += 1 }

  /// - Returns: what to look again with.
  mutating func look() -> UInt64 {
    isLookedFor = true
    return ended
  }

  mutating func lookAgain(_ before: UInt64) {
    isLookedFor = false
    if before == ended { noticedAt = before }
  }
}
