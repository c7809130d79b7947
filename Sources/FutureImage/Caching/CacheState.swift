/// What a ``FutureImage/Cache`` holds in memory, and what is on its way to its disk. Pure: the value of the cache's one lock.
///
/// A change that its disk has not yet is found here, so that nobody reads from disk what was replaced. One writer at a time works on a
/// slot, so that what came last is what stays. Values that leave are handed out, to be destroyed after unlocking.
struct CacheState<Value: Sendable> {
  /// One key in one format.
  struct Slot: Hashable, Sendable {
    let key: String
    let format: String
  }

  enum Change {
    /// The value, and how it came if it was fetched.
    case store(Value, FutureImage.CacheEntry?)
    case remove
  }

  private struct Shelf {
    var memory: MemoryCache<String, Value>
    let hasDisk: Bool
    var pending: [String: (number: UInt64, change: Change)] = [:]
  }

  private var shelves: [String: Shelf] = [:]
  private var lastNumber: UInt64 = 0
  /// The tasks that bring changes to disk.
  var writers: [Slot: Task<Void, Never>] = [:]
  var watch = ChangeWatch()
  var faultCount = 0
  var lastFault: (any Error)?

  var formats: [String] { Array(shelves.keys) }

  mutating func addShelf(_ format: String, _ memory: MemoryCache<String, Value>, hasDisk: Bool) {
    shelves[format] = Shelf(memory: memory, hasDisk: hasDisk)
  }

  mutating func value(_ slot: Slot) -> Value? {
    if let value = shelves[slot.format]?.memory.value(forKey: slot.key) { return value }
    guard case .store(let value, _) = shelves[slot.format]?.pending[slot.key]?.change else { return nil }
    return value
  }

  /// Whether its disk has what is to be had, as far as is known here.
  func isOnDiskAtMost(_ slot: Slot) -> Bool {
    guard let shelf = shelves[slot.format] else { return false }
    return shelf.hasDisk && shelf.pending[slot.key] == nil
  }

  /// What was read from disk. Not kept if it was changed since.
  mutating func insertRead(_ value: Value, cost: Int, _ slot: Slot, since changes: UInt64) -> [Value] {
    guard watch.isUnchanged(slot.key, since: changes) else { return [] }
    return shelves[slot.format]?.memory.insert(value, forKey: slot.key, cost: cost) ?? []
  }

  /// - Returns: what leaves the memory.
  mutating func store(_ value: Value, _ entry: FutureImage.CacheEntry?, cost: Int, _ slot: Slot) -> [Value] {
    note(.store(value, entry), slot)
    return shelves[slot.format]?.memory.insert(value, forKey: slot.key, cost: cost) ?? []
  }

  mutating func remove(_ slot: Slot) -> [Value] {
    note(.remove, slot)
    return shelves[slot.format]?.memory.removeValue(forKey: slot.key).map { [$0] } ?? []
  }

  /// Of what is being written, too.
  mutating func removeAll(_ format: String) -> [Value] {
    guard let keys = shelves[format]?.pending.keys else { return [] }
    for key in Array(keys) { note(.remove, Slot(key: key, format: format)) }
    return emptyMemory(format)
  }

  mutating func emptyMemory(_ format: String) -> [Value] { shelves[format]?.memory.removeAll() ?? [] }

  /// To a part of the limit, and what is too old to be given out.
  mutating func trimMemory(toPartOf divisor: Int) -> [Value] {
    shelves.keys.flatMap { format -> [Value] in
      guard let limit = shelves[format]?.memory.costLimit, let count = shelves[format]?.memory.countLimit else { return [] }
      let expired = shelves[format]?.memory.removeExpired() ?? []
      return expired + (shelves[format]?.memory.trim(toCost: limit / divisor, count: count / divisor) ?? [])
    }
  }

  func memorySize(_ format: String) -> (bytes: Int, count: Int) {
    guard let memory = shelves[format]?.memory else { return (0, 0) }
    return (memory.totalCost, memory.count)
  }

  private mutating func note(_ change: Change, _ slot: Slot) {
    guard shelves[slot.format]?.hasDisk == true else { return }
    lastNumber += 1
    shelves[slot.format]?.pending[slot.key] = (lastNumber, change)
  }

  // MARK: Writing

  func pendingChange(_ slot: Slot) -> (number: UInt64, change: Change)? { shelves[slot.format]?.pending[slot.key] }

  /// A change is on disk, or failed to get there.
  /// - Returns: whether there is a newer one.
  mutating func wrote(_ slot: Slot, number: UInt64) -> Bool {
    guard pendingChange(slot)?.number == number else { return true }
    shelves[slot.format]?.pending[slot.key] = nil
    writers[slot] = nil
    return false
  }

  /// The value of this change turned out to take so much.
  mutating func setCost(_ cost: Int, _ slot: Slot, number: UInt64) -> [Value] {
    guard pendingChange(slot)?.number == number else { return [] }
    return shelves[slot.format]?.memory.setCost(cost, forKey: slot.key) ?? []
  }
}
