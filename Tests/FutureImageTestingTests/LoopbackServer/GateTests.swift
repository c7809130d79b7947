import Foundation
import FutureImageTesting
import Testing

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct GateTests {
  @Test func `an answer is held until the gate opens`() async throws {
    let gate = LoopbackServer.Gate()
    let server = try LoopbackServer()
    server.answer("/a", .ok(Data("late")).held(by: gate))
    let client = try RawClient(server.baseURL)
    client.get("/a")
    try await gate.waitForArrival()
    #expect(server.bytesSent == 0)
    #expect(server.requestCount("/a") == 1)
    gate.open()
    #expect(try client.readResponse().body.text == "late")
    #expect(gate.arrivals == 1)
  }

  @Test func `an open gate holds no answer and still counts arrivals`() async throws {
    let gate = LoopbackServer.Gate()
    gate.open()
    gate.open()
    let server = try LoopbackServer { _ in .ok(Data("x")).held(by: gate) }
    let client = try RawClient(server.baseURL)
    for _ in 1...3 {
      client.get("/")
      #expect(try client.readResponse().body.text == "x")
    }
    #expect(gate.arrivals == 3)
    try await gate.waitForArrival(count: 3)
  }

  @Test func `one gate holds and releases many answers`() async throws {
    let gate = LoopbackServer.Gate()
    let server = try LoopbackServer { _ in .ok(Data("x")).held(by: gate) }
    let clients = try (1...20).map { _ in try RawClient(server.baseURL) }
    for client in clients { client.get("/") }
    try await gate.waitForArrival(count: 20)
    #expect(server.bytesSent == 0)
    gate.open()
    for client in clients { #expect(try client.readResponse().body.text == "x") }
  }

  @Test(arguments: [0, 4, 10, Int.max])
  func `a gate holds the rest of a body after the given number of bytes`(count: Int) async throws {
    let gate = LoopbackServer.Gate()
    let server = try LoopbackServer()
    server.answer("/a", .ok(Data("0123456789")).heldBody(after: count, by: gate))
    let client = try RawClient(server.baseURL)
    client.get("/a")
    let head = try client.readHead()
    #expect(head.contains("Content-Length: 10\r\n"))
    let first = min(count, 10)
    #expect(try client.read(first).text == "0123456789".prefix(first))
    try await gate.waitForArrival()
    #expect(server.bytesSent == head.utf8.count + first)
    gate.open()
    #expect(try client.read(10 - first).text == "0123456789".dropFirst(first))
    // The connection can be used for another request.
    client.get("/none")
    #expect(try client.readHead().hasPrefix("HTTP/1.1 404"))
  }

  @Test func `the server notices a client that disconnects while a gate holds its answer`() async throws {
    let gate = LoopbackServer.Gate()
    let server = try LoopbackServer { _ in .ok(Data("x")).held(by: gate) }
    var client: RawClient? = try RawClient(server.baseURL)
    client?.get("/")
    try await gate.waitForArrival()
    #expect(server.openConnections == 1)
    client = nil
    try await server.waitForOpenConnections(0)
    #expect(server.bytesSent == 0)
  }

  @Test func `requests that arrive while a gate holds an answer are answered after that answer`() async throws {
    let gate = LoopbackServer.Gate()
    let server = try LoopbackServer { .ok(Data($0.path)) }
    server.answer("/held", .ok(Data("held")).held(by: gate))
    let client = try RawClient(server.baseURL)
    client.get("/held")
    try await gate.waitForArrival()
    client.get("/second")
    client.get("/third")
    #expect(server.requestCount() == 1)
    gate.open()
    #expect(try (1...3).map { _ in try client.readResponse().body.text } == ["held", "/second", "/third"])
  }

  @Test func `a canceled wait for an arrival throws CancellationError`() async {
    let gate = LoopbackServer.Gate()
    let task = Task { try await gate.waitForArrival() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(gate.arrivals == 0)
  }
}
