/// The place of a lock in the order in which locks are acquired: a thread that holds a lock acquires only locks of a greater rank.
package enum LockRank: UInt8 {
  /// The lock of a disk cache's folder, held while its files are read and written.
  case files = 1
  /// The state of an app's cache. Inside this lock, the cache requests room among the writes, and the name of a folder.
  case cache
  /// The state of a loader, with its pictures and the readers of its futures. Inside this lock, the loader calls the pixel pool and the
  /// queue of writes.
  case loader
  case pixels
  /// The running clock, which reads another clock inside its lock.
  case clock
  /// A lock that guards only values: no other lock is acquired while it is held.
  case leaf
  /// A lock of the test support's fetchers and clocks, which may be called inside a test's own lock.
  case testing
}
