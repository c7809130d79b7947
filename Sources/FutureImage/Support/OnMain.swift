/// Retains an object that may own user-interface objects, such as an app's closure that captured a view, and releases it on the main
/// thread. The holder itself may be released on any thread: a loader often has the last reference to a future.
final class OnMain<Object: AnyObject & Sendable>: Sendable {
  // The holder owns one reference to the object, from the initializer to `deinit`.
  private let kept: Unmanaged<Object>

  init(_ object: Object) { kept = .passRetained(object) }

  /// The object, for use on the main thread only: code that retains it elsewhere may be the last to release it.
  var object: Object { kept.takeUnretainedValue() }

  deinit {
    if MainQueue.isCurrent { return kept.release() }
    Scheduling.onMain { [kept] in kept.release() }
  }
}
