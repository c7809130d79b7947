import Foundation

/// The concurrency of a stress test's actors: here threads and tasks of the system. A simulation replaces this file with its own.
enum StressThreads {
  /// The number of threads of actors.
  static let actors = 3
  /// The maximum number of futures that the actors hold.
  static let futures = 24

  static func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { Task.detached(operation: body) }

  static func thread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }

  static func cancel(_ progress: Progress) { progress.cancel() }

  /// Records the next action of an actor, for stories.
  static func note(_ act: @autoclosure () -> String) {}

  /// Checks for a fault whenever no lock is held. That is not known here, so this does nothing.
  static func watch(fault: @escaping () -> String?) {}

  /// Yields the processor to other threads.
  static func yieldTurn() { sched_yield() }
}
