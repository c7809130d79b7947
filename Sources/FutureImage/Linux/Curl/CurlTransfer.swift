#if canImport(CCurl) && !canImport(UIKit)
import CCurl

/// An easy handle and the state of its callbacks. Used for one exchange after another, on the loop's thread only.
final class CurlTransfer {
  let easy: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>
  private var lines: UnsafeMutablePointer<curl_slist>?
  private var exchange: CurlExchange?
  private var receive: FutureImage.Receive?
  private var head = ResponseHead(limit: 0)
  /// Decodes the content codings of the response, if any.
  private var decoding: ContentDecoding?
  /// The code with which the response ended while its content is still to be decoded.
  var endCode: CURLcode?
  private var isPaused = false
  /// Whether the exchange waits for a descriptor, outside of libcurl's multi handle.
  var isPostponed = false
  /// The error with which a callback stopped the exchange.
  private var thrown: (any Error)?
  /// The error that the status determined. The transfer still reads the rest of a small body, so that the connection is free for the
  /// caller's next request.
  private(set) var decision: (any Error)?
  /// The number of remaining bytes read so far.
  private var drained = 0
  /// The maximum number of remaining bytes to read.
  private static let drainLimit = 64 << 10
  /// The maximum time for reading the remaining bytes.
  private static let drainTime = Duration.seconds(1)
  /// Whether the server is offered HTTP/2. Such a handle sometimes retains its buffer, whose size then cannot be set again.
  private(set) var isHTTP2 = false
  /// Whether the handle has ever offered HTTP/2, which may have left traces.
  private(set) var wasHTTP2 = false
  /// The number of times the request was sent by HTTP/2. libcurl itself resends it when a connection in use breaks.
  private var sendings = 0
  private let sockets: CurlSockets
  /// The socket of the connection that the exchange uses.
  private var socket: Int32?
  /// Whether the request was sent on a kept HTTP/1 connection.
  private var isKeptHTTP1 = false
  /// Whether the bytes on the connection are unsolicited: the server sent them before it read the request.
  private var isUnasked = false
  /// Whether the request was resent on a new connection.
  private var hasBegunAnew = false
  /// Whether the exchange got an HTTP/2 connection of its own, after others had broken.
  private var hasOwnHTTP2 = false
  /// The fault of that connection, if HTTP/1.1 was tried next.
  private var faultOfHTTP2: FutureImage.CurlFetcher.Fault?
  /// The file of certificates that the app named.
  private let authorities: URL?
  private let clock: RunningClock
  private var end: RunningClock.Instant
  private var lastByte: RunningClock.Instant
  /// Whether ``lastByte`` is already set for the lines of this libcurl round: a head has many lines.
  private var isLineTimed = false

  /// Creates a handle; nil if libcurl returns none or rejects these options.
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

  /// Prepares the handle; returns false if libcurl refuses.
  func begin(
    _ exchange: CurlExchange, calling receive: @escaping FutureImage.Receive, with configuration: FutureImage.CurlFetcher.Configuration
  ) -> Bool {
    let request = exchange.request
    exchange.transfer = self
    self.exchange = exchange
    self.receive = receive
    head = ResponseHead(limit: request.maxHeaderBytes)
    lastByte = clock.now
    end = lastByte.advanced(by: request.timeout)
    for line in exchange.lines {
      guard let longer = curl_slist_append(lines, line) else { return false }
      lines = longer
    }
    return setOptions(request, configuration)
  }

  /// Readies the handle for another exchange. Must not be called inside a callback.
  ///
  /// The options stay set: `curl_easy_reset` and setting them again would cost a tenth of libcurl's work for a small image.
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

  /// Marks the exchange as ending before its response does. Otherwise libcurl keeps an HTTP/2 connection on which nothing else runs, and
  /// some of its versions (7.88 among them) do not notify the server, which continues to send.
  func abandon() {
    _ = ccurl_set_long(easy, CURLOPT_FORBID_REUSE, 1)
  }

