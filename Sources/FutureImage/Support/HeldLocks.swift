#if DEBUG
import Foundation

/// The ranks of the locks that one thread holds. The rank of the latest lock is in the lowest four bits.
///
/// In a debug build, each lock registers here, and the process ends if a lock breaks the order of ``LockRank``. A release build does not
/// contain this type.
struct HeldLocks {
  private(set) var bits: UInt = 0

  var isEmpty: Bool { bits == 0 }

  /// Whether code of the app may be called. It may also be called inside the lock of the ``RunningClock``, which reads another clock inside
  /// this lock, possibly a clock of the app.
  var permitsCalls: Bool { isEmpty || bits == UInt(LockRank.clock.rawValue) }

  /// Whether a lock of that rank may be acquired now.
  func allow(_ rank: LockRank) -> Bool { UInt(rank.rawValue) > bits & 15 }

  mutating func push(_ rank: LockRank) { bits = bits << 4 | UInt(rank.rawValue) }

  mutating func pop() { bits >>= 4 }
}

extension HeldLocks {
  // The value is a number and not a pointer, so nothing is allocated, and nothing has to be freed when a thread ends.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The locks that the calling thread holds.
  static var current: HeldLocks {
    get { HeldLocks(bits: UInt(bitPattern: pthread_getspecific(key))) }
    // The pointer is a number, and is never dereferenced.
    set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue.bits)) }
  }
}
#endif

/// Records that a lock is about to be acquired. This function is called before the acquisition, because a thread that breaks the order may
/// wait for itself.
@inline(__always) func noteLocking(_ rank: LockRank) {
  #if DEBUG
  // Two threads that acquire the same locks in different orders may wait for each other forever. Here, the process of a developer ends, so
  // that the process of a user does not hang.
  precondition(HeldLocks.current.allow(rank), "a lock of rank \(rank) is acquired inside a lock of the same rank or a greater rank")
  HeldLocks.current.push(rank)
  #endif
}

@inline(__always) func noteUnlocking() {
  #if DEBUG
  HeldLocks.current.pop()
  #endif
}

/// Checks that the calling thread holds no lock. This function is called wherever code of the app is about to run, or an object of the app
/// is about to be released. Both may call the library, which then acquires locks.
@inline(__always) func assertNoLockIsHeld(_ place: StaticString = #function) {
  #if DEBUG
  // Without this check, a closure of the app that calls its loader would wait forever, perhaps only on the devices of users.
  precondition(HeldLocks.current.permitsCalls, "code of the app is called inside a lock: \(place)")
  #endif
}
