#if canImport(CCurl) && !canImport(UIKit)
import CCurl

/// An easy handle and what its callbacks need: used for one exchange after the other, on the loop's thread only.
final class CurlTransfer {
  let easy: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>
  private var lines: UnsafeMutablePointer<curl_slist>?
  private var exchange: CurlExchange?
  private var receive: FutureImage.Receive?
  private var head = ResponseHead(limit: 0)
  /// Undoes the codings of the answer's content, if it has any.
  private var decoding: ContentDecoding?
  /// The answer has ended with this code, and its content is still to be decoded.
  var endCode: CURLcode?
  private var isPaused = false
  /// The exchange waits for a descriptor, and libcurl does not have it.
  var isPostponed = false
  /// Why a callback stopped the exchange.
  private var thrown: (any Error)?
  /// The error that the status decided. The transfer still reads the rest of a small body, so that the caller's next request finds the
  /// connection free.
  private(set) var decision: (any Error)?
  /// The bytes of that rest so far.
  private var drained = 0
  /// The most bytes of the rest that are read.
  private static let drainLimit = 64 << 10
  /// The longest time that reading the rest may take.
  private static let drainTime = Duration.seconds(1)
  /// Whether the server is offered HTTP/2. Such a handle sometimes keeps its buffer, whose size then cannot be set again.
  private(set) var isHTTP2 = false
  /// Whether it was offered HTTP/2, which may have left traces.
  private(set) var wasHTTP2 = false
  /// How often the request was sent by HTTP/2: libcurl itself repeats it where a connection in use breaks.
  private var sendings = 0
  private let sockets: CurlSockets
  /// The socket of the connection that the exchange uses.
  private var socket: Int32?
  /// Whether the request went by a kept connection of HTTP/1.
  private var isKeptHTTP1 = false
  /// Whether the bytes on the connection answer nothing: the server sent them before it read the request.
  private var isUnasked = false
  /// Whether the request was sent once more by a new connection.
  private var hasBegunAnew = false
  private let clock: RunningClock
  private var end: RunningClock.Instant
  private var lastByte: RunningClock.Instant
  /// Whether ``lastByte`` is the time of the lines that come in this round of libcurl's: a head has many.
  private var isLineTimed = false

  /// Nil if libcurl gives no handle, or not with these options.
  init?(_ configuration: FutureImage.CurlFetcher.Configuration, _ clock: RunningClock, _ sockets: CurlSockets) {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    self.sockets = sockets
    self.clock = clock
    end = clock.now
    lastByte = end
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    guard setOptions(configuration) else { return nil }
  }

  deinit {
    // First, since it may write to the message and read the lines.
    curl_easy_cleanup(easy)
    curl_slist_free_all(lines)
    message.deallocate()
  }

