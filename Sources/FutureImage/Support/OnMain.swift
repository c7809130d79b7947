/// Holds an object that may own objects of the user interface, such as a closure of the app's that captured a view, and releases it on the
/// main thread. The holder itself may be released on any thread: a future's last reference is often a loader's.
final class OnMain<Object: AnyObject & Sendable>: Sendable {
  // One reference of the object's is this holder's, from the initializer to `deinit`.
  private let kept: Unmanaged<Object>

  init(_ object: Object) { kept = .passRetained(object) }

  /// To be used on the main thread only: whoever holds the object elsewhere may be the last to release it.
  var object: Object { kept.takeUnretainedValue() }

  deinit {
    if MainQueue.isCurrent { return kept.release() }
    Scheduling.onMain { [kept] in kept.release() }
  }
}
