/// Threads for work that blocks: at most `width` jobs at once, begun in the order they came.
///
/// The cooperative pool has one thread a core and stops for everybody when a few of its tasks wait for a disk. A concurrent dispatch
/// queue by itself has no bound: it answers a thousand blocked jobs with scores of threads.
final class WorkQueue: Sendable {
  private typealias Job = @Sendable () -> Void

  private struct State {
    var running = 0
    var waiting = FIFO<Job>()
  }

  private let width: Int
  let threads: DispatchQueue
  private let state = Lock(State())

  init(label: String, width: Int, qos: DispatchQoS) {
    self.width = max(1, width)
    threads = DispatchQueue(label: label, qos: qos, attributes: .concurrent)
  }

  /// Runs the work on one of the queue's threads and waits for it without holding a thread.
  ///
  /// Cancelling the task does not take the work back: a file half written or a cache half cleaned helps nobody.
  func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      submit { continuation.resume(with: Swift.Result(catching: work)) }
    }
  }

  func submit(_ job: @escaping @Sendable () -> Void) {
    let startsThread = state.withLock { state in
      state.waiting.append(job)
      guard state.running < width else { return false }
      state.running += 1
      return true
    }
    if startsThread { threads.async { self.work() } }
  }

  private func work() {
    // The dispatch queue sees one block, however many jobs it runs.
    while draining({ runNext() }) {}
  }

  private func runNext() -> Bool {
    guard let job = nextJob() else { return false }
    job()
    return true
  }

  private func nextJob() -> Job? {
    state.withLock { state in
      let job = state.waiting.popFirst()
      if job == nil { state.running -= 1 }
      return job
    }
  }
}
