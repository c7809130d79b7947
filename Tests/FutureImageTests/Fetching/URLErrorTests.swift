import Foundation
import Testing

@testable import FutureImage

#if canImport(FoundationNetworking) && !canImport(UIKit)
import FoundationNetworking
#endif

/// Errors of URLSession with a code that does not distinguish a TLS disagreement from a connection that ended during the handshake. A TLS
/// disagreement means that the client and the server cannot agree on a secure connection, for example because the server is not trusted.
@Suite(.timeLimit(.minutes(5))) struct URLErrorTests {
  private static let key = "_kCFStreamErrorCodeKey"

  /// The codes are from SecureTransport.h. They mean no common version, no common cipher, a bad certificate, and a closed connection. The
  /// last argument, 0, stands for an error without a code.
  @Test(arguments: [-9836: true, -9801: true, -9808: true, -9806: false, 0: false])
  func `a failed handshake counts as a TLS disagreement unless the connection closed or the error has no code`(code: Int, expected: Bool) {
    let direct = URLError(.secureConnectionFailed, userInfo: [Self.key: code])
    #expect(direct.isTLSDisagreement == expected)
    let underlying = NSError(domain: "kCFErrorDomainCFNetwork", code: -1200, userInfo: [Self.key: code])
    #expect(URLError(.secureConnectionFailed, userInfo: [NSUnderlyingErrorKey: underlying]).isTLSDisagreement == expected)
  }

  @Test func `an error counts as a TLS disagreement only if it has both the URLError code of a failed handshake and a TLS error code`() {
    #expect(!URLError(.networkConnectionLost, userInfo: [Self.key: -9836]).isTLSDisagreement)
    #expect(!URLError(.secureConnectionFailed).isTLSDisagreement)
  }
}
