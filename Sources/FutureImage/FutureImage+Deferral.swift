/// A future that a wrapped collection makes fetches nothing until its first use, so that counting a collection or using one element does
/// not fetch the others. Until then the loader does not know it.
extension FutureImage {
  /// Whether the future has not been used yet.
  var isDeferred: Bool { state.withLock { $0.wish == .deferred } }

  /// Starts the fetch of a future that was made without one. Everything that asks for the picture, or for its phase, calls this first.
  func start() {
    guard let descriptor, let revision = register() else { return }
    begin(descriptor, revision)
  }

  /// Registers a deferred future with its loader, and starts no fetch.
  /// - Returns: the revision of the picture; nil if the future was registered before.
  func register() -> UInt32? {
    guard let descriptor, isDeferred else { return nil }
    // Two threads may get here at once, and both register the future: a thread that finds the flag cleared may ask at once, and the loader
    // answers only futures that it knows.
    let revision = descriptor.loader.registerOnce(self, descriptor)
    state.withLock { state in
      state.revision = max(state.revision, revision)
      if state.wish == .deferred { state.wish = .none }
    }
    return revision
  }
}
