#if !canImport(CoreGraphics) && !FUTUREIMAGE_SIMULATION
/// The only type of lock in the library. It contains a value, which is accessible only through the lock.
///
/// Never call the app's code inside `withLock`, and never release an object there that the app may retain, because both may call back into
/// the library. A debug build ends the process if locks are acquired against the order of ``LockRank``, or if the app's code is called
/// inside a lock.
package struct Lock<Value>: @unchecked Sendable {
  // The type is Sendable even if `Value` is not, because the value is reachable only inside `withLock`, which only one thread at a time
  // runs.
  private let storage: ManagedBuffer<Value, pthread_mutex_t>
  #if DEBUG
  private let rank: LockRank
  #endif

  /// - Parameter value: the initial value. It is created in the storage, because it may contain weak references. Copying these would take
  ///   longer than the rest of this initializer.
  package init(_ value: @autoclosure () -> Value, rank: LockRank = .leaf) {
    #if DEBUG
    self.rank = rank
    #endif
    storage = Storage.create(minimumCapacity: 1) { _ in value() }
    storage.withUnsafeMutablePointerToElements { mutex in
      mutex.initialize(to: pthread_mutex_t())
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, lockMutexType)
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

  /// The storage of the value and, behind it in the same allocation, of the mutex. The address of the mutex must not change. Swift
  /// guarantees this for the elements of such a buffer, but not for stored properties.
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
