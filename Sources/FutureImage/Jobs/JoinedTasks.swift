/// Runs one task for all callers that request the same key at the same time, and cancels the task when no caller waits for it anymore.
///
/// A ``LaneQueue`` decides when each task starts. No code of the callers runs inside the lock.
package final class JoinedTasks<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  package typealias Work = @Sendable () async throws -> Value

  /// A task, and the callers that wait for it.
  final class Job: QueuedJob, @unchecked Sendable {
    // Sendable: the lock guards its variables and those of its superclass. The constants never change.

    fileprivate let key: Key
    fileprivate let work: Work
    fileprivate(set) var waiters: Set<UInt64>
    /// The greatest task priority of all waiters that have joined the job, even if they have left.
    fileprivate(set) var priority: TaskPriority
    fileprivate var task: RunningTask?

    fileprivate init(_ key: Key, lane: String?, order: UInt64, _ priority: TaskPriority, _ work: @escaping Work) {
      (self.key, self.work, self.priority, waiters) = (key, work, priority, [order])
      super.init(lane: lane, Rank(reason: .created, order: order))
    }
  }

  /// A waiter, which may be canceled before it has a continuation to resume.
  enum Waiter {
    case coming
    case cancelled
    case here(CheckedContinuation<Value, any Error>)
  }

  struct State: Departing {
    var queue: LaneQueue<Job>
    var jobs: [Key: Job] = [:]
    var waiters: [UInt64: Waiter] = [:]
    var lastTicket: UInt64 = 0
    fileprivate var departed = Departed()

    mutating func moveDeparted(to departed: inout Departed) { self.departed.move(to: &departed) }

    /// Removes a job from the table. Its key and its closure may own objects of the caller, so they are released outside the lock.
    fileprivate mutating func remove(_ job: Job) {
      departed.add(object: job)
      if jobs[job.key] === job { jobs[job.key] = nil }
    }
  }

  let state: Lock<State>

  /// Creates a table that runs at most `limit` tasks at a time, and at most `laneLimit` tasks of one lane. Tasks without a lane start at
  /// once and use no slot.
  package init(limit: Int = .max, laneLimit: Int = .max) {
    state = Lock(State(queue: LaneQueue(limit: limit, laneLimit: laneLimit)))
  }

  /// Returns the outcome of the key's task. If the key has no task, a new task runs the closure.
  ///
  /// - Throws: the error that the work throws, or `CancellationError` as soon as the calling task is canceled.
  package func value(of key: Key, lane: String? = nil, _ work: @escaping Work) async throws -> Value {
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
          if let job = state.jobs[key] {
            job.waiters.insert(ticket)
            job.priority = max(job.priority, priority)
            job.task?.escalate(to: job.priority)
          } else {
            let job = Job(key, lane: lane, order: ticket, priority, work)
            state.jobs[key] = job
            state.queue.add(job)
          }
          startJobs(&state)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      Scheduling.uninterrupted { leave(key, ticket) }
    }
  }

  private func leave(_ key: Key, _ ticket: UInt64) {
    let (continuation, canceled) = state.withLock { state -> (CheckedContinuation<Value, any Error>?, RunningTask?) in
      switch state.waiters[ticket] {
      // The waiter already has its result.
      case nil, .cancelled: return (nil, nil)
      case .coming:
        state.waiters[ticket] = .cancelled
        return (nil, nil)
      case .here(let continuation):
        state.waiters[ticket] = nil
        guard let job = state.jobs[key] else { return (continuation, nil) }
        job.waiters.remove(ticket)
        guard job.waiters.isEmpty else { return (continuation, nil) }
        state.queue.cancel(job)
        state.remove(job)
        return (continuation, job.task)
      }
    }
    continuation?.resume(throwing: CancellationError())
    // Canceling a task calls its cancellation handlers, so it is done outside the lock.
    canceled?.task.cancel()
  }

  private func finish(_ job: Job, run: UInt64, with outcome: Result<Value, any Error>) {
    let continuations = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      let isNeeded = state.queue.finish(job, run: run)
      startJobs(&state)
      guard isNeeded else { return [] }
      state.remove(job)
      return job.waiters.compactMap { ticket in
        guard case .here(let continuation) = state.waiters.removeValue(forKey: ticket) else { return nil }
        return continuation
      }
    }
    for continuation in continuations { continuation.resume(with: outcome) }
  }

  /// Starts the jobs that have slots. This method may be called inside the lock, because creating a task does not run it.
  private func startJobs(_ state: inout State) {
    while let job = state.queue.next() {
      guard let run = job.run else { continue }
      let task = Scheduling.task("joined work", priority: job.priority) {
        do {
          self.finish(job, run: run, with: .success(try await job.work()))
        } catch {
          self.finish(job, run: run, with: .failure(error))
        }
      }
      job.task = RunningTask(task, job.priority)
    }
  }
}
