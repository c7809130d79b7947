/// The keys of a table whose entries end without a notification. Each change checks a few keys, in turn, so that the table stays in
/// proportion to its live entries and no check takes long.
struct Rounds<Key> {
  private var keys = FIFO<Key>()

  /// Adds a key that is new in the table.
  mutating func add(_ key: Key) { keys.append(key) }

  /// Checks the next few keys.
  /// - Parameter stays: whether the key's entry is still in the table after the check.
  mutating func look(atMost count: Int = 4, _ stays: (Key) -> Bool) {
    for _ in 0..<min(count, keys.count) {
      if let key = keys.popFirst(), stays(key) { keys.append(key) }
    }
  }
}
