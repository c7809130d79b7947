#if canImport(CoreGraphics) || canImport(FoundationNetworking)
#if !canImport(CoreGraphics)
import FoundationNetworking
#endif

/// The delegate of a ``FutureImage/URLSessionFetcher``, which passes each callback of the session to the exchange concerned.
///
/// All callbacks run on one serial queue. So `receive` is not called after a fetch has ended, and an exchange needs a lock only for its
/// deadline, which other threads read.
final class URLSessionExchanges: NSObject, Sendable {
  let queue: OperationQueue
  /// The clock for all deadlines.
  let clock: RunningClock
  private let running = Lock([Int: URLSessionExchange]())

  init(_ clock: RunningClock) {
    self.clock = clock
    queue = OperationQueue()
    queue.name = "FutureImage.URLSession"
    queue.maxConcurrentOperationCount = 1
  }

  func run(_ exchange: URLSessionExchange) async throws {
    running.withLock { $0[exchange.id] = exchange }
    defer { running.withLock { $0[exchange.id] = nil } }
    clock.beginWatching()
    defer { clock.endWatching() }
    let watch = Task { await self.watch(exchange) }
    defer { watch.cancel() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in queue.addOperation { exchange.start(continuation) } }
    } onCancel: {
      queue.addOperation { exchange.end(.failure(CancellationError())) }
    }
  }

  /// Ends the exchange when it is overdue. URLSession's own limits do not suffice, because they are whole seconds at best, are not enforced
  /// everywhere, and include the time during which the process is suspended.
  private func watch(_ exchange: URLSessionExchange) async {
    while exchange.deadline > clock.now {
      guard (try? await clock.sleep(until: exchange.deadline)) != nil else { return }
    }
    queue.addOperation { exchange.expire() }
  }

  private func exchange(_ task: URLSessionTask) -> URLSessionExchange? {
    running.withLock { $0[task.taskIdentifier] }
  }
}

extension URLSessionExchanges: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(dataTask)?.begin(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(dataTask)?.add(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    exchange(task)?.complete(error)
  }
}
#endif
