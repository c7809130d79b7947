extension LoopbackServer {
  /// All requests, in the order of receipt. Bytes that form no HTTP request are not included.
  public var requests: [Request] { core.state.read(\.log.requests) }

  /// Returns the number of all requests, or of the requests for one path. If the path has no query, its requests with any query count, too.
  public func requestCount(_ path: String? = nil) -> Int {
    core.state.read { $0.log.requestCount(path) }
  }

  /// The number of connections accepted.
  public var connectionCount: Int { core.state.read(\.log.connectionCount) }

  /// The number of connections open now.
  public var openConnections: Int { core.state.read(\.log.openConnections) }

  /// The bytes of heads and bodies that were passed to the kernel. The count is never lower than what clients have received.
  public var bytesSent: Int { core.state.read(\.log.bytesSent) }

  /// Returns when `count` requests have been received in total, or when the server is stopped. If a path is given, only its requests count.
  /// - Throws: ``WaitTimedOut`` when the limit passes first, and `CancellationError`.
  public func waitForRequests(
    _ count: Int, path: String? = nil, within limit: WaitLimit = .standard, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    let what = "for \(count.of("request"))" + (path.map { " for \($0)" } ?? "")
    try await core.state.wait(LimitedWait(limit, CallSite(fileID, line), what)) {
      $0.isStopped || $0.log.requestCount(path) >= count
    } insteadOf: {
      $0.log.summary
    }
  }

  /// Returns when exactly `count` connections are open, or when the server is stopped. Use it, for example, after clients hang up.
  ///
  /// The server notices that a client hangs up between requests, and while the client's answer is held, delayed, or dripped.
  /// - Throws: ``WaitTimedOut`` when the limit passes first, and `CancellationError`.
  public func waitForOpenConnections(
    _ count: Int, within limit: WaitLimit = .standard, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await core.state.wait(LimitedWait(limit, CallSite(fileID, line), "for exactly \(count.of("open connection"))")) {
      $0.isStopped || $0.log.openConnections == count
    } insteadOf: {
      $0.log.summary
    }
  }

  /// Removes all requests and resets the counts of requests, connections, and bytes to zero. Scripts continue at their position.
  public func resetLog() {
    core.state.update { $0.log.reset() }
  }
}

extension LoopbackServer.Log {
  /// The state, for a wait that timed out.
  var summary: String { "Requests: \(listed(requests.map(\.path))). Open connections: \(openConnections)." }
}
