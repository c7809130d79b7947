import Foundation

/// How the visitors of a fair come together: here on threads and tasks of the system's. A simulation has a file of its own in this one's place.
enum Together {
  /// The threads of visitors.
  static let visitors = 3
  /// How many futures the visitors may hold.
  static let futures = 24

  static func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { Task.detached(operation: body) }

  static func thread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }

  static func cancel(_ progress: Progress) { progress.cancel() }

  /// What a visitor does next, for stories.
  static func note(_ act: @autoclosure () -> String) {}

  /// What is to be looked at whenever no lock is held: here nobody can tell.
  static func watch(fault: @escaping () -> String?) {}

  /// Lets others have the processor.
  static func giveWay() { sched_yield() }
}
