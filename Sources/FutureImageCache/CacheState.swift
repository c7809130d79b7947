import FutureImage

/// The values of a ``Cache`` in memory, and its records of changes and of failures of the disk. This type is pure. It is the value of the
/// cache's only lock.
///
/// Methods return the values that leave the state, so that they can be destroyed after unlocking.
///
/// The type is not generic, but is compiled once for boxed values. The compiler could not specialize a generic type for an app's types,
/// which are unknown here. In a measurement, a generic type took ten times as long.
struct CacheState {
  typealias Value = any AnyObject & Sendable
  private typealias Memory = MemoryCache<String, Value>

  /// One key in one variant.
  struct VariantKey: Hashable, Sendable {
    let key: String
    let variant: String
  }

  /// The values of the original variant. They are stored separately, because they are used most.
  private var original: Memory
  private var others: [String: Memory] = [:]
  /// An estimate for values of unknown size, in bytes. It is the moving mean of recently encoded values.
  private(set) var typicalBytes = 64 << 10
  var watch = ChangeWatch()
  var faultCount = 0
  var denials = Denials()
  var lastFault: (any Error)?

  /// - Parameter capacity: the capacity for originals.
  init(_ capacity: CacheCapacity) {
    original = Memory(costLimit: capacity.memoryBytes, countLimit: capacity.memoryCount, maxAge: capacity.memoryAge)
  }

  mutating func addVariant(_ variant: String, _ capacity: CacheCapacity) {
    others[variant] = Memory(costLimit: capacity.memoryBytes, countLimit: capacity.memoryCount, maxAge: capacity.memoryAge)
  }

  var variants: [String] { [""] + others.keys }

  /// Changes the values of a variant in place, because a copy would copy its tables. Returns nil if there is no such variant.
  private mutating func change<Result>(_ variant: String, _ body: (inout Memory) -> Result) -> Result? {
    if variant.isEmpty { return body(&original) }
    return others.index(forKey: variant).map { body(&others.values[$0]) }
  }

  mutating func value(_ variantKey: VariantKey) -> Value? { change(variantKey.variant) { $0.value(forKey: variantKey.key) } ?? nil }

  /// Stores a value that was read from disk, unless the key's value has changed since the read began.
  mutating func insertRead(_ value: Value, cost: Int, _ variantKey: VariantKey, since changes: UInt64) -> [Value] {
    guard watch.isUnchanged(variantKey.key, since: changes) else { return [] }
    return insert(value, cost: cost, variantKey)
  }

  /// - Returns: the values that leave memory.
  mutating func insert(_ value: Value, cost: Int, _ variantKey: VariantKey) -> [Value] {
    change(variantKey.variant) { $0.insert(value, forKey: variantKey.key, cost: cost) } ?? []
  }

  mutating func removeFromMemory(_ variantKey: VariantKey) -> [Value] {
    change(variantKey.variant) { $0.removeValue(forKey: variantKey.key).map { [$0] } ?? [] } ?? []
  }

  mutating func emptyMemory(_ variant: String) -> [Value] { change(variant) { $0.removeAll() } ?? [] }

  /// Trims memory to a fraction of its limits, and removes expired values.
  mutating func trimMemory(toPartOf divisor: Int) -> [Value] {
    variants.flatMap { variant in
      change(variant) { memory in
        let limits = (cost: memory.costLimit / divisor, count: memory.countLimit / divisor)
        return memory.removeExpired() + memory.trim(toCost: limits.cost, count: limits.count)
      } ?? []
    }
  }

  func memorySize(_ variant: String) -> (bytes: Int, count: Int) {
    guard let memory = variant.isEmpty ? original : others[variant] else { return (0, 0) }
    return (memory.totalCost, memory.count)
  }

  mutating func noteEncoded(bytes: Int) { typicalBytes = (3 * typicalBytes + bytes) / 4 }

  /// Sets the cost of a value, once it is known.
  mutating func setCost(_ cost: Int, _ variantKey: VariantKey) -> [Value] {
    change(variantKey.variant) { $0.setCost(cost, forKey: variantKey.key) } ?? []
  }
}
