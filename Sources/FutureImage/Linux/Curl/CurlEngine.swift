#if canImport(CCurl) && !canImport(UIKit)
import CCurl
import CLinuxCalls

/// The thread-safe part of a ``FutureImage/CurlFetcher``: a queue of work for the thread that runs a ``CurlLoop``.
///
/// The thread retains the engine, so the engine exists until the thread has ended. `close` ends the thread.
final class CurlEngine: Sendable {
  /// The next work for the thread.
  struct Work {
    /// Jobs of Swift's tasks, which the thread runs as their executor. Exchanges that these jobs start are part of the next `Work`.
    var jobs: [UnownedJob] = []
    var started: [(exchange: CurlExchange, receive: FutureImage.Receive)] = []
    var cancelled: [CurlExchange] = []
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var waiting: [CurlExchange] = []
    /// Running exchanges to cancel.
    var cancelled: [CurlExchange] = []
    /// libcurl's multi handle, from the time when the thread can be woken until the thread ends.
    var multi: UnsafeMutableRawPointer?
    var thread: pthread_t?
    var isWaiting = false
    var hasThread = false
    var isClosed = false
  }

  let configuration: FutureImage.CurlFetcher.Configuration
  /// The clock for all deadlines.
  let clock: RunningClock
  private let state = Lock(State())

  init(_ configuration: FutureImage.CurlFetcher.Configuration, clock: RunningClock = .shared) {
    self.configuration = configuration
    self.clock = clock
  }

  func run(_ exchange: CurlExchange, receive: @escaping FutureImage.Receive) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { start(exchange, resuming: $0, calling: receive) }
    } onCancel: {
      cancel(exchange)
    }
  }

  /// Ends the thread and every remaining exchange.
  func close() {
    state.withLock { state in
      state.isClosed = true
      Self.wake(&state)
    }
  }

  private func start(
    _ exchange: CurlExchange, resuming continuation: CurlExchange.Continuation, calling receive: @escaping FutureImage.Receive
  ) {
    var needsThread = false
    let isAccepted = state.withLock { state in
      // If the task is already canceled, the cancellation handler runs first and ends the exchange.
      guard case .new = exchange.phase, !state.isClosed else { return false }
      exchange.phase = .waiting(continuation, receive)
      state.waiting.append(exchange)
      needsThread = !state.hasThread
      state.hasThread = true
      Self.wake(&state)
      return true
    }
    if !isAccepted { continuation.resume(throwing: CancellationError()) }
    if needsThread { startThread() }
  }

  private func cancel(_ exchange: CurlExchange) {
    let ended: CurlExchange.Phase = state.withLock { state in
      guard case .running = exchange.phase else { return exchange.end() }
      // Only the thread may end a running exchange, because `receive` must not be called after the task has resumed.
      state.cancelled.append(exchange)
      Self.wake(&state)
      return .ended
    }
    ended.resume(with: .failure(CancellationError()))
  }

  /// Wakes the thread if it sleeps. Called inside the lock, so that the thread cannot release `multi` in the meantime.
  private static func wake(_ state: inout State) {
    guard state.isWaiting, let multi = state.multi else { return }
    // If the process has no descriptors left, libcurl cannot wake the thread. The next call tries again, and the thread polls from time to
    // time.
    if curl_multi_wakeup(multi) == CURLM_OK { state.isWaiting = false }
  }

  func wake() { state.withLock { Self.wake(&$0) } }

  /// Whether the calling thread is the engine's own thread.
  var isOnThread: Bool { state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }
}

/// Tasks that await exchanges also run on the engine's thread. So the thread need not wake another thread after each exchange, and no other
/// thread need wake it for the next exchange.
extension CurlEngine: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    var needsThread = false
    let isAccepted = state.withLock { state in
      guard !state.isClosed else { return false }
      state.jobs.append(job)
      needsThread = !state.hasThread
      state.hasThread = true
      Self.wake(&state)
      return true
    }
    if !isAccepted { runElsewhere(job) }
    if needsThread { startThread() }
  }

  /// Runs a job on another thread, because every job must run even if the engine no longer has a thread.
  fileprivate func runElsewhere(_ job: UnownedJob) {
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

// Functions that the thread calls.
extension CurlEngine {
  /// Records the handle through which the thread can be woken.
  func begin(_ multi: UnsafeMutableRawPointer) {
    state.withLock { $0.multi = multi }
  }

  /// Returns the next work, with at most `room` exchanges to start; nil if the thread must end.
  func nextWork(room: Int) -> Work? {
    state.withLock { state in
      state.isWaiting = false
      guard !state.isClosed else { return nil }
      var work = Work()
      swap(&work.jobs, &state.jobs)
      guard work.jobs.isEmpty else { return work }
      swap(&work.cancelled, &state.cancelled)
      let taken = state.waiting.prefix(room)
      state.waiting.removeFirst(taken.count)
      for exchange in taken {
        // An exchange that was canceled while it waited has already ended.
        guard case .waiting(let continuation, let receive) = exchange.phase else { continue }
        exchange.phase = .running(continuation)
        work.started.append((exchange, receive))
      }
      return work
    }
  }

  /// Returns whether there is no work. If so, the thread sleeps until it is woken.
  func mayWait(room: Int) -> Bool {
    state.withLock { state in
      state.isWaiting = !state.isClosed && state.jobs.isEmpty && state.cancelled.isEmpty && (room == 0 || state.waiting.isEmpty)
      return state.isWaiting
    }
  }

  func finish(_ exchange: CurlExchange, _ result: Result<Void, any Error>) {
    state.withLock { _ in exchange.end() }.resume(with: result)
  }

  /// Ends all waiting exchanges together with the thread. The next exchange starts a new thread.
  func end(with failure: any Error) {
    let (phases, jobs) = state.withLock { state in
      let (phases, jobs) = (state.waiting.map { $0.end() }, state.jobs)
      state.waiting = []
      state.jobs = []
      state.cancelled = []
      state.multi = nil
      state.isWaiting = false
      state.thread = nil
      state.hasThread = false
      return (phases, jobs)
    }
    for job in jobs { runElsewhere(job) }
    for phase in phases { phase.resume(with: .failure(failure)) }
  }

  fileprivate func startThread() {
    // When the thread starts, it takes ownership of this reference. If the call fails, there is no thread, and the reference is released
    // below. So the reference is released exactly once.
    let engine = Unmanaged.passRetained(self)
    let hasStarted = clinux_start_thread(
      { context in
        if let context { Unmanaged<CurlEngine>.fromOpaque(context).takeRetainedValue().runThread() }
        return nil
      }, engine.toOpaque())
    guard !hasStarted else { return }
    engine.release()
    end(with: FutureImage.Failure(.transport(.other("no thread could be started; end other threads, and try again"))))
  }

  private func runThread() {
    // When the server has disconnected, OpenSSL's writes to sockets raise SIGPIPE, which would end the process. So this thread blocks the
    // signal. The program's own handling of the signal is unchanged.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Thread.current.name = "FutureImage"
    state.withLock { $0.thread = pthread_self() }
    ProgramEnd.enter(self)
    // The engine is unregistered last, after the loop has closed its connections.
    defer { ProgramEnd.leave(self) }
    runLoop()
  }

  private func runLoop() {
    guard let loop = CurlLoop(self) else {
      return end(with: FutureImage.Failure(.transport(.other("libcurl could not be started; check the Debian package libcurl4"))))
    }
    loop.run()
  }
}
#endif
