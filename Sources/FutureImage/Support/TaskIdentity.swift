/// The identity of a task, for comparison with other tasks that run at the same time.
package struct TaskIdentity: Hashable, Sendable {
  private let hash: Int

  /// The calling task; nil outside of tasks.
  package static var current: TaskIdentity? {
    // The handle must not leave the closure. Its hash value is the same for each handle of the task while the task lives.
    withUnsafeCurrentTask { task in task.map { TaskIdentity(hash: $0.hashValue) } }
  }
}
