/// Returns the outcome of work that ends on another thread.
///
/// The continuation alone would be enough. But if it is resumed before it is awaited, Swift 6.3 does not report to the thread sanitizer
/// that it orders both threads, so that everything the work made would appear to race. A lock that one thread releases before the other
/// acquires it is reported.
nonisolated(nonsending) func handedOver<Value: Sendable>(
  _ start: (_ end: @escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  let hasEnded = Lock(false)
  defer { hasEnded.withLock { $0 = true } }
  return await withCheckedContinuation { continuation in
    start { value in
      hasEnded.withLock { $0 = true }
      continuation.resume(returning: value)
    }
  }
}