  /// The time at which the exchange is overdue, unless more bytes arrive.
  var deadline: RunningClock.Instant {
    guard let exchange, !isPostponed else { return end }
    return min(end, lastByte.advanced(by: exchange.request.stallTimeout))
  }

  /// The failure of an overdue exchange. libcurl's own connect limit ends at about the same time with the same failure.
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

  /// Whether the exchange may start again: nothing has arrived yet and nothing was thrown.
  var mayBegin: Bool { thrown == nil && !head.hasBegun }

  /// Resumes after a wait for a descriptor.
  func resume() {
    isPostponed = false
    isUnasked = false
    message.pointee = 0
    lastByte = clock.now
  }

  /// Prepares the exchange for a new connection, once, if a kept connection was unusable: the server had just closed it, or unsolicited
  /// bytes waited on it. Returns false for other faults; ``fallBack(_:)`` handles an HTTP/2 connection that breaks.
  ///
  /// libcurl also retries when a kept connection ends without a byte, but on another kept connection, which may be as old. It does not
  /// retry after every fault: a send that fails in the middle of an exchange is final.
  func beginAnew(_ code: CURLcode) -> Bool {
    let codes = [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING]
    guard !hasBegunAnew, let exchange, thrown == nil, isUnasked || (isKeptHTTP1 && !head.hasBegun && codes.contains(code)),
      ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
    else { return false }
    hasBegunAnew = true
    isUnasked = false
    head = ResponseHead(limit: exchange.request.maxHeaderBytes)
    message.pointee = 0
    return true
  }

  private var isOnKeptConnection: Bool {
    var count = 0
    return ccurl_get_long(easy, CURLINFO_NUM_CONNECTS, &count) == CURLE_OK && count == 0
  }

  /// Prepares the exchange for its own connection if an HTTP/2 connection broke before the head arrived; otherwise returns false.
  ///
  /// The first own connection is HTTP/2, too: a server that ends connections after some requests handles the first one of each. The next is
  /// HTTP/1.1: a head that is too large for libcurl or nghttp2 breaks the connection and all exchanges on it, and nothing shows whose head
  /// it was. Over HTTP/1.1 it affects no other exchange, and the fault is reported as what it is.
  func fallBack(_ code: CURLcode) -> Bool {
    let codes = [
      CURLE_HTTP2, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_OUT_OF_MEMORY, CURLE_ABORTED_BY_CALLBACK,
      CURLcode(rawValue: 100)
    ]
    guard isHTTP2, thrown == nil, !head.isComplete, let exchange, codes.contains(code) else { return false }
    if hasOwnHTTP2 {
      faultOfHTTP2 = fault(code)
      guard setHTTP2(false) else { return false }
    } else {
      guard ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK else { return false }
      hasOwnHTTP2 = true
      sendings = 0
    }
    head = ResponseHead(limit: exchange.request.maxHeaderBytes)
    message.pointee = 0
    return true
  }

  /// Returns the exchange's result for libcurl's result code.
  func result(_ code: CURLcode) -> Result<Void, any Error> {
    if let thrown { return .failure(thrown) }
    if code == CURLE_OK, head.isComplete {
      return decoding?.isComplete ?? true ? .success(()) : .failure(FutureImage.Failure(.transport(.truncated)))
    }
    // A server that speaks only HTTP/2 does not answer over HTTP/1.1.
    let cause = head.hasBegun ? fault(code) : faultOfHTTP2 ?? fault(code)
    return .failure(
      cause.failure(inHead: !head.isComplete, headerLimit: exchange?.request.maxHeaderBytes ?? 0, authorities: authorities))
  }

