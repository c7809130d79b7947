import FutureImage

/// A value behind a lock. Tasks can wait until the value meets a condition. A change resumes the tasks whose condition is then met.
///
/// Conditions are checked after every change, inside the lock, so a condition that held only for an instant is not missed.
final class Observed<Value: Sendable>: Sendable {
  private enum Ending {
    case met, cancelled, timedOut
    case blocked(String)
  }

  private struct Waiter {
    let isMet: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Ending, Never>
  }

  private struct State {
    var value: Value
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0

    mutating func takeMet() -> [CheckedContinuation<Ending, Never>] {
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
    // Resume outside the lock, because a resumed task may run at once and call this object again.
    for continuation in met { continuation.resume(returning: .met) }
    return result
  }

  /// Returns when the condition is met, or at once when the task is or becomes canceled.
  func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
    _ = await wait(isMet) { _ in [] }
  }

  /// Returns when the condition is met.
  /// - Parameters:
  ///   - state: a closure that returns a description of the actual state, in sentences. It is called after the limit has passed, outside
  ///     the lock.
  ///   - obstacle: a closure that returns the reason why the condition cannot be met, if there is one, in sentences. It is called outside
  ///     the lock.
  /// - Throws: `WaitTimedOut` when the limit has passed or there is an obstacle, and `CancellationError`.
  func wait(
    _ wait: LimitedWait, until isMet: @escaping @Sendable (Value) -> Bool, insteadOf state: @Sendable (Value) -> String,
    unless obstacle: (@Sendable () -> String?)? = nil
  ) async throws {
    let ending = await self.wait(isMet) { id in
      let watch = obstacle.map { wait.limit.watch(for: $0) { self.end(id, .blocked($0)) } }
      return [wait.limit.timeout { self.end(id, .timedOut) }] + (watch.map { [$0] } ?? [])
    }
    switch ending {
    case .met: return
    case .cancelled: throw CancellationError()
    case .blocked(let obstacle): throw WaitTimedOut(at: wait.place, because: obstacle)
    case .timedOut: throw WaitTimedOut(wait.limit, at: wait.place, for: wait.what, insteadOf: state(read { $0 }))
    }
  }

  /// - Parameter alarms: a closure that starts the tasks that can end the wait. It is called only if the condition is not met at once.
  private func wait(_ isMet: @escaping @Sendable (Value) -> Bool, alarms: (Int) -> [Task<Void, Never>]) async -> Ending {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    var started: [Task<Void, Never>] = []
    defer { for alarm in started { alarm.cancel() } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ending = state.withLock { state -> Ending? in
          if isMet(state.value) { return .met }
          // The task's flag is set before `onCancel` runs. So if `onCancel` runs too early to find the waiter below, this line sees the
          // flag.
          if Task.isCancelled { return .cancelled }
          state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
          return nil
        }
        if let ending { continuation.resume(returning: ending) } else { started = alarms(id) }
      }
    } onCancel: {
      Scheduling.uninterrupted { end(id, .cancelled) }
    }
  }

  private func end(_ id: Int, _ ending: Ending) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
    waiter?.continuation.resume(returning: ending)
  }
}
