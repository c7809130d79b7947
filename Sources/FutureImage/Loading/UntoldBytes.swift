/// Bytes that no disk tier gets, from the moment they are there until the futures of their key have been told. Whoever asks in between
/// would find neither a transfer to join nor a future that keeps them.
struct UntoldBytes {
  /// Names one telling.
  typealias Turn = UInt64

  private var bytes: [SourceKey: (turn: Turn, encoded: Encoded)] = [:]
  /// How many there were in all: who looked for bytes before the last came looks again.
  private(set) var count: Turn = 0

  subscript(key: SourceKey) -> Encoded? { bytes[key]?.encoded }

  /// - Returns: what it takes the place of.
  fileprivate mutating func begin(_ encoded: Encoded, _ key: SourceKey) -> Encoded? {
    count += 1
    return bytes.updateValue((count, encoded), forKey: key)?.encoded
  }

  /// - Returns: what is let go, unless others came since.
  fileprivate mutating func end(_ key: SourceKey, _ turn: Turn) -> Encoded? {
    bytes[key]?.turn == turn ? bytes.removeValue(forKey: key)?.encoded : nil
  }
}

extension FutureImage.Loader.State {
  /// To be followed by `endTelling`.
  /// - Returns: nil if the bytes wait for a disk tier, where all find them.
  mutating func beginTelling(of encoded: Encoded, _ key: SourceKey) -> UntoldBytes.Turn? {
    guard stagedBytes(of: key) == nil else { return nil }
    if let former = untold.begin(encoded, key) { departed.add(former) }
    return untold.count
  }

  mutating func endTelling(_ key: SourceKey, _ turn: UntoldBytes.Turn?) {
    if let turn, let told = untold.end(key, turn) { departed.add(told) }
  }
}
