/// Threads for work that blocks. At most `width` jobs run at a time, and at most `laneWidth` jobs of one lane. Jobs start in the order in
/// which they were submitted. But while a lane is full, later jobs of other lanes start before its jobs.
///
/// Swift's cooperative pool has one thread per core, and stops entirely when a few of its tasks wait for a disk. A concurrent dispatch
/// queue has no limit, and creates scores of threads for a thousand blocked jobs. A lane contains jobs that may all hang at the same time,
/// such as the jobs of a folder on a disk that is no longer connected. The limit of a lane leaves threads for other lanes.
package final class WorkQueue: Sendable {
  fileprivate typealias Job = @Sendable () -> Void

  fileprivate struct Waiting {
    let job: Job
    let lane: String
    /// Whether the job already has a slot of the lane.
    var isAdmitted = false
  }

  fileprivate struct Lane {
    var running = 0
    /// Jobs that wait for another job of the lane to end.
    var held = FIFO<Job>()
  }

  fileprivate struct State {
    var running = 0
    var waiting = FIFO<Waiting>()
    /// The lanes in which a job has a slot.
    var lanes: [String: Lane] = [:]
  }

  private let width: Int
  private let laneWidth: Int
  let threads: Threads
  private let state = Lock(State())

  package init(label: String, width: Int, laneWidth: Int = .max, qos: DispatchQoS) {
    self.width = max(1, width)
    self.laneWidth = max(1, laneWidth)
    threads = Threads(label: label, qos: qos)
  }

  /// Runs the work on one of the queue's threads and awaits it without blocking a thread.
  ///
  /// Canceling the task does not cancel the work, because a half-written file or a half-cleaned cache would be of no use.
  package func run<Result: Sendable>(lane: String = "", _ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await handedOver { end in submit(lane: lane) { end(Swift.Result(catching: work)) } }.get()
  }

  func submit(lane: String = "", _ job: @escaping @Sendable () -> Void) {
    let startsThread = state.withLock { state in
      state.waiting.append(Waiting(job: job, lane: lane))
      guard state.running < width else { return false }
      state.running += 1
      return true
    }
    if startsThread { threads.start { self.work() } }
  }

  private func work() {
    // All jobs that the thread runs are one block for the dispatch queue.
    while draining({ runNext() }) {}
  }

  private func runNext() -> Bool {
    guard let next = nextJob() else { return false }
    next.job()
    ended(next.lane)
    return true
  }

  private func nextJob() -> Waiting? {
    state.withLock { state in
      while let next = state.waiting.popFirst() {
        if laneWidth == .max || next.isAdmitted || state.admit(next, width: laneWidth) { return next }
      }
      state.running -= 1
      return nil
    }
  }

  /// Records the end of a job. After this call, the thread searches for its next job, so it can run a job that the ended job has held back.
  private func ended(_ lane: String) {
    guard laneWidth < .max else { return }
    state.withLock { $0.ended(lane) }
  }
}

extension WorkQueue.State {
  /// - Returns: whether the job may run now; otherwise it waits for another job of its lane to end.
  fileprivate mutating func admit(_ next: WorkQueue.Waiting, width: Int) -> Bool {
    guard lanes[next.lane, default: WorkQueue.Lane()].running < width else {
      lanes[next.lane]?.held.append(next.job)
      return false
    }
    lanes[next.lane, default: WorkQueue.Lane()].running += 1
    return true
  }

  /// Transfers the slot of the ended job to the next job of the lane, so that no later job of the lane overtakes it. The next job is
  /// enqueued behind the jobs of other lanes.
  fileprivate mutating func ended(_ lane: String) {
    if let job = lanes[lane]?.held.popFirst() {
      waiting.append(WorkQueue.Waiting(job: job, lane: lane, isAdmitted: true))
      return
    }
    lanes[lane]?.running -= 1
    if lanes[lane]?.running == 0 { lanes[lane] = nil }
  }
}

#if canImport(ObjectiveC)
import ObjectiveC

/// Calls `body`, and then releases the temporary objects that the system's frameworks made in it.
///
/// A dispatch queue drains its own autorelease pool at no defined time, and a `WorkQueue` runs many jobs in one block, so the temporary
/// objects of many decodes would accumulate. This function surrounds each job, each frame, and each transform, as Apple recommends for
/// loops in "Using Autorelease Pool Blocks".
func draining<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  try autoreleasepool(invoking: body)
}
#else
/// Calls `body`. Without Objective-C, there are no autoreleased objects.
func draining<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result { try body() }
#endif
