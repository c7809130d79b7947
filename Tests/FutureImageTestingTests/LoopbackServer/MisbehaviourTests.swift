import Foundation
import FutureImageTesting
import Testing

/// What the client's side of the socket sees.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct MisbehaviourTests {
  let body = Data.pattern(1_000)

  /// All that a client sees of one request, and how the connection ended.
  private func ask(_ answer: LoopbackServer.Answer, method: String = "GET") throws -> (head: String, body: Data, code: Int32) {
    let server = try LoopbackServer()
    server.answer("/a", answer)
    let client = try RawClient(server.baseURL)
    client.get("/a", method: method)
    let (data, code) = client.readToEnd()
    let end = data.range(of: Data("\r\n\r\n"))?.upperBound ?? data.startIndex
    return (data[..<end].text, Data(data[end...]), code)
  }

  @Test func `a truncated body promises all and ends in good order`() throws {
    let seen = try ask(.ok(body).truncated(after: 400))
    #expect(seen.head.contains("Content-Length: 1000\r\n"))
    #expect(seen.body == body.prefix(400))
    #expect(seen.code == 0)
  }

  @Test func `a reset is a reset, after the bytes before it`() throws {
    let seen = try ask(.ok(body).reset(after: 400))
    #expect(seen.head.contains("Content-Length: 1000\r\n"))
    #expect(seen.body == body.prefix(400))
    #expect(seen.code == ECONNRESET)
  }

  @Test func `a connection is closed or reset without a byte`() throws {
    let closed = try ask(.close)
    #expect(closed.body.isEmpty && closed.head.isEmpty && closed.code == 0)
    let reset = try ask(.close.reset(after: 0))
    #expect(reset.body.isEmpty && reset.head.isEmpty && reset.code == ECONNRESET)
  }

  @Test func `raw bytes arrive as they are, 400 KB of header too`() throws {
    let bytes = Data("HTTP/1.1 200 OK\r\nX: ") + Data(repeating: 120, count: 400 << 10)
    let seen = try ask(.raw(bytes))
    #expect(seen.body == bytes)
    #expect(seen.code == 0)
  }

  @Test func `a body of several megabytes arrives whole though the client reads late`() async throws {
    let large = Data.pattern(8 << 20)
    let server = try LoopbackServer { _ in .ok(large) }
    let client = try RawClient(server.baseURL)
    client.get("/a")
    try await server.waitForRequests(1)
    #expect(try client.readResponse().body == large)
  }

  @Test func `chunks arrive, and a cut ends in the middle of one`() throws {
    let whole = try ask(.ok(Data("0123456789"), headers: ["Connection": "close"]).chunked(4))
    #expect(whole.body.text == "4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n")
    let cut = try ask(.ok(Data("0123456789")).chunked(4, cut: true))
    #expect(cut.body.text == "4\r\n0123\r\n4\r\n4567\r\n2\r\n8")
    #expect(cut.code == 0)
  }

  @Test func `an absurd length is sent and the connection ends`() throws {
    let seen = try ask(.ok(body).declaring(contentLength: UInt64.max))
    #expect(seen.head.contains("Content-Length: 18446744073709551615\r\n"))
    #expect(seen.body == body)
    #expect(seen.code == 0)
  }

  @Test func `a dripped body comes in pieces, and its client's hang-up is seen between them`() async throws {
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

  @Test func `a dripped body goes on after each pause`() throws {
    let seen = try ask(.ok(body, headers: ["Connection": "close"]).drip(bytes: 300, every: .milliseconds(1)))
    #expect(seen.body == body)
  }

  @Test func `latency comes before the first byte, and its client's hang-up is seen`() async throws {
    let server = try LoopbackServer()
    server.answer("/a", .ok(body).latency(.seconds(3_600)))
    var client: RawClient? = try RawClient(server.baseURL)
    client?.get("/a")
    try await server.waitForRequests(1)
    client = nil
    try await server.waitForOpenConnections(0)
    #expect(server.bytesSent == 0)
  }

  @Test func `after the latency the answer comes`() throws {
    #expect(try ask(.ok(body, headers: ["Connection": "close"]).latency(.milliseconds(1))).body == body)
  }

  @Test func `HEAD gets no body and the connection stays usable`() throws {
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
  func `bytes that are no request are told so and the connection ends`(text: String, line: String) throws {
    let server = try LoopbackServer()
    let client = try RawClient(server.baseURL)
    client.send(text)
    let (data, code) = client.readToEnd()
    #expect(data.text.hasPrefix(line))
    #expect(code == 0)
    #expect(server.requests.isEmpty)
  }

  @Test func `a head that does not end is refused, and the refusal is not lost in a reset`() throws {
    let server = try LoopbackServer()
    let client = try RawClient(server.baseURL)
    client.send("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 400_000))
    let (data, code) = client.readToEnd()
    #expect(data.text.hasPrefix("HTTP/1.1 431 "))
    #expect(code == 0)
  }

  @Test func `clients that hang up in the middle of an answer harm nobody`() async throws {
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
