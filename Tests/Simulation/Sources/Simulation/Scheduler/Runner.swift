import Glibc

/// A unit that the scheduler chooses: the next part of a task, a block of a queue, the main thread's turn. Accessed by the running thread.
final class Runner: @unchecked Sendable {
  enum Wait: Equatable {
    case lock(Swift.ObjectIdentifier, rank: UInt8)
    case latch(Swift.ObjectIdentifier)
  }

  let id: Int
  var name: String
  /// The priority by which some strategies choose.
  var priority: UInt64
  /// Nil after it has started.
  var body: (() -> Void)?
  /// Set when it has started.
  var thread: Baton?
  var wait: Wait?
  /// Above zero, the runner does not stop at points.
  var interruptionsDeferred = 0
  /// The runner that needs this one's lock and cannot be interrupted.
  var urgedBy: (runner: Runner, lock: Swift.ObjectIdentifier)?
  /// The place of its last stop.
  var place: StaticString = "its beginning"

  init(_ id: Int, _ name: String, priority: UInt64, _ body: (() -> Void)?) {
    (self.id, self.name, self.priority, self.body) = (id, name, priority, body)
  }
}

/// The event for which a thread waits until its turn.
final class Baton: @unchecked Sendable {
  // The semaphore orders the memory accesses of earlier threads.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// The thread's next runner; set before the thread gets the baton.
  var next: Runner?
  var thread: pthread_t?

  init() { sem_init(semaphore, 0, 0) }

  func pass() { sem_post(semaphore) }
  func take() { while sem_wait(semaphore) != 0 {} }
}
