/// The keys of a table whose entries end without being told: a few are looked at with each change, in turn, so that the table stays in
/// proportion to what lives and no look takes long.
struct Rounds<Key> {
  private var keys = FIFO<Key>()

  /// Adds a key that is new in the table.
  mutating func add(_ key: Key) { keys.append(key) }

  /// Looks at the next few keys.
  /// - Parameter stays: Whether the key's entry is still in the table after the look.
  mutating func look(atMost count: Int = 4, _ stays: (Key) -> Bool) {
    for _ in 0..<min(count, keys.count) {
      if let key = keys.popFirst(), stays(key) { keys.append(key) }
    }
  }
}
