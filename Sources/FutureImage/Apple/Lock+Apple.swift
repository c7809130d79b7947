#if canImport(UIKit)
import os

/// The library's only type of lock, as in `Lock.swift`, based on the system's lock.
package struct Lock<Value>: @unchecked Sendable {
  // Sendable even if `Value` is not, because the value can be accessed only inside `withLock`, which only one thread at a time runs.
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
