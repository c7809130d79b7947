extension LoopbackServer {
  /// The activity of the server since it started or the log was reset.
  struct Log: Sendable {
    private(set) var requests: [Request] = []
    private(set) var connectionCount = 0
    /// The number of connections open now. A reset does not change it.
    private(set) var openConnections = 0
    private(set) var bytesSent = 0
    private(set) var lastConnection = 0
    /// The number of requests for each path, as sent. A request with a query also counts for its path without the query.
    private var counts: [String: Int] = [:]

    mutating func open() -> Int {
      connectionCount += 1
      openConnections += 1
      lastConnection += 1
      return lastConnection
    }

    mutating func close() {
      openConnections -= 1
    }

    mutating func receive(_ request: Request) {
      requests.append(request)
      counts[request.path, default: 0] += 1
      if request.barePath != request.path { counts[request.barePath, default: 0] += 1 }
    }

    mutating func send(_ byteCount: Int) {
      bytesSent += byteCount
    }

    mutating func reset() {
      (requests, counts, connectionCount, bytesSent) = ([], [:], 0, 0)
    }

    func requestCount(_ path: String?) -> Int {
      path.map { counts[$0, default: 0] } ?? requests.count
    }
  }
}
