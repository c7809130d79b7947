#if canImport(UIKitStandIn) && !canImport(UIKit) && !FUTUREIMAGE_SIMULATION
import Glibc

/// The library's one lock: a value, and the only way to it.
///
/// Code of the app's is never called inside `withLock`, and nothing that the app may hold is released there: both may come back here. A
/// debug build ends the process where locks are taken against the order of ``LockRank``, or code of the app's is called inside of one.
package struct Lock<Value>: @unchecked Sendable {
  // Sendable although `Value` need not be: the value is reachable only inside `withLock`, which one thread at a time runs.
  private let storage: ManagedBuffer<Value, pthread_mutex_t>
  #if DEBUG
  private let rank: LockRank
  #endif

  /// - Parameter value: made in its place: to copy weak references takes longer than all else here.
  package init(_ value: @autoclosure () -> Value, rank: LockRank = .leaf) {
    #if DEBUG
    self.rank = rank
    #endif
    storage = Storage.create(minimumCapacity: 1) { _ in value() }
    storage.withUnsafeMutablePointerToElements { mutex in
      mutex.initialize(to: pthread_mutex_t())
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      // What is done inside takes less time than going to sleep and being woken: looks for a while whether it is free.
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

  /// The value and, behind it in the same allocation, the one mutex: its address must not change, which Swift promises for such a buffer's
  /// elements and not for stored properties.
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
