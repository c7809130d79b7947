#if canImport(CoreGraphics)
import os

/// The library's only lock type. This version uses the system's lock, and has the same interface as the version in `Lock+Linux.swift`.
package struct Lock<Value>: @unchecked Sendable {
  // A lock is Sendable even if `Value` is not, because code reaches the value only in the closure of `withLock`, and the lock lets one
  // thread at a time run that closure.
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
