/// Runs a closure of the app in a separate task, because the closure may hang and may ignore cancellation. Abandons the closure when the
/// time limit has passed or the calling task is canceled.
/// - Throws: the error that the closure throws, `CancellationError`, or `.transport(.timedOut)`.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, by clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let answer = FirstAnswer<Value>()
  let work = Scheduling.task("the app's closure", priority: Task.currentPriority) {
    do { answer.resolve(.success(try await body())) } catch { answer.resolve(.failure(error)) }
  }
  let timeout = Scheduling.task("its time limit") {
    do { try await clock.sleep(for: limit) } catch { return }
    answer.resolve(.failure(FutureImage.Failure(.transport(.timedOut))))
  }
  defer {
    timeout.cancel()
    work.cancel()
  }
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { answer.await($0) }
  } onCancel: {
    Scheduling.uninterrupted { answer.resolve(.failure(CancellationError())) }
  }
}

/// The first of several answers. It may arrive before it is awaited.
private final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case given(Result<Value, any Error>)
    case over
  }

  private let state = Lock(State.open)

  func resolve(_ answer: Result<Value, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      switch state {
      case .open: state = .given(answer)
      case .awaited(let continuation):
        state = .over
        return continuation
      case .given, .over: break
      }
      return nil
    }
    continuation?.resume(with: answer)
  }

  func `await`(_ continuation: CheckedContinuation<Value, any Error>) {
    let given = state.withLock { state -> Result<Value, any Error>? in
      guard case .given(let answer) = state else {
        state = .awaited(continuation)
        return nil
      }
      state = .over
      return answer
    }
    if let given { continuation.resume(with: given) }
  }
}
