/// What is to be written to disk tiers, or removed from them: one at a time of a tier, in the order in which it came, so that what came
/// last is what stays.
///
/// Nobody waits for a write, and what is waited for needs the same processors. So a write begins when nothing is read, decoded or delivered,
/// or when so many bytes of its tier have gathered that they take memory which pixels should have.
struct TierWrites {
  struct Write: Sendable {
    let tier: ObjectIdentifier
    /// What waits with it.
    let bytes: Int
    /// Calls nobody at once, but what it is given when it has ended.
    let begin: @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
  }

  /// Why a picture is not stored.
  struct Behind: Error, CustomStringConvertible {
    let description = "a disk tier is \(TierWrites.limit >> 20) MB behind; it does not get the picture"
  }

  /// An object, so that taking from it copies nothing of what waits.
  private final class Line {
    var waiting = FIFO<Write>()
    var bytes = 0
    var isWriting = false
  }

  /// So many bytes of a tier may wait at all, if it hangs or is too slow.
  static let limit = 64 << 20
  /// So many may wait for quiet.
  let patience: Int

  private var lines: [ObjectIdentifier: Line] = [:]
  private var bytes = 0

  /// - Parameter pixelLimit: the bytes of pixels that are kept; what waits may take an eighth of that.
  init(pixelLimit: Int) {
    patience = min(pixelLimit / 8, Self.limit / 2)
  }

  var isEmpty: Bool { lines.isEmpty }

  /// How many have not begun.
  var waitingCount: Int { lines.values.reduce(0) { $0 + $1.waiting.count } }

  func hasRoom(for bytes: Int, of tier: ObjectIdentifier) -> Bool {
    guard let line = lines[tier], line.bytes > 0 else { return true }
    return line.bytes + bytes <= Self.limit
  }

  mutating func add(_ write: Write) {
    let line = lines[write.tier] ?? Line()
    lines[write.tier] = line
    line.waiting.append(write)
    line.bytes += write.bytes
    bytes += write.bytes
  }

  /// What is to be begun now, at most one of each tier; each is to be followed by ``ended(_:)``.
  mutating func takeDue(isQuiet: Bool) -> [Write] {
    // Asked whenever something has ended.
    guard isQuiet || bytes > patience else { return [] }
    return lines.values.compactMap { line in
      guard !line.isWriting, isQuiet || line.bytes > patience, let write = line.waiting.popFirst() else { return nil }
      line.isWriting = true
      line.bytes -= write.bytes
      bytes -= write.bytes
      return write
    }
  }

  mutating func ended(_ write: Write) {
    guard let line = lines[write.tier] else { return }
    line.isWriting = false
    if line.waiting.isEmpty { lines[write.tier] = nil }
  }
}
