#if !FUTUREIMAGE_SIMULATION
/// The one place in which the library begins what runs beside its caller: tasks, blocks on queues, timers.
///
/// A simulation puts a scheduler of its own in this place; see `Simulation/Scheduling+Simulation.swift`.
package enum Scheduling {
  /// The time of the system's clock, which goes on while the process is suspended.
  package static var clock: any Clock<Duration> { ContinuousClock() }

  /// Drawn by chance: between retries, in names of files.
  static func random() -> UInt64 { .random(in: .min ... .max) }

  /// A name that nothing else has.
  static func uniqueName() -> String { UUID().uuidString }

  /// Another thread could go on here, as far as a simulation is concerned: what follows is the end of an object that others may look for.
  @inline(__always) package static func point() {}

  /// What was read from a weak reference. Before the caller lets go of it all its other owners may, so that it ends with the caller: in a
  /// simulation they get a turn.
  @inline(__always) static func read<Object: AnyObject>(_ object: Object?) -> Object? { object }

  /// For the handlers of cancellations, which the runtime calls inside of a lock of the task's: in a simulation a thread that stopped there would
  /// hold up the task's own for good.
  @inline(__always) package static func uninterrupted(_ body: () -> Void) { body() }

  /// Begins a task that has nothing to do with whoever begins it, neither by its priority nor by its task-local values. May be called inside
  /// a lock: nothing runs yet.
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

/// Holds a thread until another lets it go on, once.
struct Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }
  func wait() { semaphore.wait() }
}
#endif

extension Scheduling {
  /// Drawn by chance, 0 ... 1.
  static func chance() -> Double { Double(random()) / Double(UInt64.max) }
}