  /// Prepares the handle; false if libcurl refuses.
  func begin(_ exchange: CurlExchange, _ receive: @escaping FutureImage.Receive, _ configuration: FutureImage.CurlFetcher.Configuration)
    -> Bool
  {
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

  /// Makes the handle ready for another exchange. Not inside a callback.
  ///
  /// Its options stay: `curl_easy_reset` and setting them anew would cost a tenth of what libcurl does for a small picture.
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
    if hasBegunAnew { _ = ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 0) }
    hasBegunAnew = false
    defer { exchange = nil }
    exchange?.transfer = nil
    return exchange
  }

  /// Says that the exchange ends before its answer does. Without this libcurl keeps a connection of HTTP/2 on which nothing else runs,
  /// and some of its versions (7.88 among them) do not tell the server, which goes on sending.
  func abandon() {
    _ = ccurl_set_long(easy, CURLOPT_FORBID_REUSE, 1)
  }

  /// When the exchange has taken too long, unless more bytes come.
  var deadline: RunningClock.Instant {
    guard let exchange, !isPostponed else { return end }
    return min(end, lastByte.advanced(by: exchange.request.stallTimeout))
  }

  /// libcurl's own limit for connecting ends at about the same time; both say the same.
  func overdue(_ now: RunningClock.Instant) -> FutureImage.Failure {
    var connected: curl_off_t = 0
    let isConnected = ccurl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &connected) == CURLE_OK && connected > 0
    if isPostponed || (!isConnected && Descriptors.areExhausted) {
      return FutureImage.Failure(.transport(.other("the program has no file descriptor left; raise the limit, or close some")))
    }
    return FutureImage.Failure(.transport(now < end && isConnected ? .stalled : .timedOut))
  }

  /// Whether nothing has come yet, nor was anything thrown: the exchange may begin anew.
  var mayBegin: Bool { thrown == nil && !head.hasBegun }

  /// Goes on after a wait for a descriptor.
  func resume() {
    isPostponed = false
    isUnasked = false
    message.pointee = 0
    lastByte = clock.now
  }

  /// Prepares the exchange for a new connection, once, if a kept connection was useless: the server had just ended it, or unasked bytes
  /// waited there. False if the fault is another one; a connection of HTTP/2 that breaks is ``fallBack(_:)``'s.
  ///
  /// libcurl retries where a kept connection ends without a byte, too, but by another kept one, which may be as old, and not after every
  /// fault: sending that fails in the middle of an exchange is final.
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

  /// Prepares the exchange for a connection of its own where one of HTTP/2 broke before the head came; false if that is not the case.
  ///
  /// A head that is larger than libcurl or nghttp2 can take breaks the connection and all that runs on it, and nothing says whose it was.
  /// By HTTP/1.1 it harms nobody else, and says what it is.
  func fallBack(_ code: CURLcode) -> Bool {
    let codes = [
      CURLE_HTTP2, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_OUT_OF_MEMORY, CURLE_ABORTED_BY_CALLBACK,
      CURLcode(rawValue: 100)
    ]
    guard isHTTP2, thrown == nil, !head.isComplete, let exchange, codes.contains(code), setHTTP2(false) else { return false }
    head = ResponseHead(limit: exchange.request.maxHeaderBytes)
    message.pointee = 0
    return true
  }

  /// What libcurl's result code means for the exchange.
  func result(_ code: CURLcode) -> Result<Void, any Error> {
    if let thrown { return .failure(thrown) }
    if code == CURLE_OK, head.isComplete {
      return decoding?.isComplete ?? true ? .success(()) : .failure(FutureImage.Failure(.transport(.truncated)))
    }
    var systemError = 0
    _ = ccurl_get_long(easy, CURLINFO_OS_ERRNO, &systemError)
    let text = message.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: message)
    let fault = FutureImage.CurlFetcher.Fault(code: Int(code.rawValue), systemError: Int32(truncatingIfNeeded: systemError), message: text)
    return .failure(fault.failure(inHead: !head.isComplete, headerLimit: exchange?.request.maxHeaderBytes ?? 0))
  }

  /// Sets what is the same for every exchange.
  private func setOptions(_ configuration: FutureImage.CurlFetcher.Configuration) -> Bool {
    // Valid as long as libcurl uses it: this object owns the easy handle, and the callbacks run only while the loop holds the object.
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_abandon_lookups(easy)
    var codes = [
      ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, message),
      ccurl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, curlBodyCallback),
      ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context),
      ccurl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, curlHeaderCallback),
      ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context),
      // Called once a round at least: a place for the thread to stop.
      ccurl_set_progress_callback(easy, curlProgressCallback), ccurl_set_long(easy, CURLOPT_NOPROGRESS, 0),
      ccurl_set_request_callback(easy, curlRequestCallback, context),
      // Valid as long as a connection is open: the loop owns the object, and closes its connections first.
      ccurl_set_opened_callback(easy, curlOpenedCallback, Unmanaged.passUnretained(sockets).toOpaque()),
      ccurl_set_close_callback(easy, curlCloseCallback, Unmanaged.passUnretained(sockets).toOpaque()),
      // What a proxy says to CONNECT is no part of the answer.
      ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
      ccurl_allow_only_http(easy),
      ccurl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      // Signals are the program's; the engine's thread keeps SIGPIPE away by itself.
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

  /// Sets all that another exchange may have set otherwise.
  private func setOptions(_ request: FutureImage.Request, _ configuration: FutureImage.CurlFetcher.Configuration) -> Bool {
    // Only where the server says during the handshake whether it speaks it. Otherwise exchanges would wait for the first one's answer to
    // know whether they may share its connection.
    let mayBeHTTP2 = configuration.version == .http2 && request.url.scheme?.lowercased() == "https"
    // libcurl 7.88 takes a head that is longer than its buffer for none at all, if it comes while another exchange on the connection is
    // read. nghttp2 allows heads of 64 KB.
    if mayBeHTTP2, ccurl_set_long(easy, CURLOPT_BUFFERSIZE, 80 << 10) != CURLE_OK { return false }
    return ccurl_set_string(easy, CURLOPT_URL, request.url.absoluteString) == CURLE_OK
      && ccurl_set_list(easy, CURLOPT_HTTPHEADER, lines) == CURLE_OK
      && setHTTP2(mayBeHTTP2)
      // The loop watches the time. libcurl needs it only to divide it among several addresses of a host.
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

  /// A server that ends its connections now and then may meet an exchange more than once. Where they break further, the exchange gets one of
  /// its own: see ``fallBack(_:)``.
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

// What the callbacks call.
extension CurlTransfer {
  /// All bytes of this round have come.
  func roundEnded() { isLineTimed = false }

  fileprivate func addLine(_ line: UnsafeRawBufferPointer) -> Reply {
    if !isLineTimed { lastByte = clock.now }
    isLineTimed = true
    return pass {
      guard let response = try head.add(line) else { return }
      if let socket, isHTTP1Response { sockets.noteHTTP1(socket) }
      // The server ended an idle connection, and its response crossed the request: RFC 9110, section 15.5.9.
      if response.status == 408, response.headers["connection"]?.lowercased() == "close", !hasBegunAnew, isKeptHTTP1 {
        isUnasked = true
        return
      }
      do {
        // First: where the status says enough, the coding does not matter.
        try receive?(.response(response))
      } catch let error as Body.StatusSuffices where response.expectedBytes ?? 0 <= Self.drainLimit {
        return drain(error)
      }
      // Where no body comes, there is no coding to be completed.
      if response.expectedBytes != 0 { decoding = try ContentDecoding(response.headers["content-encoding"]) }
    }
  }

  /// Bytes that have to be decoded wait for ``decodePiece()``: what comes of them takes any time.
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

  /// Decodes the next piece of the content. Not inside a callback.
  /// - Returns: how the exchange ends, if it does.
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
      // Brings what was held back at once.
      let code = curl_easy_pause(easy, CURLPAUSE_CONT)
      if code != CURLE_OK { return result(code) }
    }
    guard decoding.isIdle, let endCode else { return nil }
    return result(endCode)
  }
}

