/// Runs one task for all callers that request the same key at the same time, and cancels it when no caller waits for it any longer.
///
/// A ``JobTable`` decides which caller waits for which task; this class performs its actions. No code of the callers runs inside the lock.
final class JoinedTasks<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  struct Work: Sendable {
    let run: @Sendable () async throws -> Value
    /// The priority of the most urgent waiter.
    var priority: TaskPriority
  }

  /// A waiter, which may be canceled before it has a continuation to resume.
  enum Waiter {
    case coming
    case cancelled
    case here(CheckedContinuation<Value, any Error>)
  }

  struct State: Departing {
    var jobs: JobTable<Key, UInt64, Work>
    var tasks: [UInt64: RunningTask] = [:]
    var waiters: [UInt64: Waiter] = [:]
    var lastTicket: UInt64 = 0

    mutating func raise(_ key: Key, to priority: TaskPriority) {
      guard let before = jobs[key]?.priority, before < priority else { return }
      jobs.change(key) { $0.priority = priority }
      if let run = jobs.run(of: key) { tasks[run]?.escalate(to: priority) }
    }

    mutating func moveDeparted(to departed: inout Departed) { jobs.moveDeparted(to: &departed) }
  }

  let state: Lock<State>

  /// Runs at most `limit` tasks at a time, and `laneLimit` of one lane. Tasks without a lane start at once and take no slot.
  init(limit: Int = .max, laneLimit: Int = .max) {
    state = Lock(State(jobs: JobTable(limit: limit, laneLimit: laneLimit)))
  }

  /// Returns the outcome of the key's task: of the running one, otherwise of a new one that does this work.
  ///
  /// - Throws: the error that the work throws; `CancellationError`, at once, when the calling task is canceled.
  func value(of key: Key, lane: String? = nil, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let priority = Task.currentPriority
    let ticket = state.withLock { state in
      state.lastTicket += 1
      state.waiters[state.lastTicket] = .coming
      return state.lastTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if case .cancelled = state.waiters[ticket] {
            state.waiters[ticket] = nil
            return true
          }
          state.waiters[ticket] = .here(continuation)
          let work = Work(run: work, priority: priority)
          _ = perform(state.jobs.want(key, lane: lane, reason: .created, waiter: ticket, input: work).actions, &state)
          state.raise(key, to: priority)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      Scheduling.uninterrupted { leave(key, ticket) }
    }
  }

  private func leave(_ key: Key, _ ticket: UInt64) {
    let (continuation, cancelled) = state.withLock { state -> (CheckedContinuation<Value, any Error>?, [Task<Void, Never>]) in
      switch state.waiters[ticket] {
      // The waiter has its answer.
      case nil, .cancelled: return (nil, [])
      case .coming:
        state.waiters[ticket] = .cancelled
        return (nil, [])
      case .here(let continuation):
        state.waiters[ticket] = nil
        let actions = state.jobs.drop(key, waiter: ticket)
        return (continuation, perform(actions, &state))
      }
    }
    continuation?.resume(throwing: CancellationError())
    for task in cancelled { task.cancel() }
  }

  private func finish(_ key: Key, run: UInt64, with outcome: Result<Value, any Error>) {
    let continuations = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      let (waiters, actions) = state.jobs.finish(key, run: run)
      state.tasks[run] = nil
      _ = perform(actions, &state)
      return (waiters ?? []).compactMap { ticket in
        guard case .here(let continuation) = state.waiters.removeValue(forKey: ticket) else { return nil }
        return continuation
      }
    }
    for continuation in continuations { continuation.resume(with: outcome) }
  }

  /// - Returns: the tasks to cancel. Canceling calls their handlers, and so is not done inside the lock.
  private func perform(_ actions: [JobTable<Key, UInt64, Work>.Action], _ state: inout State) -> [Task<Void, Never>] {
    var cancelled: [Task<Void, Never>] = []
    for action in actions {
      switch action {
      case .start(let key, let run):
        guard let work = state.jobs[key] else { continue }
        let task = Scheduling.task("joined work", priority: work.priority) {
          do {
            self.finish(key, run: run, with: .success(try await work.run()))
          } catch {
            self.finish(key, run: run, with: .failure(error))
          }
        }
        state.tasks[run] = RunningTask(task, work.priority)
      case .cancel(_, let run):
        if let running = state.tasks.removeValue(forKey: run) { cancelled.append(running.task) }
      }
    }
    return cancelled
  }
}
