#if canImport(CCurl) && !canImport(UIKit)
import CCurl

/// One of libcurl's easy handles, and the state of its callbacks. Used for one exchange after another, on the loop's thread only.
final class CurlTransfer {
  let easy: UnsafeMutableRawPointer
  let message: UnsafeMutablePointer<CChar>
  var lines: UnsafeMutablePointer<curl_slist>?
  private var exchange: CurlExchange?
  private var receive: FutureImage.Receive?
  private var head = ResponseHead(limit: 0)
  /// Decodes the content codings of the response, if any.
  private var decoding: ContentDecoding?
  /// libcurl's result code, if the response has ended, but its content is not completely decoded yet.
  var endCode: CURLcode?
  private var isPaused = false
  /// Whether the exchange waits for a descriptor, outside of libcurl's multi handle.
  var isPostponed = false
  /// The error with which a callback stopped the exchange.
  private var thrown: (any Error)?
  /// The error with which the exchange will end, because its status is sufficient and the caller needs no body. The transfer still reads
  /// the rest of a small body, so that the connection is free for the caller's next request.
  private(set) var decision: (any Error)?
  /// The number of bytes of the remaining body that have been read so far.
  private var drained = 0
  /// The maximum number of bytes of the remaining body to read.
  private static let drainLimit = 64 << 10
  /// The maximum time for reading the remaining body.
  private static let drainTime = Duration.seconds(1)
  /// Whether the server is offered HTTP/2.
  var isHTTP2 = false
  /// Whether the handle has ever offered HTTP/2. Such a handle is not reused, because it sometimes retains its buffer, whose size then
  /// cannot be set again.
  var wasHTTP2 = false
  /// The number of times the request was sent by HTTP/2. libcurl itself resends a request when the connection that it uses breaks.
  private var sendings = 0
  let sockets: CurlSockets
  /// The socket of the connection that the exchange uses.
  private var socket: Int32?
  /// Whether the request was sent on a reused HTTP/1 connection.
  private var isKeptHTTP1 = false
  /// Whether the bytes on the connection are unsolicited, because the server sent them before it read the request.
  private var isUnasked = false
  /// Whether the request was resent on a new connection.
  private var hasBegunAnew = false
  /// Whether the exchange got its own HTTP/2 connection, after another connection had broken.
  private var hasOwnHTTP2 = false
  /// The fault of the exchange's own HTTP/2 connection, if HTTP/1.1 was tried next.
  private var faultOfHTTP2: FutureImage.CurlFetcher.Fault?
  /// The file of certificates that the configuration names.
  private let authorities: URL?
  private let clock: RunningClock
  private var end: RunningClock.Instant
  private var lastByte: RunningClock.Instant
  /// Whether ``lastByte`` has been set for the header lines of this round of libcurl. The lines of a round share one time, because a head
  /// has many lines.
  private var isLineTimed = false

  /// Creates a handle; nil if libcurl returns no handle or rejects an option.
  init?(_ configuration: FutureImage.CurlFetcher.Configuration, clock: RunningClock, sockets: CurlSockets) {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    self.sockets = sockets
    authorities = configuration.certificateAuthorities
    self.clock = clock
    end = clock.now
    lastByte = end
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    guard setOptions(configuration) else { return nil }
  }

  deinit {
    // The cleanup comes first, since it may write to the message and read the lines.
    curl_easy_cleanup(easy)
    curl_slist_free_all(lines)
    message.deallocate()
  }

  /// Prepares the handle for an exchange. Returns false if libcurl rejects an option or a header line.
  func begin(
    _ exchange: CurlExchange, calling receive: @escaping FutureImage.Receive, with configuration: FutureImage.CurlFetcher.Configuration
  ) -> Bool {
    let request = exchange.request
    exchange.transfer = self
    self.exchange = exchange
    self.receive = receive
    head = ResponseHead()
    lastByte = clock.now
    end = lastByte.advanced(by: request.timeout)
    for line in exchange.lines {
      guard let longer = curl_slist_append(lines, line) else { return false }
      lines = longer
    }
    return setOptions(request, configuration)
  }

