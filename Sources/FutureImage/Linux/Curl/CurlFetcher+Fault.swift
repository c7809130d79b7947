#if canImport(CCurl) && !canImport(UIKit)
import CCurl

extension FutureImage.CurlFetcher {
  /// libcurl's own description of a fault: the `underlying` error of a ``FutureImage/Failure``.
  struct Fault: Error, Hashable, CustomStringConvertible {
    /// A `CURLcode`.
    let code: Int
    /// The `errno` of the system call that failed; 0 if no system call failed.
    var systemError: Int32 = 0
    /// libcurl's message, in English.
    let message: String

    var description: String { message.isEmpty ? "libcurl error \(code)" : "libcurl error \(code): \(message.clause)" }
  }
}

/// The `NSError` of a fault has the `CURLcode` as its code.
extension FutureImage.CurlFetcher.Fault: CustomNSError {
  static var errorDomain: String { "FutureImage.CurlFetcher" }
  var errorCode: Int { code }
  var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension FutureImage.CurlFetcher.Fault {
  /// Returns the fault as a failure of the image.
  /// - Parameters:
  ///   - inHead: whether the fault occurred before the end of the header fields.
  ///   - authorities: the file of certificates that the configuration names.
  func failure(inHead: Bool, authorities: URL? = nil) -> FutureImage.Failure {
    FutureImage.Failure(reason(inHead: inHead, authorities: authorities), underlying: self)
  }

  private func reason(inHead: Bool, authorities: URL?) -> FutureImage.Failure.Reason {
    switch CURLcode(rawValue: UInt32(clamping: code)) {
    case CURLE_URL_MALFORMAT: .refused("its URL is malformed; check it")
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .transport(.hostNotFound)
    case _ where isTLSDisagreement: .transport(.untrusted)
    case _ where inHead && isFloodOfFields: .tooLongHead()
    case CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR, CURLE_SEND_ERROR, CURLE_RECV_ERROR: connectionReason
    case CURLE_OPERATION_TIMEDOUT: .transport(.timedOut)
    case CURLE_PARTIAL_FILE: .transport(.truncated)
    // The server closed the connection before the end of its header fields. libcurl accepts this once there is a status line.
    case CURLE_OK: .transport(.truncated)
    // These codes also occur for a new exchange on an HTTP/2 connection that the server is closing. CURLE_HTTP2 means an error in the
    // frames of HTTP/2, which is a fault of the connection, too, and not of the response.
    case CURLE_GOT_NOTHING, CURLE_HTTP2_STREAM, CURLE_HTTP2: .transport(.connectionLost)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CIPHER, Self.clientCertificate:
      .transport(.untrusted)
    case CURLE_SSL_CACERT_BADFILE:
      if let path = authorities?.path(percentEncoded: false) {
        .refused("the certificate authorities in “\(path)” cannot be read; set SSL_CERT_FILE to a file of PEM certificates")
      } else {
        .refused("the system's certificate authorities cannot be read; install the Debian package ca-certificates")
      }
    // libcurl treats a response without a status line as HTTP/0.9, which is not supported here. The cause cannot be the scheme of the URL,
    // which was checked before.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .malformed("it is not HTTP/1 or HTTP/2 (\(self))")
    // libcurl itself decodes only transfer codings, and refuses a response with more than five.
    case CURLE_BAD_CONTENT_ENCODING: .malformed("its content coding is broken (\(self))")
    // One line is longer than libcurl allows (100 KiB). The code is 27 up to libcurl 8.5, and 100 since then.
    case CURLE_OUT_OF_MEMORY where inHead, Self.tooLarge where inHead: .tooLongHead()
    case CURLE_OUT_OF_MEMORY: .transport(.other("there is not enough memory; release memory and try again (\(self))"))
    default: .transport(.other("the transfer failed; try again later (\(self))"))
    }
  }

  /// Whether the client and the server cannot agree on a secure connection, so that a later attempt would fail, too. The causes are a lack
  /// of a common version or cipher, an alert, or a server without TLS.
  ///
  /// libcurl has one code for all of these causes and for an interrupted handshake. Only the text distinguishes them.
  private var isTLSDisagreement: Bool {
    guard systemError == 0 else { return false }
    let text = message.lowercased()
    switch CURLcode(rawValue: UInt32(clamping: code)) {
    case CURLE_SSL_CONNECT_ERROR:
      return !["eof", "syscall", "terminated", "pull function", "push function", "reset", "timed out"].contains { text.contains($0) }
    // With TLS 1.3, a server demands a certificate only after the client has completed the handshake.
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR: return text.contains("alert certificate required")
    default: return false
    }
  }

  /// Whether the header fields of an HTTP/2 response exceed a limit: libcurl limits their size (128 KiB), and nghttp2 limits the number of
  /// frames in which they arrive.
  ///
  /// libcurl has one code for this fault and for a lost connection. Only the text distinguishes them. “-902” means that libcurl's own
  /// callback has refused a field. Before the end of the fields, only their size makes it refuse a field. “CONTINUATION frames” means that
  /// nghttp2 has refused another frame of fields.
  private var isFloodOfFields: Bool {
    message.contains("returned -902") || message.contains("CONTINUATION frames")
  }

  /// CURLE_SSL_CLIENTCERT, which older headers lack.
  private static var clientCertificate: CURLcode { CURLcode(rawValue: 98) }

  /// CURLE_TOO_LARGE, which older headers lack.
  private static var tooLarge: CURLcode { CURLcode(rawValue: 100) }

  private var connectionReason: FutureImage.Failure.Reason {
    if message.contains("chunk") { return .malformed("its chunks are broken (\(self))") }
    switch (systemError, CURLcode(rawValue: UInt32(clamping: code))) {
    case (ENETUNREACH, _), (ENETDOWN, _): return .transport(.offline)
    case (ETIMEDOUT, _): return .transport(.timedOut)
    case (_, CURLE_COULDNT_CONNECT): return .transport(.connectionRefused)
    default: return .transport(.connectionLost)
    }
  }
}
#endif