  private func fault(_ code: CURLcode) -> FutureImage.CurlFetcher.Fault {
    var systemError = 0
    _ = ccurl_get_long(easy, CURLINFO_OS_ERRNO, &systemError)
    let text = message.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: message)
    return FutureImage.CurlFetcher.Fault(code: Int(code.rawValue), systemError: Int32(truncatingIfNeeded: systemError), message: text)
  }

  /// Sets the options that are the same for every exchange.
  private func setOptions(_ configuration: FutureImage.CurlFetcher.Configuration) -> Bool {
    // Valid as long as libcurl uses it: this object owns the easy handle, and the callbacks run only while the loop retains the object.
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_abandon_lookups(easy)
    var codes = [
      ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, message),
      ccurl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, curlBodyCallback),
      ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context),
      ccurl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, curlHeaderCallback),
      ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context),
      // Called at least once per round: a point at which the thread can stop.
      ccurl_set_progress_callback(easy, curlProgressCallback), ccurl_set_long(easy, CURLOPT_NOPROGRESS, 0),
      ccurl_set_request_callback(easy, curlRequestCallback, context),
      // Valid as long as a connection is open: the loop owns the object, and closes its connections first.
      ccurl_set_opened_callback(easy, curlOpenedCallback, Unmanaged.passUnretained(sockets).toOpaque()),
      ccurl_set_close_callback(easy, curlCloseCallback, Unmanaged.passUnretained(sockets).toOpaque()),
      // A proxy's reply to CONNECT is not part of the response.
      ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
      ccurl_allow_only_http(easy),
      ccurl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      // Signals belong to the program; the engine's thread blocks SIGPIPE itself.
      ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
      ccurl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
    ]
    switch configuration.proxy {
    case .environment: break
    case .none: codes.append(ccurl_set_string(easy, CURLOPT_PROXY, ""))
    case .url(let url): codes.append(ccurl_set_string(easy, CURLOPT_PROXY, url.absoluteString))
    }
    if let file = configuration.certificateAuthorities {
      codes.append(ccurl_set_string(easy, CURLOPT_CAINFO, file.path(percentEncoded: false)))
      codes.append(ccurl_set_string(easy, CURLOPT_CAPATH, nil))
    }
    return codes.allSatisfy { $0 == CURLE_OK }
  }

  /// Sets the options that another exchange may have set differently.
  private func setOptions(_ request: FutureImage.Request, _ configuration: FutureImage.CurlFetcher.Configuration) -> Bool {
    // Only with https, where the handshake shows whether the server supports HTTP/2. Otherwise exchanges would wait for the first one's
    // response to know whether they can share its connection.
    let mayBeHTTP2 = configuration.version == .http2 && request.url.scheme?.lowercased() == "https"
    // libcurl 7.88 treats a head that is longer than its buffer as missing, if it arrives while another exchange on the connection is read.
    // nghttp2 allows heads of 64 KB.
    if mayBeHTTP2, ccurl_set_long(easy, CURLOPT_BUFFERSIZE, 80 << 10) != CURLE_OK { return false }
    return ccurl_set_string(easy, CURLOPT_URL, request.url.absoluteString) == CURLE_OK
      && ccurl_set_list(easy, CURLOPT_HTTPHEADER, lines) == CURLE_OK
      && setHTTP2(mayBeHTTP2)
      // The loop enforces the time limits. libcurl needs this one only to divide it among several addresses of a host.
      && ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, min(request.timeout, request.stallTimeout).wholeMilliseconds) == CURLE_OK
  }
}

