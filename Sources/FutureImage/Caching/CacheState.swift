/// What a ``FutureImage/Cache`` holds in memory, and what is on its way to its disk. Pure: the value of the cache's one lock.
///
/// A change that its disk has not yet is found here, so that nobody reads from disk what was replaced. One writer at a time works on a
/// slot, so that what came last is what stays. Values that leave are handed out, to be destroyed after unlocking.
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

  enum Change {
    /// The value, and how it came if it was fetched.
    case store(Value, FutureImage.CacheEntry?)
    case remove
  }

  private struct Shelf {
    var memory: MemoryCache<String, Value>
    let hasDisk: Bool
    var pending: [String: (number: UInt64, change: Change)] = [:]

    init(_ capacity: FutureImage.CacheCapacity, hasDisk: Bool) {
      memory = MemoryCache(costLimit: capacity.memoryBytes, countLimit: capacity.memoryCount, maxAge: capacity.memoryAge)
      self.hasDisk = hasDisk
    }
  }

  /// Apart, because it is asked most.
  private var original: Shelf
  private var others: [String: Shelf] = [:]
  private var lastNumber: UInt64 = 0
  /// The tasks that bring changes to disk.
  var writers: [Slot: Task<Void, Never>] = [:]
  var watch = ChangeWatch()
  var faultCount = 0
  /// The disk could not be written to because the process was not permitted to.
  var hasReportedDenial = false
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
  mutating func store(_ value: Value, _ entry: FutureImage.CacheEntry?, cost: Int, _ slot: Slot) -> [Value] {
    note(.store(value, entry), slot)
    return change(slot.format) { $0.memory.insert(value, forKey: slot.key, cost: cost) } ?? []
  }

  mutating func remove(_ slot: Slot) -> [Value] {
    note(.remove, slot)
    return change(slot.format) { $0.memory.removeValue(forKey: slot.key).map { [$0] } ?? [] } ?? []
  }

  /// Of what is being written, too.
  mutating func removeAll(_ format: String) -> [Value] {
    guard let keys = shelf(format)?.pending.keys else { return [] }
    for key in Array(keys) { note(.remove, Slot(key: key, format: format)) }
    return emptyMemory(format)
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

  private func hasDisk(_ format: String) -> Bool { format.isEmpty ? original.hasDisk : others[format]?.hasDisk ?? false }

  private mutating func note(_ change: Change, _ slot: Slot) {
    guard hasDisk(slot.format) else { return }
    lastNumber += 1
    let number = lastNumber
    _ = self.change(slot.format) { $0.pending[slot.key] = (number, change) }
  }

  // MARK: Writing

  func pendingChange(_ slot: Slot) -> (number: UInt64, change: Change)? { shelf(slot.format)?.pending[slot.key] }

  /// A change is on disk, or failed to get there.
  /// - Returns: whether there is a newer one.
  mutating func wrote(_ slot: Slot, number: UInt64) -> Bool {
    guard pendingChange(slot)?.number == number else { return true }
    _ = change(slot.format) { $0.pending[slot.key] = nil }
    writers[slot] = nil
    return false
  }

  /// The value of this change turned out to take so much.
  mutating func setCost(_ cost: Int, _ slot: Slot, number: UInt64) -> [Value] {
    guard pendingChange(slot)?.number == number else { return [] }
    return change(slot.format) { $0.memory.setCost(cost, forKey: slot.key) } ?? []
  }
}
