/// A task whose priority follows that of its job.
struct RunningTask: Sendable {
  let task: Task<Void, Never>
  private(set) var priority: TaskPriority

  init(_ task: Task<Void, Never>, _ priority: TaskPriority) {
    self.task = task
    self.priority = priority
  }

  /// Raises the task's priority, which is never lowered.
  ///
  /// A new task with the higher priority awaits this task, which then has that priority, too. Apple's page on `Task.escalatePriority(to:)`
  /// recommends this technique, and it works on every system on which the library runs. This method may be called inside a lock, because
  /// the new task does not run on the calling thread.
  mutating func escalate(to priority: TaskPriority) {
    guard priority > self.priority else { return }
    self.priority = priority
    _ = Scheduling.task("an escalation", priority: priority) { [task] in await task.value }
  }
}

/// Returns the outcome of work that ends on another thread.
///
/// The continuation alone would be enough. But if it is resumed before it is awaited, Swift 6.3 does not report this order of the two
/// threads to the thread sanitizer. The sanitizer would then report races for all objects that the work made. If one thread releases a lock
/// before the other thread acquires it, that order is reported.
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
