import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(10))) struct MemoryCacheTests {
  private typealias Cache = MemoryCache<Int, String>

  @Test func `the cache returns an inserted value for its key, and nil for another key`() {
    var cache = Cache()
    #expect(cache.insert("a", forKey: 1, cost: 5).isEmpty)
    #expect(cache.value(forKey: 1) == "a")
    #expect(cache.value(forKey: 2) == nil)
    #expect(cache.totalCost == 5)
  }

  @Test func `the least recently used value is evicted first and returned`() {
    var cache = Cache(costLimit: 30)
    for key in 1...3 { _ = cache.insert("\(key)", forKey: key, cost: 10) }
    _ = cache.value(forKey: 1)
    #expect(cache.insert("4", forKey: 4, cost: 15) == ["2", "3"])
    #expect(cache.keys == [1, 4])
    #expect(cache.totalCost == 25)
  }

  @Test func `peeking does not count as use`() {
    var cache = Cache(countLimit: 2)
    _ = cache.insert("1", forKey: 1)
    _ = cache.insert("2", forKey: 2)
    #expect(cache.peek(1) == "1")
    #expect(cache.insert("3", forKey: 3) == ["1"])
  }

  @Test func `inserting for an existing key returns the old value and counts only the new value`() {
    var cache = Cache(costLimit: 30)
    _ = cache.insert("old", forKey: 1, cost: 30)
    #expect(cache.insert("new", forKey: 1, cost: 20) == ["old"])
    #expect(cache.totalCost == 20)
    #expect(cache.count == 1)
  }

  @Test func `inserting a value larger than the limit returns the old value of the key and the new value, and evicts no other value`() {
    var cache = Cache(costLimit: 30)
    _ = cache.insert("other", forKey: 1, cost: 10)
    _ = cache.insert("old", forKey: 2, cost: 10)
    #expect(cache.insert("huge", forKey: 2, cost: 31) == ["old", "huge"])
    #expect(cache.keys == [1])
    var none = Cache(countLimit: 0)
    #expect(none.insert("a", forKey: 1) == ["a"])
  }

  @Test func `costs beyond the range of Int do not overflow`() {
    var cache = Cache()
    _ = cache.insert("a", forKey: 1, cost: .max)
    #expect(cache.insert("b", forKey: 2, cost: .max) == ["a"])
    #expect(cache.totalCost == .max)
    // A negative cost counts as 0.
    #expect(cache.insert("c", forKey: 3, cost: -5).isEmpty)
    #expect(cache.totalCost == .max)
  }

  @Test func `trimming evicts the oldest values until the limits are met`() {
    var cache = Cache()
    for key in 1...5 { _ = cache.insert("\(key)", forKey: key, cost: 10) }
    #expect(cache.trim(toCost: 35) == ["1", "2"])
    #expect(cache.trim(toCost: .max, count: 1) == ["3", "4"])
    #expect(cache.trim(toCost: 0) == ["5"])
    #expect(cache.isEmpty)
  }

  @Test func `a removal returns the value and subtracts its cost`() {
    var cache = Cache(costLimit: 10)
    _ = cache.insert("a", forKey: 1, cost: 10)
    #expect(cache.removeValue(forKey: 1) == "a")
    #expect(cache.removeValue(forKey: 1) == nil)
    #expect(cache.totalCost == 0)
    #expect(cache.insert("b", forKey: 2, cost: 10).isEmpty)
  }

  @Test func `removing by a condition removes only matching values and preserves the order of the other values`() {
    var cache = Cache()
    for key in 1...6 { _ = cache.insert("\(key)", forKey: key, cost: key) }
    #expect(cache.removeAll { key, _ in key.isMultiple(of: 2) } == ["2", "4", "6"])
    #expect(cache.keys == [1, 3, 5])
    #expect(cache.totalCost == 9)
    #expect(cache.removeAll() == ["1", "3", "5"])
    #expect(cache.totalCost == 0)
    _ = cache.insert("7", forKey: 7, cost: 1)
    #expect(cache.keys == [7])
  }

  @Test func `an expired value is not returned, and use does not extend its lifetime`() {
    let time = Lock(ContinuousClock.now)
    var cache = Cache(countLimit: 3, maxAge: .seconds(60), now: { time.withLock { $0 } })
    _ = cache.insert("old", forKey: 1)
    time.withLock { $0 += .seconds(50) }
    _ = cache.insert("young", forKey: 2)
    #expect(cache.value(forKey: 1) == "old")
    time.withLock { $0 += .seconds(11) }
    #expect(cache.peek(1) == nil)
    #expect(cache.value(forKey: 1) == nil)
    #expect(cache.keys == [1, 2])
    #expect(cache.value(forKey: 2) == "young")
    #expect(cache.removeExpired() == ["old"])
    #expect(cache.keys == [2])
  }

  /// A key whose hash equals the hash of all other keys, so that all keys collide in the table. The table must find each key, and must move
  /// keys when other keys are removed.
  private struct Colliding: Hashable {
    let number: Int
    func hash(into hasher: inout Hasher) {}
  }

  @Test func `keys with equal hashes are distinguished in any order of insertions and removals`() {
    var cache = MemoryCache<Colliding, Int>()
    var storedNumbers: Set<Int> = []
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let number = Int.random(in: 0..<40, using: &random)
      if Bool.random(using: &random) {
        _ = cache.insert(number, forKey: Colliding(number: number))
        storedNumbers.insert(number)
      } else {
        #expect(cache.removeValue(forKey: Colliding(number: number)) == storedNumbers.remove(number))
      }
      for other in 0..<40 { #expect(cache.peek(Colliding(number: other)) == (storedNumbers.contains(other) ? other : nil)) }
    }
  }

  @Test func `a value is returned until it is older than the maximum age`() {
    let time = Lock(ContinuousClock.now)
    var cache = Cache(maxAge: .seconds(60), now: { time.withLock { $0 } })
    _ = cache.insert("a", forKey: 1)
    time.withLock { $0 += .seconds(60) }
    #expect(cache.peek(1) == "a")
    time.withLock { $0 += .nanoseconds(1) }
    #expect(cache.peek(1) == nil)
  }

  /// A key that has the same hash as all other keys, and counts the comparisons.
  private struct Compared: Hashable {
    let number: Int
    let comparisons: Lock<Int>

    static func == (a: Compared, b: Compared) -> Bool {
      a.comparisons.withLock { $0 += 1 }
      return a.number == b.number
    }

    func hash(into hasher: inout Hasher) {}
  }

  @Test func `a search compares no keys that were removed`() {
    let comparisons = Lock(0)
    var cache = MemoryCache<Compared, Int>()
    for number in 0..<100 {
      _ = cache.insert(number, forKey: Compared(number: number, comparisons: comparisons))
      if number < 99 { _ = cache.removeValue(forKey: Compared(number: number, comparisons: comparisons)) }
    }
    comparisons.withLock { $0 = 0 }
    #expect(cache.peek(Compared(number: -1, comparisons: comparisons)) == nil)
    #expect(comparisons.withLock { $0 } == 1)
  }

  @Test func `an evicted entry releases its key and its value`() {
    final class Thing: Hashable {
      static func == (a: Thing, b: Thing) -> Bool { a === b }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    var cache = MemoryCache<Thing, Thing>()
    weak var key: Thing?
    weak var value: Thing?
    do {
      let (one, other) = (Thing(), Thing())
      (key, value) = (one, other)
      _ = cache.insert(other, forKey: one)
      #expect(cache.value(forKey: one) === other)
    }
    #expect(key != nil && value != nil)
    #expect(cache.trim(toCost: 0, count: 0).count == 1)
    #expect(key == nil && value == nil)
  }

  @Test func `changing a copy of a cache does not change the original cache`() {
    var cache = Cache()
    for key in 1...3 { _ = cache.insert("\(key)", forKey: key) }
    var copy = cache
    _ = copy.value(forKey: 1)
    _ = copy.removeValue(forKey: 3)
    #expect(cache.keys == [1, 2, 3])
    #expect(copy.keys == [2, 1])
    #expect(cache.peek(3) == "3")
  }

  @Test func `a hundred thousand values can be inserted and removed`() {
    var cache = MemoryCache<String, Int>(countLimit: 50_000)
    var evictedCount = 0
    for number in 0..<100_000 { evictedCount += cache.insert(number, forKey: "\(number)").count }
    #expect(evictedCount == 50_000)
    #expect(cache.peek("49999") == nil)
    for number in 50_000..<100_000 { #expect(cache.removeValue(forKey: "\(number)") == number) }
    #expect(cache.isEmpty)
  }

  @Test(arguments: 1...20)
  func `the cache behaves like a simple list-based cache under any sequence of operations`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (costLimit, countLimit) = (Int.random(in: 0...60, using: &random), Int.random(in: 0...12, using: &random))
    var cache = Cache(costLimit: costLimit, countLimit: countLimit)
    var model = PlainCache(costLimit: costLimit, countLimit: countLimit)
    for step in 0..<(isDeep ? 100_000 : 3000) {
      let key = Int.random(in: 0..<16, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        let cost = Int.random(in: 0...20, using: &random)
        #expect(cache.insert("\(step)", forKey: key, cost: cost) == model.insert("\(step)", key, cost))
      case 9..<15: #expect(cache.value(forKey: key) == model.value(key))
      case 15..<17: #expect(cache.removeValue(forKey: key) == model.remove(key))
      case 17:
        let limit = Int.random(in: 0...60, using: &random)
        #expect(cache.trim(toCost: limit) == model.trim(limit, .max))
      case 18 where key.isMultiple(of: 3):
        let cost = Int.random(in: 0...70, using: &random)
        #expect(cache.setCost(cost, forKey: key) == model.setCost(key, cost))
      case 18:
        #expect(cache.removeAll { other, _ in other % 5 == key % 5 } == model.removeAll { $0 % 5 == key % 5 })
      default:
        if key == 0 { #expect(cache.removeAll() == model.removeAll { _ in true }) }
      }
      #expect(cache.keys == model.entries.map(\.key))
      #expect(cache.totalCost == model.cost)
      #expect(cache.count == model.entries.count)
    }
  }
}

/// A cache with the rules of ``MemoryCache``, made of an array in which the least recently used entry is first.
private struct PlainCache {
  let costLimit: Int
  let countLimit: Int
  var entries: [(key: Int, value: String, cost: Int)] = []

  var cost: Int { entries.reduce(0) { $0 + $1.cost } }

  mutating func value(_ key: Int) -> String? {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
    entries.append(entries.remove(at: index))
    return entries.last?.value
  }

  mutating func remove(_ key: Int) -> String? {
    entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).value }
  }

  mutating func insert(_ value: String, _ key: Int, _ cost: Int) -> [String] {
    let old = remove(key).map { [$0] } ?? []
    guard cost <= costLimit, countLimit > 0 else { return old + [value] }
    entries.append((key, value, cost))
    return old + trim(costLimit, countLimit)
  }

  mutating func setCost(_ key: Int, _ cost: Int) -> [String] {
    guard let value = remove(key) else { return [] }
    return insert(value, key, cost)
  }

  mutating func trim(_ costLimit: Int, _ countLimit: Int) -> [String] {
    var removed: [String] = []
    while cost > costLimit || entries.count > countLimit { removed.append(entries.removeFirst().value) }
    return removed
  }

  mutating func removeAll(_ condition: (Int) -> Bool) -> [String] {
    defer { entries.removeAll { condition($0.key) } }
    return entries.filter { condition($0.key) }.map(\.value)
  }
}
