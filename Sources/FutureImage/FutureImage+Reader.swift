/// The way from a future to the part of it that its loader's lock guards.
extension FutureImage {
  /// Reads or changes the future's reader inside the loader's lock. Whatever may be the last reference to an object leaves the lock with the
  /// result. For a change with consequences, see ``Loader/change(_:)``.
  /// - Returns: nil for a future without a source.
  @discardableResult func withReader<Result>(_ body: (Reader) -> Result) -> Result? {
    guard let reader else { return nil }
    return reader.descriptor.loader.state.withLock { _ in body(reader) }
  }

  /// Whether the future has not been used yet. A wrapped collection creates such futures, so that counting it or using one element does not
  /// fetch the others. Until its first use, a future is not registered with the loader.
  var isDeferred: Bool { withReader { $0.demand == .deferred } ?? false }

  /// Starts the fetch of a future that was created without one. All members that request the image, or read its phase, call this first.
  func start() {
    if isDeferred, let reader { reader.descriptor.loader.begin(reader) }
  }

  /// Whether there is an image to reload: this future was used, or the image is in use elsewhere.
  var isInUse: Bool {
    guard let descriptor, !Source.namesNoImage(key) else { return false }
    return !picturesInUse.allSatisfy(\.isDeferred) || descriptor.loader.isInUse(descriptor.key)
  }

  /// Gets the pixels that are needed and missing.
  func pursue(_ steps: Set<Step> = [], retrying: Retrying, onlyIfAwaited: Bool = false) {
    guard let reader else { return }
    reader.descriptor.loader.pursue(reader, steps, retrying: retrying, onlyIfAwaited: onlyIfAwaited)
  }
}
