import FutureImage

/// Returns the result of the body, or nil if the body takes longer than the limit. The function also returns if the body never ends and
/// ignores cancellation.
func within<Value: Sendable>(_ limit: Duration, _ body: @escaping @Sendable () async throws -> Value) async throws -> Value? {
  let work = Task { try await body() }
  defer { work.cancel() }
  let result: Result<Value, any Error>? = await withCheckedContinuation { continuation in
    let hasEnded = Lock(false)
    let end: @Sendable (Result<Value, any Error>?) -> Void = { result in
      let isFirst = hasEnded.withLock { hasEnded in
        defer { hasEnded = true }
        return !hasEnded
      }
      if isFirst { continuation.resume(returning: result) }
    }
    let timeout = Task {
      try await Task.sleep(for: limit)
      end(nil)
    }
    Task {
      end(await work.result)
      timeout.cancel()
    }
  }
  return try result?.get()
}
