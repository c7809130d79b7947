#if FUTUREIMAGE_SIMULATION
/// The library's lock, as in `Apple/Lock+Apple.swift` and `Linux/Lock+Linux.swift`, provided by the scheduler of a simulation.
package struct Lock<Value>: @unchecked Sendable {
  // The type is Sendable even if `Value` is not, because the value is reachable only inside `withLock`, which only one thread at a time
  // runs.
  private final class Storage {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private let storage: Storage
  private let rank: LockRank

  package init(_ value: @autoclosure () -> Value, rank: LockRank = .leaf) {
    storage = Storage(value())
    self.rank = rank
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    // While the scheduler itself reads the state, no thread holds a lock and no other thread runs.
    if Simulation.scheduler.isLooking { return try body(&storage.value) }
    noteLocking(rank)
    defer { noteUnlocking() }
    let id = Swift.ObjectIdentifier(storage)
    Simulation.scheduler.lock(id, rank.name, rank: rank.rawValue)
    defer { Simulation.scheduler.unlock(id) }
    return try body(&storage.value)
  }
}

extension LockRank {
  /// The name of the lock in the traces that a simulation prints.
  fileprivate var name: StaticString {
    switch self {
    case .files: "a folder's lock"
    case .cache: "a cache's lock"
    case .loader: "the loader's lock"
    case .pixels: "the pixel pool's lock"
    case .clock: "a clock's lock"
    case .leaf: "a small lock"
    case .testing: "a lock of the tests"
    }
  }
}
#endif
