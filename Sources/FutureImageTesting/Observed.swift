import FutureImage

/// A value under a lock that tasks can wait for: a change lets go the tasks whose condition it meets.
///
/// Conditions are looked at after every change, under the lock, so none that held for an instant is missed.
final class Observed<Value: Sendable>: Sendable {
  private struct Waiter {
    let isMet: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var value: Value
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0

    mutating func takeMet() -> [CheckedContinuation<Void, Never>] {
      guard !waiters.isEmpty else { return [] }
      let met = waiters.filter { $0.value.isMet(value) }
      for id in met.keys { waiters[id] = nil }
      return met.values.map(\.continuation)
    }
  }

  private let state: Lock<State>

  init(_ value: Value) {
    state = Lock(State(value: value), rank: .testing)
  }

  func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    try state.withLock { try body($0.value) }
  }

  func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    let (result, met) = try state.withLock { state in
      let result = try body(&state.value)
      return (result, state.takeMet())
    }
    // Outside of the lock: a resumed task may run at once and come back here.
    for continuation in met { continuation.resume() }
    return result
  }

  /// Returns when the condition is met, or at once when the task is or becomes cancelled.
  func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          // The task's flag is set before `onCancel` runs: either `onCancel` finds the waiter below, or the flag is seen here.
          if isMet(state.value) || Task.isCancelled { return true }
          state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.continuation.resume()
    }
  }
}
