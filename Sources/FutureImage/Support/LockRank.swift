/// The place of a lock in the order in which locks are taken: a thread that holds a lock takes only locks of a greater rank.
package enum LockRank: UInt8 {
  /// A folder's lock of a disk cache, held while its files are read and written.
  case files = 1
  /// The state of an app's cache, which asks inside of it for room among the writes, and for the name of a folder.
  case cache
  /// The loader's tables. They ask futures and the pixel pool, which never ask them.
  case loader
  case future
  case pixels
  /// The running clock, which reads another clock inside of its lock.
  case clock
  /// A lock that guards values only: no other lock is taken while it is held.
  case leaf
  /// A lock of the test support's fetchers and clocks, which may be asked inside of a test's own lock.
  case testing
}
