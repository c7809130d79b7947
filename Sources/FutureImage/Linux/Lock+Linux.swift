#if canImport(UIKitStandIn) && !canImport(UIKit) && !FUTUREIMAGE_SIMULATION
import Glibc

/// The library's one lock: a value, and the only access to it.
///
/// Never call code of the app inside `withLock`, and never release anything there that the app may hold: both may call back here. A debug
/// build ends the process if locks are acquired against the order of ``LockRank``, or if code of the app is called inside a lock.
package struct Lock<Value>: @unchecked Sendable {
  // Sendable although `Value` need not be: the value is reachable only inside `withLock`, which one thread at a time runs.
  private let storage: ManagedBuffer<Value, pthread_mutex_t>
  #if DEBUG
  private let rank: LockRank
  #endif

  /// - Parameter value: created in place, because copying weak references takes longer than everything else here.
  package init(_ value: @autoclosure () -> Value, rank: LockRank = .leaf) {
    #if DEBUG
    self.rank = rank
    #endif
    storage = Storage.create(minimumCapacity: 1) { _ in value() }
    storage.withUnsafeMutablePointerToElements { mutex in
      mutex.initialize(to: pthread_mutex_t())
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      // The work inside takes less time than sleeping and waking up, so the mutex spins for a while first.
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
      pthread_mutex_init(mutex, &attributes)
      pthread_mutexattr_destroy(&attributes)
    }
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    #if DEBUG
    noteLocking(rank)
    defer { noteUnlocking() }
    #endif
    return try storage.withUnsafeMutablePointers { value, mutex in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }

  /// Stores the value and, behind it in the same allocation, the one mutex. Its address must not change, which Swift guarantees for the
  /// elements of such a buffer and not for stored properties.
  private final class Storage: ManagedBuffer<Value, pthread_mutex_t> {
    deinit {
      withUnsafeMutablePointerToElements { mutex in
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
      }
    }
  }
}
#endif
