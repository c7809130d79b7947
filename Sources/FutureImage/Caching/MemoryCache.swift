/// Values by key under a limit of cost and of number; the least recently used go first.
///
/// Every operation on one key takes constant time. Whatever leaves the cache is handed out, least recently used first, so that a caller
/// who keeps this in a lock destroys it after unlocking: destroying a picture may take long or run foreign code.
struct MemoryCache<Key: Hashable, Value> {
  private struct Node {
    var key: Key
    var value: Value
    var cost: Int
    var insertedAt: ContinuousClock.Instant?
  }

  /// Limit of all costs together; the library counts bytes.
  let costLimit: Int
  let countLimit: Int
  /// How long after it was inserted a value is given out, however often it is used.
  let maxAge: Duration?
  private(set) var totalCost = 0

  private var nodes = SlotList<Node>()
  private var slots: [Key: Int] = [:]
  private let now: @Sendable () -> ContinuousClock.Instant

  /// The clock is asked only if there is a `maxAge`.
  init(
    costLimit: Int = .max, countLimit: Int = .max, maxAge: Duration? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.costLimit = max(0, costLimit)
    self.countLimit = max(0, countLimit)
    self.maxAge = maxAge
    self.now = now
  }

  var count: Int { slots.count }
  var isEmpty: Bool { slots.isEmpty }

  /// Least recently used first.
  var keys: [Key] { nodes.map(\.key) }

  /// The value, which is now the most recently used.
  ///
  /// One that is too old is not given out; it stays as the next to go, or until ``removeExpired()``.
  mutating func value(forKey key: Key) -> Value? {
    guard let slot = slots[key] else { return nil }
    if isExpired(nodes[slot]) {
      nodes.moveToFront(slot)
      return nil
    }
    nodes.moveToBack(slot)
    return nodes[slot].value
  }

  /// The value, if it is there and young enough; its place in the order stays.
  func peek(_ key: Key) -> Value? {
    guard let slot = slots[key], !isExpired(nodes[slot]) else { return nil }
    return nodes[slot].value
  }

  /// Keeps the value as the most recently used. What it replaces and what has to go for it is returned; also the value itself, if it
  /// alone exceeds a limit.
  mutating func insert(_ value: Value, forKey key: Key, cost: Int = 0) -> [Value] {
    let old = removeValue(forKey: key)
    let insertedAt = maxAge == nil ? nil : now()
    let removed = place(Node(key: key, value: value, cost: max(0, cost), insertedAt: insertedAt))
    return (old.map { [$0] } ?? []) + removed
  }

  /// The value turned out to cost so much, and counts as used; its age stays. What has to go for it is returned, perhaps itself.
  mutating func setCost(_ cost: Int, forKey key: Key) -> [Value] {
    guard let slot = slots.removeValue(forKey: key) else { return [] }
    var node = nodes[slot]
    _ = take(slot)
    node.cost = max(0, cost)
    return place(node)
  }

  mutating func removeValue(forKey key: Key) -> Value? {
    slots.removeValue(forKey: key).map { take($0) }
  }

  /// Removes the least recently used until no more than this is left.
  mutating func trim(toCost costLimit: Int, count countLimit: Int = .max) -> [Value] {
    var removed: [Value] = []
    while totalCost > costLimit || count > countLimit, let oldest = nodes.front {
      slots[nodes[oldest].key] = nil
      removed.append(take(oldest))
    }
    return removed
  }

  mutating func removeAll() -> [Value] {
    let removed = nodes.map(\.value)
    nodes = SlotList()
    slots = [:]
    totalCost = 0
    return removed
  }

  mutating func removeAll(where shouldRemove: (Key, Value) throws -> Bool) rethrows -> [Value] {
    // Decided for all before anything goes, so that a throwing closure leaves the cache whole.
    let doomed = try nodes.filter { try shouldRemove($0.key, $0.value) }.map(\.key)
    return doomed.compactMap { removeValue(forKey: $0) }
  }

  /// Removes what is too old to be given out. Takes time in proportion to the number of values.
  mutating func removeExpired() -> [Value] {
    guard maxAge != nil else { return [] }
    return nodes.filter { isExpired($0) }.map(\.key).compactMap { removeValue(forKey: $0) }
  }

  private mutating func place(_ node: Node) -> [Value] {
    guard node.cost <= costLimit, countLimit > 0 else { return [node.value] }
    let removed = trim(toCost: costLimit - node.cost, count: countLimit - 1)
    slots[node.key] = nodes.append(node)
    totalCost += node.cost
    return removed
  }

  private mutating func take(_ slot: Int) -> Value {
    let node = nodes.remove(slot)
    totalCost -= node.cost
    return node.value
  }

  private func isExpired(_ node: Node) -> Bool {
    guard let maxAge, let insertedAt = node.insertedAt else { return false }
    return insertedAt.duration(to: now()) > maxAge
  }
}
