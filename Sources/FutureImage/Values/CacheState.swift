/// The values of a ``FutureImage/Cache`` in memory, and the changes queued for its disk. Pure: the value of the cache's one lock.
///
/// A queued change is found here, so that no caller reads a replaced value from disk. Values that leave are returned, to be destroyed after
/// unlocking.
///
/// The type is compiled once, over boxed values. A generic type would not be specialized here for an app's types, which are unknown; it
/// took ten times as long for them.
struct CacheState {
  typealias Value = any AnyObject & Sendable

  /// One key in one format.
  struct Slot: Hashable, Sendable {
    let key: String
    let format: String
  }

  enum Change: Sendable {
    /// The value, and its entry if it was fetched.
    case store(Value, FutureImage.CacheEntry?)
    case remove
  }

  /// A change queued for the disk, and the room that it takes in the queue.
  struct Pending: Sendable {
    let number: UInt64
    let change: Change
    let bytes: Int
  }

  /// The writes of a slot that have not ended, and their waiters.
  struct Writing {
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private struct Shelf {
    var memory: MemoryCache<String, Value>
    var hasDisk: Bool
    var pending: [String: Pending] = [:]

    init(_ capacity: FutureImage.CacheCapacity, hasDisk: Bool) {
      memory = MemoryCache(costLimit: capacity.memoryBytes, countLimit: capacity.memoryCount, maxAge: capacity.memoryAge)
      self.hasDisk = hasDisk
    }
  }

  /// Separate, because it is used most.
  private var original: Shelf
  private var others: [String: Shelf] = [:]
  private var lastNumber: UInt64 = 0
  var writing: [Slot: Writing] = [:]
  /// An estimate for values of unknown size, in bytes: the moving mean of recently encoded values.
  private(set) var typicalBytes = 64 << 10
  var watch = ChangeWatch()
  var faultCount = 0
  var denials = Denials()
  var lastFault: (any Error)?

  /// - Parameter capacity: the capacity for originals.
  init(_ capacity: FutureImage.CacheCapacity, hasDisk: Bool) {
    original = Shelf(capacity, hasDisk: hasDisk)
  }

  mutating func addShelf(_ format: String, _ capacity: FutureImage.CacheCapacity, hasDisk: Bool) {
    others[format] = Shelf(capacity, hasDisk: hasDisk)
  }

  var formats: [String] { [""] + others.keys }

  private func shelf(_ format: String) -> Shelf? { format.isEmpty ? original : others[format] }

  /// Changes a shelf in place, because a copy would copy its tables. Returns nil if there is no such format.
  private mutating func change<Result>(_ format: String, _ body: (inout Shelf) -> Result) -> Result? {
    if format.isEmpty { return body(&original) }
    return others.index(forKey: format).map { body(&others.values[$0]) }
  }

  mutating func value(_ slot: Slot) -> Value? {
    change(slot.format) { shelf -> Value? in
      if let value = shelf.memory.value(forKey: slot.key) { return value }
      guard case .store(let value, _) = shelf.pending[slot.key]?.change else { return nil }
      return value
    } ?? nil
  }

  /// Whether the value, if there is one, is on disk, as far as this state knows.
  func isOnDiskAtMost(_ slot: Slot) -> Bool {
    guard let shelf = shelf(slot.format) else { return false }
    return shelf.hasDisk && shelf.pending[slot.key] == nil
  }

  /// Stores a value that was read from disk, unless it was changed since.
  mutating func insertRead(_ value: Value, cost: Int, _ slot: Slot, since changes: UInt64) -> [Value] {
    guard watch.isUnchanged(slot.key, since: changes) else { return [] }
    return change(slot.format) { $0.memory.insert(value, forKey: slot.key, cost: cost) } ?? []
  }

  /// - Returns: the values that leave memory.
  mutating func insert(_ value: Value, cost: Int, _ slot: Slot) -> [Value] {
    change(slot.format) { $0.memory.insert(value, forKey: slot.key, cost: cost) } ?? []
  }

  mutating func removeFromMemory(_ slot: Slot) -> [Value] {
    change(slot.format) { $0.memory.removeValue(forKey: slot.key).map { [$0] } ?? [] } ?? []
  }

  mutating func emptyMemory(_ format: String) -> [Value] { change(format) { $0.memory.removeAll() } ?? [] }

  /// Trims memory to a part of its limits, and removes expired values.
  mutating func trimMemory(toPartOf divisor: Int) -> [Value] {
    formats.flatMap { format in
      change(format) { shelf in
        let limits = (cost: shelf.memory.costLimit / divisor, count: shelf.memory.countLimit / divisor)
        return shelf.memory.removeExpired() + shelf.memory.trim(toCost: limits.cost, count: limits.count)
      } ?? []
    }
  }

  func memorySize(_ format: String) -> (bytes: Int, count: Int) {
    guard let memory = shelf(format)?.memory else { return (0, 0) }
    return (memory.totalCost, memory.count)
  }

  func hasDisk(_ format: String) -> Bool { format.isEmpty ? original.hasDisk : others[format]?.hasDisk ?? false }

  // MARK: Writing

  func pending(_ slot: Slot) -> Pending? { shelf(slot.format)?.pending[slot.key] }

  func pendingKeys(_ format: String) -> [String] { shelf(format).map { Array($0.pending.keys) } ?? [] }

  /// - Returns: the change that it replaces.
  mutating func note(_ change: Change, bytes: Int, _ slot: Slot) -> Pending? {
    lastNumber += 1
    let pending = Pending(number: lastNumber, change: change, bytes: bytes)
    return self.change(slot.format) { $0.pending.updateValue(pending, forKey: slot.key) } ?? nil
  }

  /// Stops using a disk that is so far behind that not even removals fit. Nothing is read from it anymore, because it may be outdated.
  /// - Returns: the changes that it does not get.
  mutating func giveUpDisk(_ format: String) -> [Pending] {
    change(format) { shelf in
      shelf.hasDisk = false
      defer { shelf.pending = [:] }
      return Array(shelf.pending.values)
    } ?? []
  }

  /// The change to write now; nil if a later write of the slot writes it, or it is no longer needed.
  func toWrite(_ slot: Slot) -> Pending? { writing[slot]?.count == 1 ? pending(slot) : nil }

  /// Records that a change is on disk, or failed to get there.
  /// - Returns: whether there is no newer change.
  mutating func wrote(_ slot: Slot, number: UInt64) -> Bool {
    guard pending(slot)?.number == number else { return false }
    // The caller retains the change, too.
    _ = change(slot.format) { $0.pending[slot.key] = nil }
    return true
  }

  /// Records that a write of the slot has ended.
  /// - Returns: the waiters, if it was the last write.
  mutating func endedWriting(_ slot: Slot) -> [CheckedContinuation<Void, Never>] {
    writing[slot]?.count -= 1
    return writing[slot]?.count == 0 ? writing.removeValue(forKey: slot)?.waiters ?? [] : []
  }

  mutating func noteEncoded(bytes: Int) { typicalBytes = (3 * typicalBytes + bytes) / 4 }

  /// Sets the cost of this change's value, once it is known.
  mutating func setCost(_ cost: Int, _ slot: Slot, number: UInt64) -> [Value] {
    guard pending(slot)?.number == number else { return [] }
    return change(slot.format) { $0.memory.setCost(cost, forKey: slot.key) } ?? []
  }
}
