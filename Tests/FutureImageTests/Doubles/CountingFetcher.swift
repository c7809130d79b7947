import Foundation
import FutureImageTesting

@testable import FutureImage

/// A fetcher that forwards requests to a held fetcher, and counts the concurrent exchanges.
final class CountingFetcher: FutureImage.Fetcher {
  private struct State {
    var running: [String: Int] = [:]
    var mostOfHost: [String: Int] = [:]
    var most = 0
  }

  let held: HeldFetcher
  private let state = Lock(State())

  init(_ held: HeldFetcher) { self.held = held }

  /// The maximum number of concurrent exchanges in total.
  var most: Int { state.withLock { $0.most } }
  /// The maximum number of concurrent exchanges with each host.
  var mostOfHost: [String: Int] { state.withLock { $0.mostOfHost } }
  var running: Int { state.withLock { $0.running.values.reduce(0, +) } }

  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    let host = request.url.host ?? ""
    state.withLock { state in
      let count = state.running[host, default: 0] + 1
      state.running[host] = count
      state.mostOfHost[host] = max(count, state.mostOfHost[host] ?? 0)
      state.most = max(state.most, state.running.values.reduce(0, +))
    }
    defer { state.withLock { $0.running[host, default: 1] -= 1 } }
    try await held.fetch(request, receive: receive)
  }
}
