#if FUTUREIMAGE_SIMULATION
/// The counterpart of `Support/Scheduling.swift` under the scheduler of a simulation.
package enum Scheduling {
  package static var clock: any Clock<Duration> { SimulatedClock() }

  static func random() -> UInt64 { Simulation.scheduler.draw() }

  /// The number of objects of a list that are handled in one step. It is only two, so that other threads can run between the steps even if
  /// the list has only three objects.
  static var batchSize: Int { 2 }

  static func uniqueName() -> String { String(random(), radix: 16) }

  package static func point() { Simulation.scheduler.point("the end of an object") }

  static func read<Object: AnyObject>(_ object: Object?) -> Object? {
    if object != nil { Simulation.scheduler.point("a weak reference") }
    return object
  }

  package static func uninterrupted(_ body: () -> Void) { Simulation.scheduler.uninterrupted(body) }

  package static func task(
    _ name: StaticString, priority: TaskPriority? = nil, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    Simulation.scheduler.name(name)
    return Task.detached(executorPreference: Simulation.scheduler.executor, priority: priority, operation: body)
  }

  package static func onMain(_ body: @escaping @Sendable () -> Void) { Simulation.scheduler.startOnMain(after: nil, body) }

  package static func onMain(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    Simulation.scheduler.startOnMain(after: delay, body)
  }

  package static func inBackground(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    Simulation.scheduler.start("a timer", after: delay, body)
  }
}

struct Threads: Sendable {
  let label: String

  init(label: String, qos: DispatchQoS) { self.label = label }

  func start(_ body: @escaping @Sendable () -> Void) { Simulation.scheduler.start(label, after: nil, body) }
}

final class Latch: Sendable {
  func open() { Simulation.scheduler.openLatch(Swift.ObjectIdentifier(self)) }
  func wait() { Simulation.scheduler.waitForLatch(Swift.ObjectIdentifier(self)) }
}

/// A clock that shows the scheduler's time.
public struct SimulatedClock: Clock, Sendable {
  public struct Instant: InstantProtocol {
    public var offset: Swift.Duration

    public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  public init() {}

  public var now: Instant { Instant(offset: Simulation.scheduler.now) }
  public var minimumResolution: Swift.Duration { .zero }

  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    try await Simulation.scheduler.sleep(until: deadline.offset)
  }
}
#endif
