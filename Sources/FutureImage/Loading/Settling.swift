extension FutureImage.Loader {
  /// A task that waits in ``FutureImage/Loader/settled()``.
  struct Settling {
    /// The task, whose own loops over phases are not waited for.
    let caller: TaskIdentity?
    let continuation: CheckedContinuation<Void, Never>
  }
}
