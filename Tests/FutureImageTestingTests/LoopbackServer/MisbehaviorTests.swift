import Foundation
import FutureImageTesting
import Testing

/// The deliberate faults of the server, as a client receives them from its socket.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct MisbehaviorTests {
  let body = Data.pattern(1_000)

  /// Returns everything that a client receives for one request, and the error number with which the connection ended: 0 if it ended
  /// gracefully.
  private func ask(_ answer: LoopbackServer.Answer, method: String = "GET") throws -> (head: String, body: Data, code: Int32) {
    let server = try LoopbackServer()
    server.answer("/a", answer)
    let client = try RawClient(server.baseURL)
    client.get("/a", method: method)
    let (data, code) = client.readToEnd()
    let end = data.range(of: Data("\r\n\r\n"))?.upperBound ?? data.startIndex
    return (data[..<end].text, Data(data[end...]), code)
  }

  @Test func `a truncated body declares its full length, and the connection ends gracefully`() throws {
    let seen = try ask(.ok(body).truncated(after: 400))
    #expect(seen.head.contains("Content-Length: 1000\r\n"))
    #expect(seen.body == body.prefix(400))
    #expect(seen.code == 0)
  }

  @Test func `a client receives the bytes before a reset, and then the reset`() throws {
    let seen = try ask(.ok(body).reset(after: 400))
    #expect(seen.head.contains("Content-Length: 1000\r\n"))
    #expect(seen.body == body.prefix(400))
    #expect(seen.code == ECONNRESET)
  }

  @Test func `the server can close or reset a connection without sending a byte`() throws {
    let closed = try ask(.close)
    #expect(closed.body.isEmpty && closed.head.isEmpty && closed.code == 0)
    let reset = try ask(.close.reset(after: 0))
    #expect(reset.body.isEmpty && reset.head.isEmpty && reset.code == ECONNRESET)
  }

  @Test func `a client receives raw bytes unchanged, even if a header is 400 KB long`() throws {
    let bytes = Data("HTTP/1.1 200 OK\r\nX: ") + Data(repeating: 120, count: 400 << 10)
    let seen = try ask(.raw(bytes))
    #expect(seen.body == bytes)
    #expect(seen.code == 0)
  }

  @Test func `a body of several megabytes arrives complete although the client reads late`() async throws {
    let large = Data.pattern(8 << 20)
    let server = try LoopbackServer { _ in .ok(large) }
    let client = try RawClient(server.baseURL)
    client.get("/a")
    try await server.waitForRequests(1)
    #expect(try client.readResponse().body == large)
  }

  @Test func `a chunked body arrives complete, and a cut chunked body ends in the middle of its last chunk`() throws {
    let whole = try ask(.ok(Data("0123456789"), headers: ["Connection": "close"]).chunked(4))
    #expect(whole.body.text == "4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n")
    let cut = try ask(.ok(Data("0123456789")).chunked(4, cut: true))
    #expect(cut.body.text == "4\r\n0123\r\n4\r\n4567\r\n2\r\n8")
    #expect(cut.code == 0)
  }

  @Test func `the server sends an impossibly large Content-Length, and ends the connection after the body`() throws {
    let seen = try ask(.ok(body).declaring(contentLength: UInt64.max))
    #expect(seen.head.contains("Content-Length: 18446744073709551615\r\n"))
    #expect(seen.body == body)
    #expect(seen.code == 0)
  }

  @Test func `a dripped body arrives in pieces, and the server notices a client that disconnects between two pieces`() async throws {
    let server = try LoopbackServer()
    server.answer("/a", .ok(Data("0123456789")).drip(bytes: 4, every: .seconds(3_600)))
    var client: RawClient? = try RawClient(server.baseURL)
    client?.get("/a")
    let head = try #require(try client?.readHead())
    #expect(try client?.read(4).text == "0123")
    client = nil
    try await server.waitForOpenConnections(0)
    #expect(server.bytesSent == head.utf8.count + 4)
  }

  @Test func `a dripped body continues after each pause`() throws {
    let seen = try ask(.ok(body, headers: ["Connection": "close"]).drip(bytes: 300, every: .milliseconds(1)))
    #expect(seen.body == body)
  }

  @Test func `the server sends nothing during an answer's latency, and notices a client that disconnects`() async throws {
    let server = try LoopbackServer()
    server.answer("/a", .ok(body).latency(.seconds(3_600)))
    var client: RawClient? = try RawClient(server.baseURL)
    client?.get("/a")
    try await server.waitForRequests(1)
    client = nil
    try await server.waitForOpenConnections(0)
    #expect(server.bytesSent == 0)
  }

  @Test func `the answer is sent after the latency`() throws {
    #expect(try ask(.ok(body, headers: ["Connection": "close"]).latency(.milliseconds(1))).body == body)
  }

  @Test func `a HEAD request receives no body, and its connection can be used for another request`() throws {
    let server = try LoopbackServer()
    server.answer("/a", .ok(body))
    let client = try RawClient(server.baseURL)
    client.get("/a", method: "HEAD")
    #expect(try client.readHead().contains("Content-Length: 1000\r\n"))
    client.get("/a")
    #expect(try client.readResponse().body == body)
  }

  @Test(arguments: [
    ("nonsense\r\n\r\n", "HTTP/1.1 400 "),
    ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "HTTP/1.1 501 "),
    ("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 400_000), "HTTP/1.1 431 ")
  ])
  func `an invalid request receives an error status and ends the connection`(text: String, line: String) throws {
    let server = try LoopbackServer()
    let client = try RawClient(server.baseURL)
    client.send(text)
    let (data, code) = client.readToEnd()
    #expect(data.text.hasPrefix(line))
    #expect(code == 0)
    #expect(server.requests.isEmpty)
  }

  @Test func `clients that disconnect during an answer do not affect the next client`() async throws {
    let large = Data(count: 32 << 20)
    let server = try LoopbackServer { $0.path == "/large" ? .ok(large) : .ok(Data("fine")) }
    for _ in 1...20 {
      let client = try RawClient(server.baseURL)
      client.get("/large")
      _ = try client.read(100)
    }
    try await server.waitForOpenConnections(0)
    #expect(server.bytesSent < 20 * large.count)
    let client = try RawClient(server.baseURL)
    client.get("/")
    #expect(try client.readResponse().body.text == "fine")
  }
}
