import Foundation
import FutureImageTesting
import Testing

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct StoppingTests {
  @Test func `stopping the server ends idle, held, delayed, dripping, and blocked connections`() async throws {
    let gate = LoopbackServer.Gate()
    let server = try LoopbackServer()
    server.answer("/held", .ok(Data("x")).held(by: gate))
    server.answer("/half", .ok(Data("xyz")).heldBody(after: 1, by: gate))
    server.answer("/delayed", .ok(Data("x")).latency(.seconds(3_600)))
    server.answer("/dripping", .ok(Data("xyz")).drip(bytes: 1, every: .seconds(3_600)))
    server.answer("/blocked", .ok(Data(count: 64 << 20)))
    let clients = try (0..<6).map { _ in try RawClient(server.baseURL) }
    for (client, path) in zip(clients, ["/held", "/half", "/delayed", "/dripping", "/blocked"]) { client.get(path) }
    try await server.waitForRequests(5)
    try await server.waitForOpenConnections(6)
    try await gate.waitForArrival(count: 2)

    server.stop()
    #expect(server.openConnections == 0)
    let ends = clients.map { $0.readToEnd() }
    for end in ends { #expect([0, ECONNRESET].contains(end.code)) }
    // The held, the delayed, and the idle connection receive nothing, because a stop sends no answer that waits.
    for index in [0, 2, 5] { #expect(ends[index].data.isEmpty) }
    #expect(ends[1].data.suffix(5).text == "\r\n\r\nx")
    #expect(throws: RawClient.Fault(code: ECONNREFUSED)) { try RawClient(server.baseURL) }
    server.stop()
  }

  @Test func `a released server closes its connections`() throws {
    var server: LoopbackServer? = try LoopbackServer()
    let url = try #require(server?.baseURL)
    let client = try RawClient(url)
    client.get("/a")
    #expect(try client.readResponse().head.hasPrefix("HTTP/1.1 404"))
    server = nil
    #expect(client.readToEnd().code == 0)
  }

  @Test func `a handler may stop its server`() async throws {
    let box = ServerBox()
    let server = try LoopbackServer { _ in
      box.server?.stop()
      return .ok(Data("x"))
    }
    box.server = server
    let client = try RawClient(server.baseURL)
    client.get("/a")
    try await server.waitForRequests(1)
    _ = client.readToEnd()
    box.server = nil
    server.stop()
    #expect(server.openConnections == 0)
  }

  @Test func `stopping the server releases its handler`() throws {
    var box: ServerBox? = ServerBox()
    weak let watched = box
    let server = try LoopbackServer { [box] _ in box?.server == nil ? .close : .status(200) }
    box = nil
    #expect(watched != nil)
    server.stop()
    #expect(watched == nil)
  }

  @Test func `200 servers start and stop one after the other`() throws {
    for _ in 1...200 {
      let server = try LoopbackServer()
      let client = try RawClient(server.baseURL)
      client.get("/")
      _ = try client.readHead()
      server.stop()
      #expect(server.openConnections == 0)
    }
  }

  private final class ServerBox: @unchecked Sendable {
    // Sendable: the test writes the property only before it sends the request whose handler reads the property, and after the connection
    // has ended.
    var server: LoopbackServer?
  }
}
