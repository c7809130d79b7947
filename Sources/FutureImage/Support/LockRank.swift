/// The rank of a lock in the order in which locks are acquired. A thread that holds a lock acquires only locks of a greater rank.
package enum LockRank: UInt8 {
  /// The lock of a disk cache's folder, held while its files are renamed, removed, or counted.
  case files = 1
  /// The lock of the state of an app's cache. Inside this lock, the cache adds changes to the queue of writes, and gets the names of
  /// folders.
  case cache
  /// The lock of the state of a loader, with its pictures and the readers of its futures. Inside this lock, the loader calls the pixel pool
  /// and the queue of writes.
  case loader
  /// The lock of a loader's pool of decoded pixels.
  case pixels
  /// The lock of the running clock, which reads another clock inside this lock.
  case clock
  /// A lock that guards only values. No other lock is acquired while it is held.
  case leaf
  /// A lock of the test support's fetchers and clocks, which may be called inside a test's own lock.
  case testing
}
