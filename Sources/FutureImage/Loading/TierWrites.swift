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

  /// An object, so that taking from it copies nothing of what waits.
  private final class Line {
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
    let line = lines[write.tier] ?? Line()
    lines[write.tier] = line
    line.waiting.append(write)
    waitingBytes += write.bytes
  }

  /// What is to be begun now, at most one of each tier; each is to be followed by ``ended(_:)``.
  mutating func takeDue(isQuiet: Bool) -> [Write] {
    guard !lines.isEmpty, isQuiet || waitingBytes > Self.patience else { return [] }
    return lines.values.compactMap { line in
      guard !line.isWriting, let write = line.waiting.popFirst() else { return nil }
      line.isWriting = true
      waitingBytes -= write.bytes
      return write
    }
  }

  mutating func ended(_ write: Write) {
    guard let line = lines[write.tier] else { return }
    line.isWriting = false
    if line.waiting.isEmpty { lines[write.tier] = nil }
  }
}
