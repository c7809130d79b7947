/// A cache of values by key with limits on cost and count. It removes the least recently used values first.
///
/// Every operation on one key takes constant time. All values that leave the cache are returned, least recently used first. So a caller
/// whose cache is guarded by a lock can release the values after unlocking, because releasing an image may take long or run foreign code.
package struct MemoryCache<Key: Hashable, Value> {
  /// A key and its value, which are both nil in a free slot. Each of them is optional, because reading the value of an optional node would
  /// retain and release both.
  private struct Node {
    var key: Key?
    package var value: Value?
  }

  private struct Account {
    var cost: Int
    var hash: Int
  }

  /// The limit on the sum of all costs. In the library, a cost is a number of bytes.
  package let costLimit: Int
  package let countLimit: Int
  /// The time after its insertion for which a value is returned, however often it is used.
  let maxAge: Duration?
  package private(set) var totalCost = 0
  package private(set) var count = 0

  // The arrays are indexed by slot. They are separate, so that a search reads only what it needs. `insertedAt` has elements only if there
  // is a `maxAge`.
  private var nodes: [Node] = []
  private var accounts: [Account] = []
  private var insertedAt: [ContinuousClock.Instant] = []
  private var order = SlotOrder()
  private var index = SlotIndex()
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Creates a cache. It reads the clock only if there is a `maxAge`.
  package init(
    costLimit: Int = .max, countLimit: Int = .max, maxAge: Duration? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.costLimit = max(0, costLimit)
    self.countLimit = max(0, countLimit)
    self.maxAge = maxAge
    self.now = now
  }

  var isEmpty: Bool { count == 0 }

  /// The keys, least recently used first.
  var keys: [Key] { order.compactMap { nodes[$0].key } }

  /// Returns the value, and makes it the most recently used value.
  ///
  /// An expired value is not returned. It becomes the next value to be removed, and stays until then or until ``removeExpired()`` is
  /// called.
  package mutating func value(forKey key: Key) -> Value? {
    guard let slot = slot(key, key.hashValue) else { return nil }
    if isExpired(slot) {
      order.moveToFront(slot)
      return nil
    }
    order.moveToBack(slot)
    return nodes[slot].value
  }

  /// Returns the value; nil if it is missing or expired. Does not change the order of the values.
  func peek(_ key: Key) -> Value? {
    guard let slot = slot(key, key.hashValue), !isExpired(slot) else { return nil }
    return nodes[slot].value
  }

  /// Stores the value as the most recently used value. Returns the value that it replaces, and the values that are evicted. A value whose
  /// cost alone exceeds the limit is not stored, and is returned, too.
  package mutating func insert(_ value: Value, forKey key: Key, cost: Int = 0) -> [Value] {
    let hash = key.hashValue
    let cost = max(0, cost)
    guard let slot = slot(key, hash) else { return append(value, forKey: key, with: Account(cost: cost, hash: hash)) }
    guard cost <= costLimit, let old = nodes[slot].value else { return [remove(slot), value].compactMap { $0 } }
    nodes[slot].value = value
    if maxAge != nil { insertedAt[slot] = now() }
    return [old] + setCost(cost, slot)
  }

  /// Sets the cost of a value, which becomes the most recently used value and retains its age. Returns the values that are evicted, which
  /// may include the value itself.
  package mutating func setCost(_ cost: Int, forKey key: Key) -> [Value] {
    guard let slot = slot(key, key.hashValue) else { return [] }
    let cost = max(0, cost)
    return cost <= costLimit ? setCost(cost, slot) : [remove(slot)].compactMap { $0 }
  }

  package mutating func removeValue(forKey key: Key) -> Value? {
    slot(key, key.hashValue).flatMap { remove($0) }
  }

  /// Removes the least recently used values until the cache is within these limits.
  package mutating func trim(toCost costLimit: Int, count countLimit: Int = .max) -> [Value] {
    var removed: [Value] = []
    while totalCost > costLimit || count > countLimit, let oldest = order.front, let value = remove(oldest) { removed.append(value) }
    return removed
  }

  package mutating func removeAll() -> [Value] {
    let removed = order.compactMap { nodes[$0].value }
    (nodes, accounts, insertedAt, order, index) = ([], [], [], SlotOrder(), SlotIndex())
    (totalCost, count) = (0, 0)
    return removed
  }

  package mutating func removeAll(where shouldRemove: (Key, Value) throws -> Bool) rethrows -> [Value] {
    // Select all values before removing any, so that a throwing closure leaves the cache intact.
    let selected = try order.filter { slot in
      guard let key = nodes[slot].key, let value = nodes[slot].value else { return false }
      return try shouldRemove(key, value)
    }
    return selected.compactMap { remove($0) }
  }

  /// Removes the expired values. Takes time in proportion to the number of values.
  package mutating func removeExpired() -> [Value] {
    guard maxAge != nil else { return [] }
    return order.filter { isExpired($0) }.compactMap { remove($0) }
  }

  // MARK: - Slots

  private func slot(_ key: Key, _ hash: Int) -> Int? {
    nodes.withUnsafeBufferPointer { nodes in index.slot(hash) { nodes[$0].key == key } }
  }

  private mutating func append(_ value: Value, forKey key: Key, with account: Account) -> [Value] {
    guard account.cost <= costLimit, countLimit > 0 else { return [value] }
    // Trim before adding, so that the sum never overflows.
    let removed = trim(toCost: costLimit - account.cost, count: countLimit - 1)
    let slot = order.append()
    Self.set(Node(key: key, value: value), in: &nodes, slot)
    Self.set(account, in: &accounts, slot)
    if maxAge != nil { Self.set(now(), in: &insertedAt, slot) }
    index.insert(account.hash, slot)
    totalCost += account.cost
    count += 1
    return removed
  }

  /// Sets the element of a slot. The slot is an index of the array, or the next index after its end.
  private static func set<Element>(_ element: consuming Element, in array: inout [Element], _ slot: Int) {
    if slot == array.count { array.append(element) } else { array[slot] = element }
  }

  /// Sets the cost of a slot, which becomes the most recently used slot. The cost must be within the limit.
  private mutating func setCost(_ cost: Int, _ slot: Int) -> [Value] {
    order.moveToBack(slot)
    totalCost -= accounts[slot].cost
    // The cost is zero during the trim. The slot is the last slot in the order, so only other slots are evicted.
    accounts[slot].cost = 0
    let removed = trim(toCost: costLimit - cost)
    accounts[slot].cost = cost
    totalCost += cost
    return removed
  }

  private mutating func remove(_ slot: Int) -> Value? {
    let value = nodes[slot].value
    nodes[slot] = Node()
    index.remove(accounts[slot].hash, slot)
    order.remove(slot)
    totalCost -= accounts[slot].cost
    count -= 1
    return value
  }

  private func isExpired(_ slot: Int) -> Bool {
    guard let maxAge else { return false }
    return insertedAt[slot].duration(to: now()) > maxAge
  }
}
