/// A future that a wrapped collection creates fetches nothing until its first use, so that counting a collection or using one element does
/// not fetch the others. Until then, it is not registered with the loader.
extension FutureImage {
  /// Whether the future has not been used yet.
  var isDeferred: Bool { state.withLock { $0.wish == .deferred } }

  /// Whether there is an image to reload: this future was used, or the image is in use elsewhere.
  var isInUse: Bool {
    guard let descriptor, !Source.namesNoImage(key) else { return false }
    return !picturesInUse.allSatisfy(\.isDeferred) || descriptor.loader.isInUse(descriptor.key)
  }

  /// Starts the fetch of a future that was created without one. All members that request the image, or read its phase, call this first.
  func start() {
    guard let descriptor, let revision = register() else { return }
    begin(descriptor, revision)
  }

  /// Registers a deferred future with its loader, without a fetch.
  /// - Returns: the generation of the image; nil if the future was registered before.
  func register() -> UInt32? {
    guard let descriptor, isDeferred else { return nil }
    // Two threads may get here at once, and both register the future: a thread that finds the flag cleared may make a request at once, and
    // the loader answers only registered futures.
    let revision = descriptor.loader.registerOnce(self, descriptor)
    state.withLock { state in
      state.revision = max(state.revision, revision)
      if state.wish == .deferred { state.wish = .none }
    }
    return revision
  }
}
