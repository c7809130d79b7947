/// What a ``FutureImage/Cache`` holds in memory, and what is on its way to its disk. Pure: the value of the cache's one lock.
///
/// A change that its disk has not yet is found here, so that nobody reads from disk what was replaced. Values that leave are handed out, to
/// be destroyed after unlocking.
///
/// It is compiled once, over values in boxes. A generic one would be compiled here for no type in particular, and was seen to take ten
/// times as long for an app's types, which are unknown here.
struct CacheState {
  typealias Value = any AnyObject & Sendable

  /// One key in one format.
  struct Slot: Hashable, Sendable {
    let key: String
    let format: String
  }

  enum Change: Sendable {
    /// The value, and how it came if it was fetched.
    case store(Value, FutureImage.CacheEntry?)
    case remove
  }

  /// A change on its way to disk, and the room that it takes there.
  struct Pending: Sendable {
    let number: UInt64
    let change: Change
    let bytes: Int
  }

  /// The writes of a slot that have not ended, and who waits for them.
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

  /// Apart, because it is asked most.
  private var original: Shelf
  private var others: [String: Shelf] = [:]
  private var lastNumber: UInt64 = 0
  var writing: [Slot: Writing] = [:]
  /// A guess at the bytes of a value that cannot tell: the mean of those that were encoded last.
  private(set) var typicalBytes = 64 << 10
  var watch = ChangeWatch()
  var faultCount = 0
  var denials = Denials()
  var lastFault: (any Error)?

  /// - Parameter capacity: of the originals.
  init(_ capacity: FutureImage.CacheCapacity, hasDisk: Bool) {
    original = Shelf(capacity, hasDisk: hasDisk)
  }

  mutating func addShelf(_ format: String, _ capacity: FutureImage.CacheCapacity, hasDisk: Bool) {
    others[format] = Shelf(capacity, hasDisk: hasDisk)
  }

  var formats: [String] { [""] + others.keys }

  private func shelf(_ format: String) -> Shelf? { format.isEmpty ? original : others[format] }

  /// In its place: a copy would copy the tables in it. Nil if there is no such format.
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

  /// Whether its disk has what is to be had, as far as is known here.
  func isOnDiskAtMost(_ slot: Slot) -> Bool {
    guard let shelf = shelf(slot.format) else { return false }
    return shelf.hasDisk && shelf.pending[slot.key] == nil
  }

  /// What was read from disk. Not kept if it was changed since.
  mutating func insertRead(_ value: Value, cost: Int, _ slot: Slot, since changes: UInt64) -> [Value] {
    guard watch.isUnchanged(slot.key, since: changes) else { return [] }
    return change(slot.format) { $0.memory.insert(value, forKey: slot.key, cost: cost) } ?? []
  }

  /// - Returns: what leaves the memory.
  mutating func insert(_ value: Value, cost: Int, _ slot: Slot) -> [Value] {
    change(slot.format) { $0.memory.insert(value, forKey: slot.key, cost: cost) } ?? []
  }

  mutating func removeFromMemory(_ slot: Slot) -> [Value] {
    change(slot.format) { $0.memory.removeValue(forKey: slot.key).map { [$0] } ?? [] } ?? []
  }

  mutating func emptyMemory(_ format: String) -> [Value] { change(format) { $0.memory.removeAll() } ?? [] }

  /// To a part of the limit, and what is too old to be given out.
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

  /// - Returns: What it takes the place of.
  mutating func note(_ change: Change, bytes: Int, _ slot: Slot) -> Pending? {
    lastNumber += 1
    let pending = Pending(number: lastNumber, change: change, bytes: bytes)
    return self.change(slot.format) { $0.pending.updateValue(pending, forKey: slot.key) } ?? nil
  }

  /// The disk is so far behind that not even removals fit. Nothing is read from it any more, as nobody knows what of it is old.
  /// - Returns: What it does not get.
  mutating func giveUpDisk(_ format: String) -> [Pending] {
    change(format) { shelf in
      shelf.hasDisk = false
      defer { shelf.pending = [:] }
      return Array(shelf.pending.values)
    } ?? []
  }

  /// The change to write now; nil if a later write of the slot brings it, or it is not wanted any more.
  func toWrite(_ slot: Slot) -> Pending? { writing[slot]?.count == 1 ? pending(slot) : nil }

  /// A change is on disk, or failed to get there.
  /// - Returns: Whether there is no newer one.
  mutating func wrote(_ slot: Slot, number: UInt64) -> Bool {
    guard pending(slot)?.number == number else { return false }
    // The caller holds the change as well.
    _ = change(slot.format) { $0.pending[slot.key] = nil }
    return true
  }

  /// A write of the slot has ended.
  /// - Returns: Who waited for the last one.
  mutating func endedWriting(_ slot: Slot) -> [CheckedContinuation<Void, Never>] {
    writing[slot]?.count -= 1
    return writing[slot]?.count == 0 ? writing.removeValue(forKey: slot)?.waiters ?? [] : []
  }

  mutating func noteEncoded(bytes: Int) { typicalBytes = (3 * typicalBytes + bytes) / 4 }

  /// The value of this change turned out to take so much.
  mutating func setCost(_ cost: Int, _ slot: Slot, number: UInt64) -> [Value] {
    guard pending(slot)?.number == number else { return [] }
    return change(slot.format) { $0.memory.setCost(cost, forKey: slot.key) } ?? []
  }
}
