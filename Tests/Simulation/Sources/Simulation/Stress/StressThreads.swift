import Foundation

@testable import FutureImage

/// Runs the actors of a stress test concurrently, under the scheduler. An actor is a thread or a task that uses the library like an app.
enum StressThreads {
  /// The number of actors.
  static var actors: Int { scale.actors }
  /// The number of futures that the actors may retain.
  static var futures: Int { scale.futures }

  static func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    simulator.name("an actor's task")
    return Task.detached(executorPreference: simulator.executor, operation: body)
  }

  static func thread(_ body: @escaping @Sendable () -> Void) { simulator.start("an actor", after: nil, body) }

  /// Does nothing, because Foundation would call the handler of the progress on a thread that the scheduler does not control.
  static func cancel(_ progress: Progress) {}

  static func note(_ act: @autoclosure () -> String) { simulator.note(act()) }

  static func watch(fault: @escaping () -> String?) { simulator.watch(fault) }

  /// Blocks the calling thread until the given time has passed in the simulation.
  static func pass(_ time: Duration) {
    let latch = Latch()
    Scheduling.inBackground(after: time) { latch.open() }
    latch.wait()
  }

  static func yieldTurn() { simulator.point("an actor's delay") }
}
