import Glibc

/// What the scheduler chooses from: a task's next part, a block of a queue, the main thread's turn. Touched by the one thread that runs.
final class Runner: @unchecked Sendable {
  enum Wait: Equatable {
    case lock(Swift.ObjectIdentifier, rank: UInt8)
    case latch(Swift.ObjectIdentifier)
  }

  let id: Int
  var name: String
  /// By which strategies with priorities choose.
  var priority: UInt64
  /// Nil once it has begun.
  var body: (() -> Void)?
  /// Once it has begun.
  var thread: Baton?
  var wait: Wait?
  /// Above zero, it does not stop at points.
  var interruptionsDeferred = 0
  /// Needs the lock that this one has, and cannot be interrupted.
  var urgedBy: (runner: Runner, lock: Swift.ObjectIdentifier)?
  /// Where it stopped last.
  var place: StaticString = "its beginning"

  init(_ id: Int, _ name: String, priority: UInt64, _ body: (() -> Void)?) {
    (self.id, self.name, self.priority, self.body) = (id, name, priority, body)
  }
}

/// What a thread waits for until it is to run.
final class Baton: @unchecked Sendable {
  // The semaphore orders what the threads before have done.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// What the thread is to do next; set before it is passed the baton.
  var next: Runner?
  var thread: pthread_t?

  init() { sem_init(semaphore, 0, 0) }

  func pass() { sem_post(semaphore) }
  func take() { while sem_wait(semaphore) != 0 {} }
}
