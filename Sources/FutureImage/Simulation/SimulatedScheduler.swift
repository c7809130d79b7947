#if FUTUREIMAGE_SIMULATION
/// Decides which of the library's threads continues in a simulation. See `Tests/Simulation`.
public protocol SimulatedScheduler: AnyObject, Sendable {
  /// The executor of the tasks that the library starts.
  var executor: any TaskExecutor { get }
  /// The time that has passed.
  var now: Duration { get }
  /// Whether the scheduler itself reads the state that the locks guard, while no lock is held.
  var isLooking: Bool { get }

  /// Returns a number drawn from the seed.
  func draw() -> UInt64
  /// Marks a point at which any other thread may run.
  func point(_ name: StaticString)
  /// Acquires the lock, and returns when the caller has it.
  func lock(_ lock: Swift.ObjectIdentifier, _ name: StaticString, rank: UInt8)
  func unlock(_ lock: Swift.ObjectIdentifier)
  /// Starts a thread, now or after a delay.
  func start(_ name: String, after delay: Duration?, _ body: @escaping @Sendable () -> Void)
  /// Starts a block on the main queue, now or after a delay.
  func startOnMain(after delay: Duration?, _ body: @escaping @Sendable () -> Void)
  /// Names the next task that the caller starts.
  func name(_ name: StaticString)
  /// Calls `body` while no other thread runs, except a thread that holds a lock that `body` needs.
  func uninterrupted(_ body: () -> Void)
  func openLatch(_ latch: Swift.ObjectIdentifier)
  func waitForLatch(_ latch: Swift.ObjectIdentifier)
  func sleep(until deadline: Duration) async throws
}

/// The scheduler of this process. It is set once, before any use of the library.
public enum Simulation {
  // Written before there is a second thread, and only read after that.
  nonisolated(unsafe) static var current: (any SimulatedScheduler)?

  public static func begin(_ scheduler: any SimulatedScheduler) { current = scheduler }

  /// The scheduler. Without it, the library does not run in a simulation build.
  static var scheduler: any SimulatedScheduler {
    // Only a program of the tests is built this way, never an app, and the program calls `begin` first. Without a scheduler, no thread
    // could ever continue.
    guard let current else { fatalError("a simulation build is used without a scheduler") }
    return current
  }
}
#endif
