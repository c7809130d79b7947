#if canImport(CCurl) && !canImport(UIKit)
import CCurl

extension CurlTransfer {
  /// Sets the options that are the same for every exchange.
  func setOptions(_ configuration: FutureImage.CurlFetcher.Configuration) -> Bool {
    // The pointer is valid as long as libcurl uses it, because this object owns the easy handle, and the callbacks run only while the loop
    // retains the object.
    let context = Unmanaged.passUnretained(self).toOpaque()
    // The thread does not wait for the end of an abandoned name lookup.
    ccurl_abandon_lookups(easy)
    var codes = [
      ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, message),
      ccurl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, curlBodyCallback),
      ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context),
      ccurl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, curlHeaderCallback),
      ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context),
      // libcurl calls this callback at least once per round, so the thread can stop in it at the end of the program (`ProgramEnd`).
      ccurl_set_progress_callback(easy, curlProgressCallback), ccurl_set_long(easy, CURLOPT_NOPROGRESS, 0),
      ccurl_set_request_callback(easy, curlRequestCallback, context),
      // The pointer is valid as long as a connection is open, because the loop owns the object, and closes its connections first.
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
  func setOptions(_ request: FutureImage.Request, _ configuration: FutureImage.CurlFetcher.Configuration) -> Bool {
    // HTTP/2 is offered only with https, where the handshake shows whether the server supports it. With http, exchanges would wait for the
    // first response to find out whether they can share its connection.
    let mayBeHTTP2 = configuration.version == .http2 && ccurl_has_http2() && request.url.scheme?.lowercased() == "https"
    // If a head is longer than libcurl's buffer, and arrives while another exchange on the connection is read, libcurl 7.88 treats the head
    // as missing. nghttp2 allows heads of 64 KB, so the buffer is larger.
    if mayBeHTTP2, ccurl_set_long(easy, CURLOPT_BUFFERSIZE, 80 << 10) != CURLE_OK { return false }
    return ccurl_set_string(easy, CURLOPT_URL, request.url.absoluteString) == CURLE_OK
      && ccurl_set_list(easy, CURLOPT_HTTPHEADER, lines) == CURLE_OK
      && setHTTP2(mayBeHTTP2)
      // The loop enforces the time limits. libcurl needs this limit only to divide it among several addresses of a host.
      && ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, min(request.timeout, request.stallTimeout).wholeMilliseconds) == CURLE_OK
  }

  func setHTTP2(_ isHTTP2: Bool) -> Bool {
    self.isHTTP2 = isHTTP2
    wasHTTP2 = wasHTTP2 || isHTTP2
    return ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(isHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)) == CURLE_OK
      && ccurl_set_long(easy, CURLOPT_PIPEWAIT, isHTTP2 ? 1 : 0) == CURLE_OK
  }
}

/// The instruction to libcurl after a callback.
enum CallbackReply {
  case proceed, pause, end
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
  // The context belongs to the loop, which exists until its multi handle has closed all connections.
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
  to body: (CurlTransfer, UnsafeRawBufferPointer) -> CallbackReply
) -> Int {
  guard let context else { return 0 }
  // The context is the transfer that owns the calling handle, and the bytes are read before control returns to libcurl.
  let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  let reply = body(transfer, UnsafeRawBufferPointer(start: bytes, count: count))
  ProgramEnd.stopIfNear()
  switch reply {
  case .proceed: return count
  case .pause: return Int(CURL_WRITEFUNC_PAUSE)
  case .end: return count == 0 ? 1 : 0
  }
}

extension Duration {
  /// The whole milliseconds, at least 1, because 0 means libcurl's default.
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(min(max(seconds, 0), 1_000_000)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
#endif