extension CurlTransfer {
  private func setHTTP2(_ isHTTP2: Bool) -> Bool {
    self.isHTTP2 = isHTTP2
    wasHTTP2 = wasHTTP2 || isHTTP2
    return ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(isHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)) == CURLE_OK
      && ccurl_set_long(easy, CURLOPT_PIPEWAIT, isHTTP2 ? 1 : 0) == CURLE_OK
  }

  /// Whether the request may be sent. A server that now and then closes connections can hit an exchange more than once. If connections keep
  /// breaking, the exchange gets its own: see ``fallBack(_:)``.
  fileprivate func maySend(between ends: CurlSockets.Ends) -> Bool {
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
  /// Notes that all bytes of this round have arrived.
  func roundEnded() { isLineTimed = false }

  fileprivate func addLine(_ line: UnsafeRawBufferPointer) -> Reply {
    if !isLineTimed { lastByte = clock.now }
    isLineTimed = true
    return pass {
      guard let response = try head.add(line) else { return }
      if let socket, isHTTP1Response { sockets.noteHTTP1(socket) }
      // The server closed an idle connection, and its response crossed the request: RFC 9110, section 15.5.9.
      if response.status == 408, response.headers["connection"]?.lowercased() == "close", !hasBegunAnew, isKeptHTTP1 {
        isUnasked = true
        return
      }
      do {
        // The response comes first: if the status suffices, the coding does not matter.
        try receive?(.response(response))
      } catch let error as StatusSuffices where response.expectedBytes ?? 0 <= Self.drainLimit {
        return drain(error)
      }
      // Without a body, there is no coding to complete.
      if response.expectedBytes != 0 { decoding = try ContentDecoding(response.headers["content-encoding"]) }
    }
  }

  /// Adds bytes of the body. Encoded bytes wait for ``decodePiece()``: decoding them can take any time.
  fileprivate func addBody(_ bytes: UnsafeRawBufferPointer) -> Reply {
    lastByte = clock.now
    if let decision {
      drained += bytes.count
      return drained <= Self.drainLimit ? .goOn : pass { throw decision }
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

  private func pass(_ body: () throws -> Void) -> Reply {
    do {
      try body()
      return isUnasked ? .end : .goOn
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
      // Delivers the held-back bytes immediately.
      let code = curl_easy_pause(easy, CURLPAUSE_CONT)
      if code != CURLE_OK { return result(code) }
    }
    guard decoding.isIdle, let endCode else { return nil }
    return result(endCode)
  }
}

/// The instruction to libcurl after a callback.
private enum Reply {
  case goOn, pause, end
}

private let curlHeaderCallback: ccurl_data_callback = { deliver($0, $1 * $2, $3, to: { $0.addLine($1) }) }
private let curlBodyCallback: ccurl_data_callback = { deliver($0, $1 * $2, $3, to: { $0.addBody($1) }) }

// The context is the transfer that owns the calling handle.
private let curlRequestCallback: ccurl_request_callback = { context, address, ownAddress, port, ownPort in
  guard let context, let address, let ownAddress else { return 0 }
  // libcurl's strings end with a zero byte and are valid for the call.
  let ends = CurlSockets.Ends(
    address: String(cString: address), port: port, ownAddress: String(cString: ownAddress), ownPort: ownPort)
  return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().maySend(between: ends) ? 0 : 1
}

private let curlOpenedCallback: ccurl_socket_callback = { context, socket, _ in
  // The context belongs to the loop, which is running.
  if let context { Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().opened(socket) }
  return 0
}

private let curlCloseCallback: ccurl_close_callback = { context, socket in
  // The context belongs to the loop, which lives until its multi handle has closed all connections.
  if let context { Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().closed(socket) }
  return close(socket)
}

private let curlProgressCallback: ccurl_progress_callback = { _, _, _, _, _ in
  ProgramEnd.stopIfNear()
  return 0
}

/// Delivers bytes to a transfer. Any result except `count` or the pause code makes libcurl end the exchange.
private func deliver(
  _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
  to body: (CurlTransfer, UnsafeRawBufferPointer) -> Reply
) -> Int {
  guard let context else { return 0 }
  // The context is the transfer that owns the calling handle, and the bytes are read before control returns to libcurl.
  let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  let reply = body(transfer, UnsafeRawBufferPointer(start: bytes, count: count))
  ProgramEnd.stopIfNear()
  switch reply {
  case .goOn: return count
  case .pause: return Int(CURL_WRITEFUNC_PAUSE)
  case .end: return count == 0 ? 1 : 0
  }
}

extension Duration {
  /// The whole milliseconds, at least 1: libcurl takes 0 as its default.
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(min(max(seconds, 0), 1_000_000)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
#endif
