#if canImport(CCurl) && !canImport(UIKit)
/// One exchange in a ``CurlEngine``.
///
/// Sendable because `phase` is accessed only inside the engine's lock, `transfer` only on the engine's thread, and the rest is constant.
final class CurlExchange: @unchecked Sendable {
  typealias Continuation = CheckedContinuation<Void, any Error>

  enum Phase {
    case new
    case waiting(Continuation, FutureImage.Receive)
    case running(Continuation)
    case ended
  }

  let request: FutureImage.Request
  /// The header lines to send.
  let lines: [String]
  var phase = Phase.new
  /// libcurl's part of the exchange; nil unless the exchange is running.
  var transfer: CurlTransfer?

  init(_ request: FutureImage.Request, lines: [String]) {
    self.request = request
    self.lines = lines
  }

  /// Ends the exchange, and returns its former phase. Must be called inside the engine's lock. The caller then calls `resume(with:)` of the
  /// former phase outside of the lock.
  func end() -> Phase {
    defer { phase = .ended }
    return phase
  }
}

extension CurlExchange.Phase {
  /// Resumes the task that awaits the exchange, if there is one. Must be called outside of the lock.
  func resume(with result: Result<Void, any Error>) {
    switch self {
    case .waiting(let continuation, _), .running(let continuation): continuation.resume(with: result)
    case .new, .ended: break
    }
  }
}
#endif
