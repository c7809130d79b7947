/// Access to the future's reader, which its loader's lock guards.
extension FutureImage {
  /// Reads or changes the future's reader inside the loader's lock, as ``Reader/withLock(_:)`` does.
  /// - Returns: nil for a future without a source.
  @discardableResult func withReader<Result>(_ body: (Reader) -> Result) -> Result? { reader?.withLock(body) }

  /// Whether the future has not been used yet. A wrapped collection creates such futures, so that counting it or using one element does not
  /// fetch the others. Until its first use, a future is not registered with the loader.
  var isDeferred: Bool { withReader { $0.demand == .deferred } ?? false }

  /// Starts the fetch of a future that was created without one. All members that request the image, or read its phase, call this first.
  func start() { reader?.start() }

  /// Whether there is an image to reload: this future was used, or the image is in use elsewhere.
  var isInUse: Bool {
    guard let descriptor, !Source.namesNoImage(key) else { return false }
    return !isDeferred || reader?.knownDark != nil || descriptor.loader.isInUse(descriptor.key)
  }
}
