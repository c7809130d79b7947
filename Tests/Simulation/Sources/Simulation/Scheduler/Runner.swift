import Glibc

/// A unit of work that the scheduler can choose: the next part of a task, a block of a queue, or the main thread's turn. Only the running
/// thread accesses runners.
final class Runner: @unchecked Sendable {
  enum Wait: Equatable {
    case lock(Swift.ObjectIdentifier, rank: UInt8)
    case latch(Swift.ObjectIdentifier)
  }

  let id: Int
  var name: String
  /// The priority by which some strategies choose.
  var priority: UInt64
  /// The work; nil for the main thread, and after the work has ended.
  var body: (() -> Void)?
  /// The event of the runner's thread; nil until the runner starts.
  var thread: Baton?
  var wait: Wait?
  /// If above zero, no other runner may run at the points that this runner passes. (A point is a call of the library at which the scheduler
  /// can choose another runner.)
  var interruptionsDeferred = 0
  /// The uninterruptible runner that waits for a lock of this runner, and that lock.
  var urgedBy: (runner: Runner, lock: Swift.ObjectIdentifier)?
  /// The name of the point at which the runner stopped last.
  var place: StaticString = "its beginning"

  init(_ id: Int, _ name: String, priority: UInt64, _ body: (() -> Void)?) {
    (self.id, self.name, self.priority, self.body) = (id, name, priority, body)
  }
}

/// The event for which a thread waits until its turn.
final class Baton: @unchecked Sendable {
  // The semaphore orders memory. A thread that gets the baton sees all earlier writes of the thread that passed the baton.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// The thread's next runner, which is set before the thread gets the baton.
  var next: Runner?
  var thread: pthread_t?

  init() { sem_init(semaphore, 0, 0) }

  func pass() { sem_post(semaphore) }
  func take() { while sem_wait(semaphore) != 0 {} }
}
