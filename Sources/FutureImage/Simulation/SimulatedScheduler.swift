#if FUTUREIMAGE_SIMULATION
/// Decides in a simulation which of the library's threads goes on. See `Tests/Simulation`.
public protocol SimulatedScheduler: AnyObject, Sendable {
  /// Runs the tasks that the library begins.
  var executor: any TaskExecutor { get }
  /// The time that has passed.
  var now: Duration { get }
  /// Whether the scheduler itself looks at what the locks guard, while no lock is held.
  var isLooking: Bool { get }

  /// Drawn from the seed.
  func draw() -> UInt64
  /// Any other thread may go on before this returns.
  func point(_ name: StaticString)
  /// Returns when the caller has the lock.
  func lock(_ lock: Swift.ObjectIdentifier, _ name: StaticString, rank: UInt8)
  func unlock(_ lock: Swift.ObjectIdentifier)
  /// Begins a thread, now or when so much time has passed.
  func start(_ name: String, after delay: Duration?, _ body: @escaping @Sendable () -> Void)
  /// The same on the main queue.
  func startOnMain(after delay: Duration?, _ body: @escaping @Sendable () -> Void)
  /// Names the next task that is begun by the caller.
  func name(_ name: StaticString)
  /// No other thread goes on meanwhile, but one that has a lock which is needed.
  func uninterrupted(_ body: () -> Void)
  func openLatch(_ latch: Swift.ObjectIdentifier)
  func waitForLatch(_ latch: Swift.ObjectIdentifier)
  func sleep(until deadline: Duration) async throws
}

/// The scheduler of this process; set once, before anything of the library's is used.
public enum Simulation {
  // Written before there is a second thread, and only read after that.
  nonisolated(unsafe) static var current: (any SimulatedScheduler)?

  public static func begin(_ scheduler: any SimulatedScheduler) { current = scheduler }

  /// The library runs only below a scheduler in such a build.
  static var scheduler: any SimulatedScheduler {
    // A build of its own for a program of the tests: it begins with `begin`.
    // No app is built so, and without a scheduler no thread could ever go on.
    guard let current else { fatalError("a simulation build is used without a scheduler") }
    return current
  }
}
#endif
