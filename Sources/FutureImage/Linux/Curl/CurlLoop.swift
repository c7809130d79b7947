#if canImport(CCurl) && !canImport(UIKit)
import CCurl

/// The single-threaded part of a ``FutureImage/CurlFetcher``, which runs libcurl's multi handle until the engine closes.
final class CurlLoop {
  private let engine: CurlEngine
  private let multi: UnsafeMutableRawPointer
  /// The multi handle's connections refer to this object, so it must outlive the handle. `deinit` cleans up the handle first.
  private let sockets = CurlSockets()
  private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]
  /// Handles for reuse, which costs less than creating new handles.
  private var idle: [CurlTransfer] = []
  /// A lower bound of all deadlines. No exchange is overdue before this time. Arriving bytes only postpone a deadline, so the bound remains
  /// valid when bytes arrive.
  private var nextDeadline: RunningClock.Instant?

  private static let isLibraryReady: Bool = {
    ProgramEnd.prepareOpenSSL()
    return ccurl_global_init() == CURLE_OK && ProgramEnd.prepare()
  }()
  /// Whether the multi handle can be woken. If the process has no descriptors left, libcurl makes a handle that cannot be woken.
  private let canBeWoken: Bool
  private let maxConnections: Int
  /// The time when exchanges that found no descriptor try again.
  private var nextAttempt: RunningClock.Instant?
  /// Whether an exchange has ended since ``resumePostponed()`` last examined the postponed exchanges. The connection of the ended exchange
  /// can be reused, or closed to make room for another connection.
  private var hasFreedConnection = false

  init?(_ engine: CurlEngine) {
    guard Self.isLibraryReady, let multi = curl_multi_init() else { return nil }
    self.engine = engine
    self.multi = multi
    canBeWoken = curl_multi_wakeup(multi) == CURLM_OK
    let configuration = engine.configuration
    maxConnections = min(configuration.maxConnections, Descriptors.connectionLimit)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maxConnections)
    // libcurl closes an idle connection to make room for a new one.
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, maxConnections)
    let pipelining = configuration.version == .http2 ? CURLPIPE_MULTIPLEX : CURLPIPE_NOTHING
    _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(pipelining))
  }

  deinit {
    // Release easy handles before the multi handle that owns their connections.
    idle = []
    curl_multi_cleanup(multi)
  }

  func run() {
    engine.begin(multi)
    var end: any Error = CancellationError()
    let executor = engine.asUnownedTaskExecutor()
    while let work = engine.nextWork(room: room) {
      ProgramEnd.stopIfNear()
      guard work.jobs.isEmpty else {
        for job in work.jobs.mostUrgentFirst { job.runSynchronously(on: executor) }
        continue
      }
      for exchange in work.cancelled { cancel(exchange) }
      for (exchange, receive) in work.started { start(exchange, receive) }
      if let failure = advance() ?? sleep() {
        end = failure
        break
      }
    }
    // Finish the transfers before the engine can start another thread, because a late cancellation must not reach a transfer of this
    // thread.
    for transfer in running.values { finish(transfer, .failure(end)) }
    engine.end(with: end)
  }

  /// The number of exchanges that may start now.
  private var room: Int { maxConnections - running.count }

  private func start(_ exchange: CurlExchange, _ receive: @escaping FutureImage.Receive) {
    guard let transfer = idle.popLast() ?? CurlTransfer(engine.configuration, clock: engine.clock, sockets: sockets) else {
      let failure = FutureImage.Failure(.transport(.other("libcurl made no handle; release memory and try again")))
      return engine.finish(exchange, .failure(failure))
    }
    guard transfer.begin(exchange, calling: receive, with: engine.configuration),
      curl_multi_add_handle(multi, transfer.easy) == CURLM_OK
    else {
      transfer.reset()
      let failure = FutureImage.Failure(.refused("libcurl does not accept its URL or its header fields; check them"))
      return engine.finish(exchange, .failure(failure))
    }
    running[transfer.easy] = transfer
    engine.clock.beginWatching()
    watchDeadline(of: transfer)
  }

  private func watchDeadline(of transfer: CurlTransfer) {
    nextDeadline = min(nextDeadline ?? transfer.deadline, transfer.deadline)
  }

  private func cancel(_ exchange: CurlExchange) {
    // The exchange may have ended since it was canceled.
    guard let transfer = exchange.transfer else { return }
    finish(transfer, .failure(CancellationError()))
  }

  /// Advances all exchanges as far as possible without blocking. Returns the failure if libcurl cannot continue.
  private func advance() -> FutureImage.Failure? {
    var count: Int32 = 0
    if let failure = Self.failure(curl_multi_perform(multi, &count)) { return failure }
    for transfer in running.values {
      transfer.roundEnded()
      if transfer.decision != nil { watchDeadline(of: transfer) }
    }
    var code = CURLE_OK
    while let easy = ccurl_multi_next_done(multi, &code) {
      guard let transfer = running[easy] else { continue }
      if transfer.isDecoding {
        transfer.endCode = code
      } else if code != CURLE_OK, transfer.mayBegin, Descriptors.areExhausted {
        postpone(transfer)
      } else if transfer.beginAnew(code) || transfer.fallBack(code) {
        curl_multi_remove_handle(multi, easy)
        add(transfer)
      } else {
        finish(transfer, transfer.result(code))
      }
    }
    decode()
    resumePostponed()
    endOverdue()
    return nil
  }

  /// Makes an exchange wait for descriptors, until its deadline at the latest.
  private func postpone(_ transfer: CurlTransfer) {
    curl_multi_remove_handle(multi, transfer.easy)
    transfer.isPostponed = true
    nextAttempt = engine.clock.now.advanced(by: Self.attemptInterval)
    watchDeadline(of: transfer)
    // These limits free descriptors. With them, an exchange that ends closes its connection, and an exchange that starts closes an idle
    // connection.
    let inUse = max(1, running.values.count { !$0.isPostponed })
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, inUse)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, inUse)
  }

  /// The time after which exchanges that found no descriptor try again.
  private static let attemptInterval = Duration.milliseconds(100)

  /// Resumes all postponed exchanges when there are enough descriptors. Until then, one postponed exchange resumes whenever another
  /// exchange ends. The resumed exchange can use the connection of the ended exchange. Without this rule, a postponed exchange might wait
  /// until its deadline, because the program may never have enough descriptors.
  private func resumePostponed() {
    guard let instant = nextAttempt else { return }
    let postponed = running.values.filter(\.isPostponed)
    let isDue = instant <= engine.clock.now
    if postponed.isEmpty || (isDue && !Descriptors.areExhausted) {
      nextAttempt = nil
      _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maxConnections)
      _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, maxConnections)
      // If an exchange waits for a connection, libcurl reconsiders it when another exchange ends, but not when the limit is raised.
      for transfer in running.values where !transfer.isPostponed && !transfer.isConnected {
        curl_multi_remove_handle(multi, transfer.easy)
        add(transfer)
      }
      for transfer in postponed { resume(transfer) }
    } else {
      if isDue { nextAttempt = engine.clock.now.advanced(by: Self.attemptInterval) }
      if hasFreedConnection, let next = postponed.min(by: { $0.deadline < $1.deadline }) { resume(next) }
    }
    hasFreedConnection = false
  }

  private func resume(_ transfer: CurlTransfer) {
    transfer.resume()
    add(transfer)
  }

  /// Adds the exchange to libcurl's handle again, so that it starts again.
  private func add(_ transfer: CurlTransfer) {
    guard curl_multi_add_handle(multi, transfer.easy) != CURLM_OK else { return }
    finish(transfer, .failure(FutureImage.Failure(.transport(.other("libcurl did not accept the request; try again later")))))
  }

  /// Decodes a piece of each exchange in turn, and stops before other exchanges wait too long.
  private func decode() {
    var decoding = running.values.filter(\.isDecoding)
    guard !decoding.isEmpty else { return }
    let end = ContinuousClock.now + Self.quantum
    repeat {
      decoding = decoding.filter { transfer in
        let result = transfer.decodePiece()
        if let result { finish(transfer, result) }
        return result == nil && transfer.isDecoding
      }
    } while !decoding.isEmpty && ContinuousClock.now < end
  }

  /// The time for decoding in one round. The thread does not serve other exchanges during this time.
  private static let quantum = Duration.milliseconds(4)

  private func endOverdue() {
    guard !running.isEmpty else {
      nextDeadline = nil
      return
    }
    // The clock is read after the bytes have arrived, so that an exchange is not overdue only because this thread was delayed.
    let now = engine.clock.now
    guard let due = nextDeadline, due <= now else { return }
    for transfer in running.values where transfer.deadline <= now { finish(transfer, .failure(transfer.overdue(now))) }
    nextDeadline = running.values.lazy.map(\.deadline).min()
  }

  private func sleep() -> FutureImage.Failure? {
    guard !running.values.contains(where: \.isDecoding), engine.mayWait(room: room) else { return nil }
    // libcurl shortens the timeout if one of its own timers fires earlier. A thread that cannot be woken looks for work every 10 ms.
    let next = [nextDeadline, nextAttempt].compactMap(\.self).min()
    let timeout = min(next.map { milliseconds(until: $0) } ?? Int32.max, canBeWoken ? Int32.max : 10)
    return Self.failure(curl_multi_poll(multi, nil, 0, timeout, nil))
  }

  private func finish(_ transfer: CurlTransfer, _ result: Result<Void, any Error>) {
    if running.removeValue(forKey: transfer.easy) != nil { engine.clock.endWatching() }
    if !transfer.isPostponed { hasFreedConnection = true }
    if case .failure = result { transfer.abandon() }
    curl_multi_remove_handle(multi, transfer.easy)
    let decision = transfer.decision
    let exchange = transfer.reset()
    // A handle retains traces of a fault, such as its errno, so it is reused only after a success.
    if case .success = result, !transfer.wasHTTP2 { idle.append(transfer) }
    if let exchange { engine.finish(exchange, decision.map { .failure($0) } ?? result) }
  }

  /// Returns the milliseconds until the instant, rounded up, because waking early would make the thread spin.
  private func milliseconds(until instant: RunningClock.Instant) -> Int32 {
    let (seconds, attoseconds) = engine.clock.now.duration(to: instant).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(clamping: min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  private static func failure(_ code: CURLMcode) -> FutureImage.Failure? {
    guard code != CURLM_OK else { return nil }
    let detail = String(cString: curl_multi_strerror(code)).clause
    return FutureImage.Failure(.transport(.other("libcurl cannot continue; try again later (\(detail))")))
  }
}
#endif