  /// Prepares the handle for another exchange. Must not be called inside a callback.
  ///
  /// The options stay set, because `curl_easy_reset` and setting the options again would cost a tenth of libcurl's work for a small image.
  @discardableResult
  func reset() -> CurlExchange? {
    _ = ccurl_set_list(easy, CURLOPT_HTTPHEADER, nil)
    curl_slist_free_all(lines)
    lines = nil
    message.pointee = 0
    receive = nil
    decoding = nil
    endCode = nil
    isPaused = false
    isPostponed = false
    sendings = 0
    thrown = nil
    decision = nil
    drained = 0
    socket = nil
    isKeptHTTP1 = false
    isUnasked = false
    isLineTimed = false
    if hasBegunAnew || hasOwnHTTP2 { _ = ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 0) }
    hasBegunAnew = false
    hasOwnHTTP2 = false
    faultOfHTTP2 = nil
    defer { exchange = nil }
    exchange?.transfer = nil
    return exchange
  }

  /// Marks the exchange as ended before the end of its response, so that its connection is not reused. Otherwise, libcurl leaves open an
  /// HTTP/2 connection that no other exchange uses. Some versions of libcurl (7.88 among them) then do not notify the server, which
  /// continues to send.
  func abandon() {
    _ = ccurl_set_long(easy, CURLOPT_FORBID_REUSE, 1)
  }

  /// The time at which the exchange is overdue, unless more bytes arrive.
  var deadline: RunningClock.Instant {
    guard let exchange, !isPostponed else { return end }
    return min(end, lastByte.advanced(by: exchange.request.stallTimeout))
  }

  /// Returns the failure of an overdue exchange. libcurl's own limit for connecting ends at about the same time, with the same failure.
  func overdue(_ now: RunningClock.Instant) -> FutureImage.Failure {
    if isPostponed || (!isConnected && Descriptors.areExhausted) {
      return FutureImage.Failure(.transport(.other("the program has no file descriptor left; raise the limit, or close some")))
    }
    return FutureImage.Failure(.transport(now < end && isConnected ? .stalled : .timedOut))
  }

  /// Whether the exchange has a connection, new or reused, that is ready for its request.
  var isConnected: Bool {
    var time: curl_off_t = 0
    return ccurl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &time) == CURLE_OK && time > 0
  }

  /// Whether the exchange may start again, because nothing has arrived yet and no callback threw an error.
  var mayBegin: Bool { thrown == nil && !head.hasBegun }

  /// Prepares an exchange that has waited for a descriptor to start again.
  func resume() {
    isPostponed = false
    isUnasked = false
    message.pointee = 0
    lastByte = clock.now
  }

  /// Prepares the exchange for a new connection, once, if a reused connection was unusable. Either the server had just closed it, or
  /// unsolicited bytes had arrived on it. Returns false for other faults. ``fallBack(_:)`` handles a broken HTTP/2 connection.
  ///
  /// libcurl itself retries when a reused connection ends without a byte. But its retry may use another idle connection, which the server
  /// may have closed, too. After some faults, such as a send that fails in the middle of an exchange, libcurl does not retry.
  func beginAnew(_ code: CURLcode) -> Bool {
    let codes = [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING]
    guard !hasBegunAnew, exchange != nil, thrown == nil, isUnasked || (isKeptHTTP1 && !head.hasBegun && codes.contains(code)),
      ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
    else { return false }
    hasBegunAnew = true
    isUnasked = false
    head = ResponseHead()
    message.pointee = 0
    return true
  }

  private var isOnKeptConnection: Bool {
    var count = 0
    return ccurl_get_long(easy, CURLINFO_NUM_CONNECTS, &count) == CURLE_OK && count == 0
  }

  /// Prepares the exchange for its own connection if an HTTP/2 connection broke before the head arrived. Otherwise returns false.
  ///
  /// The exchange's first own connection uses HTTP/2, too, because a server that ends connections after some requests handles the first
  /// request of each connection. The next connection uses HTTP/1.1. Over HTTP/2, a head that is too large for libcurl or nghttp2 breaks the
  /// connection and all exchanges on it, and nothing shows which exchange had that head. Over HTTP/1.1, the head affects no other exchange,
  /// and the fault is reported as a head that is too large.
  func fallBack(_ code: CURLcode) -> Bool {
    // libcurl's code is CURLE_ABORTED_BY_CALLBACK if ``maySend(between:)`` returned false. The number 100 is CURLE_TOO_LARGE, which older
    // headers lack.
    let codes = [
      CURLE_HTTP2, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_OUT_OF_MEMORY, CURLE_ABORTED_BY_CALLBACK,
      CURLcode(rawValue: 100)
    ]
    guard isHTTP2, thrown == nil, !head.isComplete, exchange != nil, codes.contains(code) else { return false }
    if hasOwnHTTP2 {
      faultOfHTTP2 = fault(code)
      guard setHTTP2(false) else { return false }
    } else {
      guard ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK else { return false }
      hasOwnHTTP2 = true
      sendings = 0
    }
    head = ResponseHead()
    message.pointee = 0
    return true
  }

  /// Returns the exchange's result for libcurl's result code.
  func result(_ code: CURLcode) -> Result<Void, any Error> {
    if let thrown { return .failure(thrown) }
    if code == CURLE_OK, head.isComplete {
      return decoding?.isComplete ?? true ? .success(()) : .failure(FutureImage.Failure(.transport(.truncated)))
    }
    // A server that supports only HTTP/2 does not respond over HTTP/1.1, so the fault of the HTTP/2 connection is the cause.
    let cause = head.hasBegun ? fault(code) : faultOfHTTP2 ?? fault(code)
    return .failure(cause.failure(inHead: !head.isComplete, authorities: authorities))
  }

  private func fault(_ code: CURLcode) -> FutureImage.CurlFetcher.Fault {
    var systemError = 0
    _ = ccurl_get_long(easy, CURLINFO_OS_ERRNO, &systemError)
    let text = message.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: message)
    return FutureImage.CurlFetcher.Fault(code: Int(code.rawValue), systemError: Int32(truncatingIfNeeded: systemError), message: text)
  }
}

