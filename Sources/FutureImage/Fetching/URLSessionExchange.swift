#if canImport(CoreGraphics) || canImport(FoundationNetworking)
#if !canImport(CoreGraphics)
import FoundationNetworking
#endif

/// One exchange of a ``FutureImage/URLSessionFetcher``: a request, and the response to it.
///
/// Sendable because mutable state is accessed only on the delegate's serial queue, except for `lastByte`, which has its own lock.
final class URLSessionExchange: @unchecked Sendable {
  let id: Int
  private let request: FutureImage.Request
  private let task: URLSessionDataTask
  private let clock: RunningClock
  private let timeLimit: RunningClock.Instant
  private let lastByte: Lock<RunningClock.Instant>
  private var receive: FutureImage.Receive?
  private var continuation: CheckedContinuation<Void, any Error>?
  private var hasEnded = false
  private var response: FutureImage.Response?
  private var received = 0

  init(_ request: FutureImage.Request, task: URLSessionDataTask, clock: RunningClock, receive: @escaping FutureImage.Receive) {
    id = task.taskIdentifier
    self.request = request
    self.task = task
    self.clock = clock
    self.receive = receive
    let now = clock.now
    timeLimit = now.advanced(by: request.timeout)
    lastByte = Lock(now)
  }

  /// The time at which the exchange is overdue, unless more bytes arrive. Any thread may read it.
  var deadline: RunningClock.Instant { min(timeLimit, lastByte.withLock { $0 }.advanced(by: request.stallTimeout)) }

  /// Sets the task's priority. According to Apple's page on `URLSessionTask.priority`, any thread may set it at any time, and its effect
  /// depends on the network protocol.
  func setPriority(_ priority: TaskPriority) { task.priority = priority.forURLSession }

  func start(_ continuation: CheckedContinuation<Void, any Error>) {
    // The exchange was canceled before it started.
    guard !hasEnded else { return continuation.resume(throwing: CancellationError()) }
    self.continuation = continuation
    task.resume()
  }

  func begin(_ response: URLResponse) {
    pass {
      guard let response = response as? HTTPURLResponse else { throw FutureImage.Failure(.malformed("it is not HTTP")) }
      let head = try FutureImage.Response(response)
      self.response = head
      try receive?(.response(head))
    }
  }

  func add(_ data: Data) {
    received += data.count
    pass { try receive?(.bytes(data)) }
  }

  func complete(_ error: (any Error)?) {
    if let error { return end(.failure(Self.failure(error))) }
    guard let response else { return end(.failure(FutureImage.Failure(.malformed("it has no status line")))) }
    if let expected = response.expectedBytes, received < expected {
      return end(.failure(FutureImage.Failure(.transport(.truncated))))
    }
    end(.success(()))
  }

  func expire() {
    end(.failure(FutureImage.Failure(.transport(timeLimit <= clock.now ? .timedOut : .stalled))))
  }

  func end(_ result: Result<Void, any Error>) {
    guard !hasEnded else { return }
    hasEnded = true
    task.cancel()
    // The session may continue to deliver data for a while after the cancellation.
    receive = nil
    continuation?.resume(with: result)
    continuation = nil
  }

  /// Passes an event to the caller, and ends the exchange if the caller throws an error.
  private func pass(_ body: () throws -> Void) {
    let now = clock.now
    lastByte.withLock { $0 = now }
    do {
      try body()
    } catch {
      end(.failure(error))
    }
  }

  private static func failure(_ error: any Error) -> any Error {
    guard let error = error as? URLError else {
      return FutureImage.Failure(.transport(.other("URLSession failed; try again later (\(error.words))")), underlying: error)
    }
    if error.isOfAvoidedNetwork { return FutureImage.Failure(.transport(.avoidedNetwork), underlying: error) }
    if error.isTLSDisagreement { return FutureImage.Failure(.transport(.untrusted), underlying: error) }
    let code = error.code
    return code == .cancelled ? CancellationError() : FutureImage.Failure(reason(code), underlying: error)
  }

  private static func reason(_ code: URLError.Code) -> FutureImage.Failure.Reason {
    switch code {
    case .badURL, .unsupportedURL: .refused("its URL is malformed; check it")
    case .appTransportSecurityRequiresSecureConnection:
      .refused("the app allows https only; use an https URL, or change NSAppTransportSecurity in Info.plist")
    case .cannotFindHost, .dnsLookupFailed: .transport(.hostNotFound)
    case .cannotConnectToHost: .transport(.connectionRefused)
    case .networkConnectionLost: .transport(.connectionLost)
    case .timedOut: .transport(.timedOut)
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: .transport(.offline)
    case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
      .clientCertificateRejected, .clientCertificateRequired:
      .transport(.untrusted)
    case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData, .zeroByteResource:
      .malformed("it is not proper HTTP (URLError \(code.rawValue))")
    default: .transport(.other("the transfer failed; try again later (URLError \(code.rawValue))"))
    }
  }
}

extension FutureImage.Response {
  /// - Throws: ``FutureImage/Failure`` if the header fields exceed ``maxHeaderBytes`` or state different lengths of the body. Each field
  ///   counts as "name: value" and a line break.
  fileprivate init(_ response: HTTPURLResponse) throws {
    var size = 0
    var headers: [String: String] = [:]
    for (key, value) in response.allHeaderFields {
      let (name, text) = ("\(key)", "\(value)")
      size += name.utf8.count + text.utf8.count + 4
      headers[name.lowercased()] = text
    }
    guard size <= Self.maxHeaderBytes else { throw FutureImage.Failure(.tooLongHead()) }
    try Self.requireOneLength(status: response.statusCode, headers: headers)
    self.init(status: response.statusCode, headers: headers)
  }
}
#endif
