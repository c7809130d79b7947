import Foundation
import FutureImage
import FutureImageTesting
import Testing

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ThumbnailServerTests {
  private let origin: LoopbackServer
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ThumbnailServerTests-\(UUID())")
  private let clock = ManualClock()

  init() throws { origin = try LoopbackServer() }

  private func makeServer(limit: Int = 10) -> ThumbnailServer {
    ThumbnailServer(
      servers: ["127.0.0.1:\(origin.baseURL.port ?? 0)"], folder: folder, limit: limit, deadline: .seconds(20), clock: clock)
  }

  /// Calls the body with a server, and then shuts the server down, so that no later write creates the folder again. Removes the folder.
  private func withServer(limit: Int = 10, _ body: (ThumbnailServer) async throws -> Void) async rethrows {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = makeServer(limit: limit)
    do {
      try await body(server)
    } catch {
      await server.shutDown()
      throw error
    }
    await server.shutDown()
  }

  private func target(_ path: String, _ rest: String = "") -> String { "/thumbnail?url=\(origin.url(path))\(rest)" }

  @Test func `the server creates a thumbnail once, and reads it from disk after a restart`() async throws {
    origin.answer("/a.jpg", .ok(TestImage(width: 1200, height: 900).jpeg))
    let first = makeServer()
    let response = await first.respond(to: target("/a.jpg", "&width=320&height=320"))
    #expect(response.status == 200)
    #expect(response.headers["Content-Type"] == "image/jpeg")
    #expect(UIImage(data: response.body)?.size == CGSize(width: 320, height: 240))
    await first.shutDown()
    await withServer { second in #expect(await second.respond(to: target("/a.jpg")).body == response.body) }
    #expect(origin.requestCount("/a.jpg") == 1)
  }

  @Test(arguments: [
    ("image/avif,image/webp,*/*;q=0.8", "image/avif"), ("image/webp, image/png", "image/webp"), ("image/avif;q=0, text/html", "image/jpeg"),
    ("IMAGE/WEBP;q=0.9", "image/webp"), ("*/*", "image/jpeg")
  ])
  func `a client gets the best format that it accepts, and the Vary field names Accept`(accept: String, type: String) async throws {
    let isAvailable = FutureImage.Encoding.Format.allCases.contains { $0.mimeType == type && $0.isAvailable }
    guard isAvailable else { return }
    origin.answer("/a.jpg", .ok(TestImage(width: 120, height: 90).jpeg))
    await withServer { server in
      let response = await server.respond(to: target("/a.jpg"), fields: ["accept": accept])
      #expect(response.headers["Content-Type"] == type && response.headers["Vary"] == "Accept")
      #expect(UIImage(data: response.body)?.size == CGSize(width: 120, height: 90))
    }
  }

  @Test func `a client that has the thumbnail gets status 304, without a body`() async throws {
    origin.answer("/a.jpg", .ok(TestImage(width: 120, height: 90).jpeg))
    try await withServer { server in
      let first = await server.respond(to: target("/a.jpg"))
      let tag = try #require(first.headers["ETag"])
      for field in [tag, "\"another\", \(tag)", "W/\(tag)"] {
        let second = await server.respond(to: target("/a.jpg"), fields: ["if-none-match": field])
        #expect(second.status == 304 && second.body.isEmpty && second.headers["ETag"] == tag && second.headers["Vary"] == "Accept")
      }
      #expect(await server.respond(to: target("/a.jpg"), fields: ["if-none-match": "\"another\""]).status == 200)
    }
  }

  @Test func `under load, each original is fetched once, and each client gets its own format and size`() async throws {
    for number in 0..<4 { origin.answer("/\(number).jpg", .ok(TestImage(width: 600 + number * 40, height: 450).jpeg)) }
    await withServer(limit: 400) { server in
      let formats = FutureImage.Encoding.Format.allCases.filter { $0.isAvailable && $0 != .png && $0 != .avif }
      let failed = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<200 {
          let (format, width) = (formats[number % formats.count], 40 + number % 5 * 20)
          let target = target("/\(number % 4).jpg", "&width=\(width)&height=2000")
          group.addTask {
            let response = await server.respond(to: target, fields: ["accept": format.mimeType])
            let size = UIImage(data: response.body)?.size
            return response.status != 200 || response.headers["Content-Type"] != format.mimeType || size?.width != CGFloat(width)
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(failed == 0)
      for number in 0..<4 { #expect(origin.requestCount("/\(number).jpg") == 1) }
    }
  }

  @Test(arguments: [
    "/thumbnail", "/other?url=http://127.0.0.1/a.jpg", "/thumbnail?url=http://127.0.0.1/a.jpg&width=0",
    "/thumbnail?url=http://127.0.0.1/a.jpg&width=wide", "/thumbnail?url=http://169.254.169.254/a.jpg", "/thumbnail?url=file:///etc/passwd"
  ])
  func `an invalid or forbidden target is refused with status 400`(_ target: String) async {
    await withServer { server in #expect(await server.respond(to: target).status == 400) }
  }

  @Test func `the server answers a failure of the origin with a matching status`() async {
    origin.answer("/gone.jpg", .status(404))
    origin.answer("/page.jpg", .ok(Data("<!doctype html>".utf8)))
    origin.answer("/moved.jpg", .redirect(to: "http://internal.example/a.jpg"))
    origin.answer("/port.jpg", .redirect(to: "http://127.0.0.1:22/a.jpg"))
    await withServer { server in
      #expect(await server.respond(to: target("/port.jpg")).status == 400)
      #expect(await server.respond(to: target("/gone.jpg")).status == 404)
      #expect(await server.respond(to: target("/page.jpg")).status == 422)
      #expect(await server.respond(to: target("/moved.jpg")).status == 400)
    }
  }

  @Test func `the server forwards the Retry-After field of a busy origin, and does not retry the request`() async {
    origin.answer("/busy.jpg", .status(503, headers: ["Retry-After": "7"]))
    await withServer { server in
      let response = await server.respond(to: target("/busy.jpg"))
      #expect(response.status == 503)
      #expect(response.headers["Retry-After"] == "7")
    }
    #expect(origin.requestCount("/busy.jpg") == 1)
  }

  @Test func `a request beyond the limit of simultaneous requests receives status 503 and a Retry-After field`() async throws {
    let gate = LoopbackServer.Gate()
    origin.answer("/slow.jpg", .ok(TestImage().jpeg).held(by: gate))
    try await withServer(limit: 1) { server in
      let target = target("/slow.jpg")
      async let first = server.respond(to: target)
      try await gate.waitForArrival()
      let second = await server.respond(to: target)
      #expect(second.status == 503)
      #expect(second.headers["Retry-After"] == "1")
      gate.open()
      #expect(await first.status == 200)
    }
  }

  @Test func `after a signal, the server ends when its responses are sent and its thumbnails are on disk`() async throws {
    let gate = LoopbackServer.Gate()
    origin.answer("/slow.jpg", .ok(TestImage(width: 1200, height: 900).jpeg).held(by: gate))
    let (server, target) = (makeServer(), target("/slow.jpg"))
    async let first = server.respond(to: target)
    try await gate.waitForArrival()
    // No other test uses this signal. The test sends it when the server listens for it.
    let running = Task { await server.run(until: [SIGWINCH], isListening: { kill(getpid(), SIGWINCH) }) { _ in } }
    // The URL in this target has no host. So until the server refuses requests, it answers this request at once with another status.
    try await eventually("new requests are refused") { await server.respond(to: "/thumbnail?url=\(target)").status == 503 }
    gate.open()
    let answer = await first
    #expect(answer.status == 200)
    await running.value
    await withServer { later in #expect(await later.respond(to: target).body == answer.body) }
    #expect(origin.requestCount("/slow.jpg") == 1)
  }

  @Test func `a request and its transfer end at the deadline`() async throws {
    let gate = LoopbackServer.Gate()
    origin.answer("/slow.jpg", .ok(TestImage().jpeg).held(by: gate))
    try await withServer { server in
      let target = target("/slow.jpg")
      async let response = server.respond(to: target)
      try await gate.waitForArrival()
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(20))
      #expect(await response.status == 504)
      try await origin.waitForOpenConnections(0)
      gate.open()
    }
  }
}
