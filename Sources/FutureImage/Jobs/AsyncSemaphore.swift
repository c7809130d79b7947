/// A limit on the number of operations in progress. Operations begin in the order in which they were requested.
final class AsyncSemaphore: Sendable {
  private struct State {
    var free: Int
    var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var order = FIFO<UInt64>()
    var lastNumber: UInt64 = 0
  }

  private let state: Lock<State>

  init(limit: Int) {
    state = Lock(State(free: limit))
  }

  /// Calls `body` when there is room for one more operation.
  /// - Throws: `CancellationError` if the task is canceled while it waits, or the error that `body` throws.
  func withRoom<Result>(_ body: () async throws -> Result) async throws -> Result {
    guard await enter() else { throw CancellationError() }
    defer { leave() }
    return try await body()
  }

  private func enter() async -> Bool {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasRoom = state.withLock { state in
          guard state.free == 0 else {
            state.free -= 1
            return true
          }
          state.waiting[number] = continuation
          state.order.append(number)
          return false
        }
        if hasRoom { continuation.resume(returning: true) }
        // The handler below may have run before the continuation was stored.
        if !hasRoom, Task.isCancelled { cancelWait(number) }
      }
    } onCancel: {
      Scheduling.uninterrupted { cancelWait(number) }
    }
  }

  private func cancelWait(_ number: UInt64) {
    let continuation = state.withLock { $0.waiting.removeValue(forKey: number) }
    continuation?.resume(returning: false)
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      // Canceled waiters no longer have a continuation.
      while let number = state.order.popFirst() {
        if let continuation = state.waiting.removeValue(forKey: number) { return continuation }
      }
      state.free += 1
      return nil
    }
    next?.resume(returning: true)
  }
}