/// What libcurl is to do after a callback.
private enum Reply {
  case goOn, pause, end
}

private let curlHeaderCallback: ccurl_data_callback = { deliver($0, $1 * $2, $3, to: { $0.addLine($1) }) }
private let curlBodyCallback: ccurl_data_callback = { deliver($0, $1 * $2, $3, to: { $0.addBody($1) }) }

// The context is the transfer that owns the calling handle.
private let curlRequestCallback: ccurl_request_callback = { context, address, ownAddress, port, ownPort in
  guard let context, let address, let ownAddress else { return 0 }
  // Texts of libcurl's, which end with a zero byte and hold for the call.
  let ends = CurlSockets.Ends(
    address: String(cString: address), port: port, ownAddress: String(cString: ownAddress), ownPort: ownPort)
  return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().maySend(between: ends) ? 0 : 1
}

private let curlOpenedCallback: ccurl_socket_callback = { context, socket, _ in
  // The context is the loop's, which runs.
  if let context { Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().opened(socket) }
  return 0
}

private let curlCloseCallback: ccurl_close_callback = { context, socket in
  // The context is the loop's, which lives until its multi handle has closed all connections.
  if let context { Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().closed(socket) }
  return close(socket)
}

private let curlProgressCallback: ccurl_progress_callback = { _, _, _, _, _ in
  ProgramEnd.stopIfNear()
  return 0
}

/// Any count but the one given, or the one that pauses, makes libcurl end the exchange.
private func deliver(
  _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
  to body: (CurlTransfer, UnsafeRawBufferPointer) -> Reply
) -> Int {
  guard let context else { return 0 }
  // The context is the transfer that owns the calling handle, and the bytes are read before libcurl gets them back.
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
  /// At least 1, since libcurl takes 0 as its default.
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(min(max(seconds, 0), 1_000_000)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
#endif
