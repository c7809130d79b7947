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

/// Returns the outcome of work that ends on another thread.
///
/// The continuation alone would be enough. But if it is resumed before it is awaited, Swift 6.3 does not report to the thread sanitizer
/// that it orders both threads, so that everything the work made would appear to race. A lock that one thread releases before the other
/// acquires it is reported.
nonisolated(nonsending) func handedOver<Value: Sendable>(
  _ start: (_ end: @escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  let hasEnded = Lock(false)
  defer { hasEnded.withLock { $0 = true } }
  return await withCheckedContinuation { continuation in
    start { value in
      hasEnded.withLock { $0 = true }
      continuation.resume(returning: value)
    }
  }
}
