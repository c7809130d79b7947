#if canImport(CCurl) && !canImport(UIKit)
import CCurl

extension FutureImage.CurlFetcher {
  /// libcurl's own description of a fault: the `underlying` error of a ``FutureImage/Failure``.
  struct Fault: Error, Hashable, CustomStringConvertible {
    /// A `CURLcode`.
    let code: Int
    /// The `errno` of the system call that failed; 0 if none did.
    var systemError: Int32 = 0
    /// libcurl's message, in English.
    let message: String

    var description: String { message.isEmpty ? "libcurl error \(code)" : "libcurl error \(code): \(message.clause)" }
  }
}

/// An app finds the `CURLcode` as the code of the `NSError`.
extension FutureImage.CurlFetcher.Fault: CustomNSError {
  static var errorDomain: String { "FutureImage.CurlFetcher" }
  var errorCode: Int { code }
  var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension FutureImage.CurlFetcher.Fault {
  /// Returns the fault as a failure of the image.
  /// - Parameters:
  ///   - inHead: whether the fault occurred before the end of the header fields.
  ///   - authorities: the file of certificates that the app named.
  func failure(inHead: Bool, headerLimit: Int, authorities: URL? = nil) -> FutureImage.Failure {
    FutureImage.Failure(reason(inHead: inHead, headerLimit: headerLimit, authorities: authorities), underlying: self)
  }

  private func reason(inHead: Bool, headerLimit: Int, authorities: URL?) -> FutureImage.Failure.Reason {
    switch CURLcode(rawValue: UInt32(clamping: code)) {
    case CURLE_URL_MALFORMAT: .refused("its URL is malformed; check it")
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .transport(.hostNotFound)
    case _ where isTLSDisagreement: .transport(.untrusted)
    case _ where inHead && isFloodOfFields: .headersTooLarge(limit: headerLimit)
    case CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR, CURLE_SEND_ERROR, CURLE_RECV_ERROR: connectionReason
    case CURLE_OPERATION_TIMEDOUT: .transport(.timedOut)
    case CURLE_PARTIAL_FILE: .transport(.truncated)
    // The server closed the connection before the end of its header fields, which libcurl accepts once there is a status line.
    case CURLE_OK: .transport(.truncated)
    // Also a new exchange on an HTTP/2 connection that the server is just closing: errors about its frames concern that connection.
    case CURLE_GOT_NOTHING, CURLE_HTTP2_STREAM, CURLE_HTTP2: .transport(.connectionLost)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CIPHER, Self.clientCertificate:
      .transport(.untrusted)
    case CURLE_SSL_CACERT_BADFILE:
      if let path = authorities?.path(percentEncoded: false) {
        .refused("the certificate authorities in “\(path)” cannot be read; give the CurlFetcher a file of PEM certificates")
      } else {
        .refused("the system's certificate authorities cannot be read; install the Debian package ca-certificates")
      }
    // A response without a status line counts as HTTP/0.9, a protocol that is not supported. Schemes were checked before. libcurl also
    // counts codings, and accepts five.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .malformed("it is not HTTP/1 or HTTP/2 (\(self))")
    case CURLE_BAD_CONTENT_ENCODING: .malformed("its content coding is broken (\(self))")
    // One line is longer than libcurl allows (100 KiB): code 27 up to 8.5, 100 since then.
    case CURLE_OUT_OF_MEMORY where inHead, Self.tooLarge where inHead: .headersTooLarge(limit: headerLimit)
    case CURLE_OUT_OF_MEMORY: .transport(.other("there is not enough memory; release memory and try again (\(self))"))
    default: .transport(.other("the transfer failed; try again later (\(self))"))
    }
  }

  /// Whether client and server cannot agree on a secure connection, now or later: no common version or cipher, an alert, no TLS at all.
  ///
  /// libcurl has one code for all of these and for a handshake that is merely interrupted; only the text distinguishes them.
  private var isTLSDisagreement: Bool {
    guard systemError == 0 else { return false }
    let text = message.lowercased()
    switch CURLcode(rawValue: UInt32(clamping: code)) {
    case CURLE_SSL_CONNECT_ERROR:
      return !["eof", "syscall", "terminated", "pull function", "push function", "reset", "timed out"].contains { text.contains($0) }
    // With TLS 1.3, a server demands a certificate only after the handshake is over for the client.
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR: return text.contains("alert certificate required")
    default: return false
    }
  }

  /// Whether the header fields of an HTTP/2 response exceed what libcurl or nghttp2 take (128 KiB, and some continuations). libcurl has one
  /// code for this and for a connection that is lost; only the text distinguishes them: its own callback refuses a field, which nothing
  /// else makes it do before the end of the fields, or nghttp2 refuses another frame of them.
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
