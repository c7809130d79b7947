/// What is to be written to disk tiers, or removed from them: one at a time of a tier, in the order in which it came, so that what came
/// last is what stays.
///
/// Nobody waits for a write, and what is waited for needs the same processors. So a write begins when nothing is read, decoded or delivered,
/// or when so many bytes have gathered that losing them would hurt.
struct TierWrites {
  struct Write: Sendable {
    let tier: ObjectIdentifier
    /// What waits with it.
    let bytes: Int
    let body: @Sendable () async -> Void
  }

  private struct Line {
    var waiting = FIFO<Write>()
    var isWriting = false
  }

  /// So many bytes may wait, in all: a screen or two of photos.
  static let patience = 8 << 20

  private var lines: [ObjectIdentifier: Line] = [:]
  private var waitingBytes = 0

  var isEmpty: Bool { lines.isEmpty }

  /// How many have not begun.
  var waitingCount: Int { lines.values.reduce(0) { $0 + $1.waiting.count } }

  mutating func add(_ write: Write) {
    lines[write.tier, default: Line()].waiting.append(write)
    waitingBytes += write.bytes
  }

  /// What is to be begun now, at most one of each tier; each is to be followed by ``ended(_:)``.
  mutating func takeDue(isQuiet: Bool) -> [Write] {
    guard !lines.isEmpty, isQuiet || waitingBytes > Self.patience else { return [] }
    return lines.keys.compactMap { takeNext(of: $0) }
  }

  mutating func ended(_ write: Write) {
    lines[write.tier]?.isWriting = false
    if lines[write.tier]?.waiting.isEmpty == true { lines[write.tier] = nil }
  }

  private mutating func takeNext(of tier: ObjectIdentifier) -> Write? {
    guard lines[tier]?.isWriting == false, let write = lines[tier]?.waiting.popFirst() else { return nil }
    lines[tier]?.isWriting = true
    waitingBytes -= write.bytes
    return write
  }
}
