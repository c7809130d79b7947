import Foundation

/// Runs the actors of a stress test concurrently, on threads and in tasks of the system. The simulation has its own version of this file.
enum StressThreads {
  /// The number of threads, each of which runs an actor.
  static let actors = 3
  /// The maximum number of futures that the actors retain.
  static let futures = 24

  static func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { Task.detached(operation: body) }

  static func thread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }

  static func cancel(_ progress: Progress) { progress.cancel() }

  /// Does nothing. In the simulation, records the next action of an actor in the trace.
  static func note(_ act: @autoclosure () -> String) {}

  /// Does nothing. Only the simulation knows the moments at which no thread holds a lock, and it checks for a fault at these moments.
  static func watch(fault: @escaping () -> String?) {}

  /// Yields the processor to other threads.
  static func yieldTurn() { sched_yield() }
}
