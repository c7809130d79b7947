#if canImport(CoreGraphics) || canImport(FoundationNetworking)
#if !canImport(CoreGraphics)
import FoundationNetworking
#endif

extension URLError {
  /// Whether the client and the server cannot agree on a secure connection, so that a later attempt would fail, too.
  ///
  /// The code `secureConnectionFailed` means only that there is no secure connection. A connection that is lost during the handshake has
  /// the same code. The exact reason is in the error's user info (Apple Developer Forums, thread 762158).
  var isTLSDisagreement: Bool {
    guard code == .secureConnectionFailed else { return false }
    let reasons = [self as any Error, errorUserInfo[NSUnderlyingErrorKey] as? any Error].compactMap { $0 }
      .compactMap { ($0 as NSError).userInfo["_kCFStreamErrorCodeKey"] as? Int }
    return reasons.contains { Self.disagreements.contains($0) }
  }

  /// Codes of SecureTransport.h for the lack of a common cipher or version, for certificates that are not accepted, and for alerts about
  /// these.
  private static let disagreements: Set<Int> = [
    -9801, -9807, -9808, -9812, -9813, -9814, -9815, -9818, -9824, -9825, -9826, -9827, -9828, -9829, -9831, -9836, -9837, -9843
  ]
}
#endif
