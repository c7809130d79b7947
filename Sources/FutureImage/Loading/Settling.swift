extension FutureImage.Loader {
  /// A task that waits until all is settled.
  struct Settling {
    /// Its own loops over phases are not waited for.
    let caller: TaskIdentity?
    let continuation: CheckedContinuation<Void, Never>
  }
}
