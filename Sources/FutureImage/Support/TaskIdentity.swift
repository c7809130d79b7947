/// A task, to be compared with others that run at the same time.
package struct TaskIdentity: Hashable, Sendable {
  private let hash: Int

  /// The task that asks; nil outside of tasks.
  package static var current: TaskIdentity? {
    // The handle is not to leave the closure; its hash value is the same for each handle of the task while that lives.
    withUnsafeCurrentTask { task in task.map { TaskIdentity(hash: $0.hashValue) } }
  }
}
