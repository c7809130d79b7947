import FutureImage

/// Returns the result of the body, or nil if it takes longer: a guard against work that never ends, including work that cannot be canceled.
func within<Value: Sendable>(_ limit: Duration, _ body: @escaping @Sendable () async throws -> Value) async throws -> Value? {
  let work = Task { try await body() }
  defer { work.cancel() }
  let result: Result<Value, any Error>? = await withCheckedContinuation { continuation in
    let isOver = Lock(false)
    let end: @Sendable (Result<Value, any Error>?) -> Void = { result in
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      if isFirst { continuation.resume(returning: result) }
    }
    let alarm = Task {
      try await Task.sleep(for: limit)
      end(nil)
    }
    Task {
      end(await work.result)
      alarm.cancel()
    }
  }
  return try result?.get()
}
