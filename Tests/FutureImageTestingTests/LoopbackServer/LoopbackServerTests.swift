import Foundation
import FutureImageTesting
import Testing

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct LoopbackServerTests {
  @Test func `the server sends the scripted answers of a path in order and repeats the last one, until the script is replaced or removed`()
    throws
  {
    let server = try LoopbackServer { _ in .ok(Data("handler")) }
    server.answer("/a", .status(503, headers: ["Retry-After": "1"]), .ok(Data("one")), .ok(Data("two")))
    let client = try RawClient(server.baseURL)
    let replies = try (1...4).map { _ in
      client.get("/a")
      return try client.readResponse()
    }
    #expect(replies[0].head == "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
    #expect(replies.map(\.body.text) == ["", "one", "two", "two"])

    // A new script replaces the former script. Without a script, the handler answers.
    server.answer("/a", .ok(Data("new")))
    client.get("/a")
    #expect(try client.readResponse().body.text == "new")
    server.answer("/a")
    client.get("/a")
    #expect(try client.readResponse().body.text == "handler")
  }

  @Test func `a request with a query gets the answers of its path, unless answers for that query exist`() throws {
    let server = try LoopbackServer()
    server.answer("/a", .ok(Data("any")))
    server.answer("/a?x=1", .ok(Data("one")))
    let client = try RawClient(server.baseURL)
    for (path, body) in [("/a", "any"), ("/a?x=2", "any"), ("/a?x=1", "one")] {
      client.get(path)
      #expect(try client.readResponse().body.text == body)
    }
    client.get("/b")
    #expect(try client.readResponse().head.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    #expect(server.requestCount("/a") == 3)
    #expect(server.requestCount("/a?x=1") == 1)
  }

  @Test func `the handler receives the request, and the log records it`() throws {
    let server = try LoopbackServer { .ok(Data("\($0.method) \($0.path) \($0.headers["x-a"] ?? "") \($0.body.text) \($0.connection)")) }
    let client = try RawClient(server.baseURL)
    client.send("POST /p?q HTTP/1.1\r\nX-A: b\r\nContent-Length: 3\r\n\r\nxyz")
    #expect(try client.readResponse().body.text == "POST /p?q b xyz 1")
    let other = try RawClient(server.baseURL)
    other.get("/")
    #expect(try other.readResponse().body.text == "GET /   2")
    #expect(server.requests.map(\.path) == ["/p?q", "/"])
    #expect(server.requests.first?.body == Data("xyz"))
  }

  @Test func `2,000 requests that are pipelined in groups of ten use one connection`() throws {
    let body = Data.pattern(5_000)
    let server = try LoopbackServer { _ in .ok(body) }
    let client = try RawClient(server.baseURL)
    var wrongCount = 0
    for _ in 1...200 {
      for index in 0..<10 { client.get("/\(index)") }
      for _ in 0..<10 { wrongCount += try client.readResponse().body == body ? 0 : 1 }
    }
    #expect(wrongCount == 0)
    #expect(server.requestCount() == 2_000)
    #expect(server.connectionCount == 1)
    #expect(server.openConnections == 1)
  }

  @Test func `each of 300 simultaneous connections receives its answer`() async throws {
    let gate = LoopbackServer.Gate()
    let server = try LoopbackServer { .ok(Data($0.path)).held(by: gate) }
    let clients = try (0..<300).map { _ in try RawClient(server.baseURL) }
    for (index, client) in clients.enumerated() { client.get("/\(index)") }
    try await gate.waitForArrival(count: 300)
    #expect(server.openConnections == 300)
    gate.open()
    var wrongCount = 0
    for (index, client) in clients.enumerated() { wrongCount += try client.readResponse().body.text == "/\(index)" ? 0 : 1 }
    #expect(wrongCount == 0)
    #expect(server.connectionCount == 300)
  }

  @Test func `a wait for requests or connections ends when the awaited number is reached`() async throws {
    let server = try LoopbackServer()
    async let two: Void = server.waitForRequests(2)
    async let path: Void = server.waitForRequests(1, path: "/b")
    var client: RawClient? = try RawClient(server.baseURL)
    client?.get("/a")
    client?.get("/b")
    try await two
    try await path
    #expect(server.requests.map(\.path) == ["/a", "/b"])
    try await server.waitForOpenConnections(1)
    client = nil
    try await server.waitForOpenConnections(0)
    #expect(server.connectionCount == 1)
  }

  @Test func `a wait throws if it is canceled, and returns if the server stops`() async throws {
    let server = try LoopbackServer()
    let cancelled = Task { try await server.waitForRequests(1) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let waiting = Task { try await server.waitForOpenConnections(5) }
    server.stop()
    try await waiting.value
    #expect(server.requestCount() == 0)
  }

  @Test func `the log counts sent bytes, and resetLog clears the log without closing connections`() throws {
    let server = try LoopbackServer { _ in .ok(Data("12345")) }
    let client = try RawClient(server.baseURL)
    client.get("/a")
    let reply = try client.readResponse()
    #expect(server.bytesSent == reply.head.utf8.count + 5)
    server.resetLog()
    #expect(server.bytesSent == 0)
    #expect(server.requests.isEmpty)
    #expect(server.connectionCount == 0)
    #expect(server.openConnections == 1)
    client.get("/b")
    _ = try client.readResponse()
    #expect(server.requests.map(\.path) == ["/b"])
    #expect(server.requestCount("/a") == 0)
  }

  @Test func `a URL of the server has the server's port and the given path`() throws {
    let server = try LoopbackServer()
    let port = try #require(server.baseURL.port)
    #expect(server.baseURL.absoluteString == "http://127.0.0.1:\(port)")
    #expect(server.url("/a/b?c=d").absoluteString == "http://127.0.0.1:\(port)/a/b?c=d")
    #expect(server.url("a.jpg").absoluteString == "http://127.0.0.1:\(port)/a.jpg")
    #expect(server.url("//a").path.hasSuffix("//a"))
  }
}
