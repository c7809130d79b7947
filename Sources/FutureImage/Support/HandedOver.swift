/// The outcome of work that ends on another thread.
///
/// The continuation alone would do. But Swift 6.3 does not report to the thread sanitizer that it orders both threads where it is resumed
/// before it is awaited, so that everything the work made would seem to race. A lock that the one thread leaves before, and the other enters
/// after, does.
func handedOver<Value: Sendable>(_ start: (_ end: @escaping @Sendable (Value) -> Void) -> Void) async -> Value {
  let hasEnded = Lock(false)
  defer { hasEnded.withLock { $0 = true } }
  return await withCheckedContinuation { continuation in
    start { value in
      hasEnded.withLock { $0 = true }
      continuation.resume(returning: value)
    }
  }
}
