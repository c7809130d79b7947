/// Threads for work that blocks: at most `width` jobs at a time, and `laneWidth` of one lane, started in the order in which they were
/// submitted.
///
/// The cooperative pool has one thread per core, and stops entirely when a few of its tasks wait for a disk. A concurrent dispatch queue
/// has no limit of its own: it answers a thousand blocked jobs with scores of threads. A lane contains the jobs that may hang together,
/// such as those of a folder on a disk that is gone: it leaves threads to the other lanes.
package final class WorkQueue: Sendable {
  fileprivate typealias Job = @Sendable () -> Void

  fileprivate struct Waiting {
    let job: Job
    let lane: String
    /// Whether the lane has a slot for the job.
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
    /// The lanes that have a running job.
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
  /// Canceling the task does not withdraw the work: a file half written or a cache half cleaned would be of no use.
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
    // The dispatch queue sees one block, however many jobs it runs.
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

  /// The calling thread looks for work next, so a held job finds a thread.
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

  /// The next job of the lane inherits the slot, so that no later one overtakes it, and is enqueued behind other lanes.
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

/// Calls `body` and releases the temporary objects that the system's frameworks made in it.
///
/// A dispatch queue drains its own autorelease pool at no defined time, and a `WorkQueue` runs many jobs in one block, so the temporary
/// objects of many decodes would accumulate. This function surrounds each job, each frame, and each transform, as Apple recommends for
/// loops in "Using Autorelease Pool Blocks".
func draining<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  try autoreleasepool(invoking: body)
}
#else
/// Calls `body`: without Objective-C there are no autoreleased objects.
func draining<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result { try body() }
#endif
