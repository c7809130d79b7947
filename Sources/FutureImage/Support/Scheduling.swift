#if !FUTUREIMAGE_SIMULATION
/// The one place in which the library starts concurrent work: tasks, blocks on queues, timers.
///
/// A simulation replaces it with a scheduler of its own; see `Simulation/Scheduling+Simulation.swift`.
package enum Scheduling {
  /// The system's clock, which continues while the process is suspended.
  package static var clock: any Clock<Duration> { ContinuousClock() }

  /// Returns a random number, for delays between retries and for names of files.
  static func random() -> UInt64 { .random(in: .min ... .max) }

  /// The number of objects that one of many steps handles, so that other threads get the lock between two of them.
  static var few: Int { 64 }

  /// Returns a unique name.
  static func uniqueName() -> String { UUID().uuidString }

  /// Marks a point at which a simulation may run another thread: next is the end of an object that others may look up.
  @inline(__always) package static func point() {}

  /// Returns an object that was read from a weak reference. All its other owners may release it before the caller does, so that it ends
  /// with the caller: a simulation gives them a turn.
  @inline(__always) static func read<Object: AnyObject>(_ object: Object?) -> Object? { object }

  /// Runs a cancellation handler, which the runtime calls inside a lock of the task: in a simulation, a thread that stopped there would
  /// block the task's own thread forever.
  @inline(__always) package static func uninterrupted(_ body: () -> Void) { body() }

  /// Starts a task that inherits neither the priority nor the task-local values of its caller. May be called inside a lock: nothing runs
  /// yet.
  package static func task(
    _ name: StaticString, priority: TaskPriority? = nil, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    Task.detached(priority: priority, operation: body)
  }

  package static func onMain(_ body: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: body) }

  package static func onMain(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + delay.seconds, execute: body)
  }

  package static func inBackground(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay.seconds, execute: body)
  }
}

/// A concurrent dispatch queue.
struct Threads: Sendable {
  let queue: DispatchQueue

  init(label: String, qos: DispatchQoS) {
    queue = DispatchQueue(label: label, qos: qos, attributes: .concurrent)
  }

  func start(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}

/// Blocks a thread until another thread opens the latch, once.
struct Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }
  func wait() { semaphore.wait() }
}
#endif

extension Scheduling {
  /// Returns a random number, 0 ... 1.
  static func chance() -> Double { Double(random()) / Double(UInt64.max) }
}
