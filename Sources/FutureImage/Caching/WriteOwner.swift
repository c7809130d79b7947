/// A loader or a cache that enqueues writes.
protocol WriteOwner: AnyObject, Sendable {
  /// Starts the owner's writes that may begin now. Called outside all locks.
  func writesMayBegin()
}
