extension LoopbackServer {
  /// All requests, in the order in which they were received. Bytes that were no HTTP request are not among them.
  public var requests: [Request] { core.state.read(\.log.requests) }

  /// How many requests there were, for one path if given. A path without query counts all queries.
  public func requestCount(_ path: String? = nil) -> Int {
    core.state.read { $0.log.requestCount(path) }
  }

  /// How many connections were accepted.
  public var connectionCount: Int { core.state.read(\.log.connectionCount) }

  /// How many connections are open now.
  public var openConnections: Int { core.state.read(\.log.openConnections) }

  /// Bytes of heads and bodies that were handed to the kernel; never fewer than clients have received.
  public var bytesSent: Int { core.state.read(\.log.bytesSent) }

  /// Returns when so many requests have been received in all, for one path if given; also when the server is stopped.
  /// - Throws: ``WaitTimedOut`` when the limit passes first, and `CancellationError`.
  public func waitForRequests(
    _ count: Int, path: String? = nil, within limit: WaitLimit = .standard, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    let what = "for \(count.of("request"))" + (path.map { " for \($0)" } ?? "")
    try await core.state.wait(within: limit, at: CallSite(fileID, line), what) {
      $0.isStopped || $0.log.requestCount(path) >= count
    } insteadOf: {
      $0.log.summary
    }
  }

  /// Returns when exactly so many connections are open, so when clients have hung up; also when the server is stopped.
  ///
  /// A client's hang-up is seen while its answer is held, delayed or dripped, and between requests.
  /// - Throws: ``WaitTimedOut`` when the limit passes first, and `CancellationError`.
  public func waitForOpenConnections(
    _ count: Int, within limit: WaitLimit = .standard, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await core.state.wait(within: limit, at: CallSite(fileID, line), "for exactly \(count.of("open connection"))") {
      $0.isStopped || $0.log.openConnections == count
    } insteadOf: {
      $0.log.summary
    }
  }

  /// Forgets requests and starts the counts of requests, connections and bytes at zero. Scripts keep their place.
  public func resetLog() {
    core.state.update { $0.log.reset() }
  }
}

extension LoopbackServer.Log {
  /// For a wait that reached its limit.
  var summary: String { "Requests: \(listed(requests.map(\.path))). Open connections: \(openConnections)." }
}
