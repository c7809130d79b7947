/// A task whose priority follows that of its job.
struct RunningTask: Sendable {
  let task: Task<Void, Never>
  private(set) var priority: TaskPriority

  init(_ task: Task<Void, Never>, _ priority: TaskPriority) {
    self.task = task
    self.priority = priority
  }

  /// Raises the task's priority, which is never lowered. May be called inside a lock: nothing runs yet.
  ///
  /// A task that awaits another lends it its own priority. Apple's page on `Task.escalatePriority(to:)` recommends that, and it works on
  /// every system that the library runs on.
  mutating func escalate(to priority: TaskPriority) {
    guard priority > self.priority else { return }
    self.priority = priority
    _ = Scheduling.task("an escalation", priority: priority) { [task] in await task.value }
  }
}