extension CurlTransfer {
  /// Whether the request may be sent on the connection with these ends.
  ///
  /// A request is not sent on a reused HTTP/1 connection on which unsolicited bytes have arrived: see ``beginAnew(_:)``. A server that now
  /// and then closes connections can interrupt an exchange more than once. So the request may be sent up to four times on HTTP/2
  /// connections. After that, the exchange gets its own connection: see ``fallBack(_:)``.
  func maySend(between ends: CurlSockets.Ends) -> Bool {
    socket = sockets.socket(of: ends)
    isKeptHTTP1 = isOnKeptConnection && socket.map(sockets.isHTTP1) ?? false
    if let socket, !hasBegunAnew, isKeptHTTP1, sockets.hasUnaskedBytes(socket) {
      isUnasked = true
      return false
    }
    guard isHTTP2 else { return true }
    sendings += 1
    return sendings <= 4
  }
}

// Functions that the callbacks call.
extension CurlTransfer {
  /// Records that all bytes of this round have arrived.
  func roundEnded() { isLineTimed = false }

  func addLine(_ line: UnsafeRawBufferPointer) -> CallbackReply {
    if !isLineTimed { lastByte = clock.now }
    isLineTimed = true
    return pass {
      guard let response = try head.add(line) else { return }
      if let socket, isHTTP1Response { sockets.noteHTTP1(socket) }
      // The server closed an idle connection, and sent this response before it received the request: RFC 9110, section 15.5.9.
      if response.status == 408, response.headers["connection"]?.lowercased() == "close", !hasBegunAnew, isKeptHTTP1 {
        isUnasked = true
        return
      }
      do {
        // The response is delivered first, because the coding does not matter if the status is sufficient.
        try receive?(.response(response))
      } catch let error as BodyNotNeeded where response.expectedBytes ?? 0 <= Self.drainLimit {
        return drain(error)
      }
      // Without a body, there is no coding to complete.
      if response.expectedBytes != 0 { decoding = try ContentDecoding(response.headers["content-encoding"]) }
    }
  }

  /// Adds bytes of the body. Encoded bytes wait for ``decodePiece()``, because decoding them may take long.
  func addBody(_ bytes: UnsafeRawBufferPointer) -> CallbackReply {
    lastByte = clock.now
    if let decision {
      drained += bytes.count
      return drained <= Self.drainLimit ? .proceed : pass { throw decision }
    }
    guard let decoding else { return pass { try receive?(.bytes(Data(bytes))) } }
    isPaused = decoding.isFull
    if isPaused { return .pause }
    return pass { decoding.add(bytes) }
  }

  private func drain(_ error: any Error) {
    decision = error
    receive = nil
    end = min(end, clock.now.advanced(by: Self.drainTime))
  }

  private var isHTTP1Response: Bool {
    var version = 0
    return ccurl_get_long(easy, CURLINFO_HTTP_VERSION, &version) == CURLE_OK
      && (version == Int(CURL_HTTP_VERSION_1_0) || version == Int(CURL_HTTP_VERSION_1_1))
  }

  /// Runs the body of a callback. If it throws, records the error and makes libcurl end the exchange.
  private func pass(_ body: () throws -> Void) -> CallbackReply {
    do {
      try body()
      return isUnasked ? .end : .proceed
    } catch {
      thrown = error
      abandon()
      return .end
    }
  }
}

extension CurlTransfer {
  /// Whether content waits to be decoded.
  var isDecoding: Bool { decoding.map { !$0.isIdle } ?? false }

  /// Decodes the next piece of the content. Must not be called inside a callback.
  /// - Returns: the result of the exchange, if it ends.
  func decodePiece() -> Result<Void, any Error>? {
    guard let decoding else { return nil }
    lastByte = clock.now
    do {
      try decoding.step { try receive?(.bytes(Data($0))) }
    } catch {
      return .failure(error)
    }
    guard decoding.isIdle else { return nil }
    if isPaused {
      isPaused = false
      // This call delivers the bytes that libcurl retained during the pause.
      let code = curl_easy_pause(easy, CURLPAUSE_CONT)
      if code != CURLE_OK { return result(code) }
    }
    guard decoding.isIdle, let endCode else { return nil }
    return result(endCode)
  }
}
#endif
