import Foundation
import FutureImage

/// The responses and the bytes that a fetcher delivered for one request.
struct Collected: Sendable {
  var responses: [FutureImage.Response] = []
  var body = Data()
  /// The number of chunks that arrived before the first response.
  var early = 0

  var response: FutureImage.Response? { responses.first }

  mutating func add(_ event: FutureImage.FetchEvent) {
    switch event {
    case .response(let response): responses.append(response)
    case .bytes(let data):
      if responses.isEmpty { early += 1 }
      body += data
    }
  }
}

extension FutureImage.Fetcher {
  func collect(_ request: FutureImage.Request) async throws -> Collected {
    let collected = Lock(Collected())
    try await fetch(request) { event in collected.withLock { $0.add(event) } }
    return collected.withLock { $0 }
  }

  /// Fetches the URL with long time limits, because the machine may be busy.
  func collect(_ url: URL) async throws -> Collected {
    try await collect(FutureImage.Request(url: url, timeout: .seconds(600), stallTimeout: .seconds(600)))
  }

  /// Returns the reason for which the request failed; nil if the request succeeded, or if the error is not a `Failure`.
  func reason(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive = { _ in }) async -> FutureImage.Failure.Reason? {
    do {
      try await fetch(request, receive: receive)
      return nil
    } catch {
      return (error as? FutureImage.Failure)?.reason
    }
  }

  func reason(_ url: URL) async -> FutureImage.Failure.Reason? { await reason(FutureImage.Request(url: url)) }
}

extension Data {
  /// Returns the given number of bytes. No two neighboring kilobytes are equal.
  static func pattern(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 10) }) }
}
