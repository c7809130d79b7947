#if !FUTUREIMAGE_SIMULATION
/// The code in which the library starts concurrent work: tasks, blocks on queues, and timers. Exceptions are the fetchers, child tasks, and
/// some code that the system calls.
///
/// A simulation replaces it with its own scheduler: see `Simulation/Scheduling+Simulation.swift`.
package enum Scheduling {
  /// The system's clock, which continues while the process is suspended.
  package static var clock: any Clock<Duration> { ContinuousClock() }

  /// Returns a random number, for delays between retries and for names of files.
  static func random() -> UInt64 { .random(in: .min ... .max) }

  /// The number of objects that one step of a longer operation handles, so that other threads can acquire the lock between two steps.
  static var batchSize: Int { 64 }

  /// Returns a unique name.
  static func uniqueName() -> String { UUID().uuidString }

  /// Marks a point at which a simulation may run another thread. A future's `deinit` calls it before it removes the future from the loader,
  /// because until then, other threads may find the reader of the future there.
  @inline(__always) package static func point() {}

  /// Returns an object that was read from a weak reference. In a simulation, other threads may run at this point. They may release all
  /// other references to the object, so that the caller has the last reference.
  @inline(__always) static func read<Object: AnyObject>(_ object: Object?) -> Object? { object }

  /// Runs a cancellation handler, during which a simulation runs no other thread. The runtime calls the handler inside a lock of the task.
  /// If a simulation stopped a thread inside that lock, the task's own thread would wait forever.
  @inline(__always) package static func uninterrupted(_ body: () -> Void) { body() }

  /// Starts a task that inherits neither the priority nor the task-local values of its caller. This method may be called inside a lock,
  /// because it does not run the task on the calling thread.
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

/// A latch that blocks a thread until another thread opens it, which happens once.
struct Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }
  func wait() { semaphore.wait() }
}
#endif

extension Scheduling {
  /// Returns a random number in 0 ... 1.
  static func chance() -> Double { Double(random()) / Double(UInt64.max) }
}
