#if canImport(UIKitStandIn)
import Glibc

/// The library's one lock: a value, and the only way to it.
///
/// Never call out (a closure of the caller's, a delegate) inside `withLock`, and never let go of a future there: both may come back here.
package struct Lock<Value>: @unchecked Sendable {
  // Sendable although `Value` need not be: the value is reachable only inside `withLock`, which one thread at a time runs.
  private let storage: Storage

  package init(_ value: Value) {
    storage = Storage(value)
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(storage.mutex)
    defer { pthread_mutex_unlock(storage.mutex) }
    return try body(&storage.value)
  }

  private final class Storage {
    var value: Value
    // Its own allocation: the address of a mutex must not change, and Swift promises that for allocated memory only.
    let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init(_ value: Value) {
      self.value = value
      mutex = .allocate(capacity: 1)
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deinitialize(count: 1)
      mutex.deallocate()
    }
  }
}
#endif
