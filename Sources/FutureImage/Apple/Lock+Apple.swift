#if canImport(UIKit)
import os

/// The library's one lock, as in `Lock.swift`, based on the system's lock.
package struct Lock<Value>: @unchecked Sendable {
  // Sendable although `Value` need not be: the value is reachable only inside `withLock`, which one thread at a time runs.
  private let storage: OSAllocatedUnfairLock<Value>
  #if DEBUG
  private let rank: LockRank
  #endif

  package init(_ value: @autoclosure () -> Value, rank: LockRank = .leaf) {
    #if DEBUG
    self.rank = rank
    #endif
    storage = OSAllocatedUnfairLock(uncheckedState: value())
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    #if DEBUG
    noteLocking(rank)
    defer { noteUnlocking() }
    #endif
    return try storage.withLockUnchecked(body)
  }
}
#endif
