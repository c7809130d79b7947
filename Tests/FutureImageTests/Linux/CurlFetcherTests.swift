#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Behavior that only the libcurl fetcher has: the queue, the thread, and the settings.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CurlFetcherTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  private func makeFetcher(maxConnections: Int = 64) -> FutureImage.CurlFetcher {
    FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(maxConnections: maxConnections, proxy: .none))
  }

  @Test func `exchanges beyond the connection limit wait for a free connection`() async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/held", .ok(Data([1])).held(by: gate))
    let fetcher = makeFetcher(maxConnections: 2)
    let url = server.url("/held")
    let tasks = (0..<20).map { _ in Task { try await fetcher.collect(url).body } }
    await gate.waitForArrival(count: 2)
    gate.open()
    for task in tasks { #expect(try await task.value == Data([1])) }
    #expect(server.requestCount() == 20)
    #expect(server.connectionCount == 2)
  }

  @Test func `a waiting exchange is canceled at once`() async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/held", .ok(Data([1])).held(by: gate))
    server.answer("/next", .ok(Data([2])))
    let fetcher = makeFetcher(maxConnections: 1)
    let (held, next) = (server.url("/held"), server.url("/next"))
    let first = Task { try await fetcher.collect(held).body }
    await gate.waitForArrival()
    let waiting = Task { try await fetcher.collect(next).body }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    gate.open()
    #expect(try await first.value == Data([1]))
    #expect(try await fetcher.collect(next).body == Data([2]))
    #expect(server.requestCount("/next") == 1)
  }

  @Test func `closing the engine cancels all of its exchanges and closes its connections`() async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/held", .ok(Data([1])).held(by: gate))
    let engine = CurlEngine(FutureImage.CurlFetcher.Configuration(maxConnections: 2, proxy: .none))
    let url = server.url("/held")
    let tasks = (0..<6).map { _ in
      Task { try await engine.run(CurlExchange(FutureImage.Request(url: url), lines: []), receive: { _ in }) }
    }
    await gate.waitForArrival(count: 2)
    engine.close()
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    await server.waitForOpenConnections(0)
  }

  @Test func `an engine that is closed on its own thread closes its connections and cancels new exchanges`() async throws {
    server.answer("/a", .ok(Data.pattern(100_000)))
    let engine = CurlEngine(FutureImage.CurlFetcher.Configuration(proxy: .none))
    let exchange = CurlExchange(FutureImage.Request(url: server.url("/a")), lines: [])
    // The exchange may succeed, because it may end before the thread checks the queue again.
    _ = try? await engine.run(exchange) { _ in engine.close() }
    await server.waitForOpenConnections(0)
    await #expect(throws: CancellationError.self) {
      try await engine.run(CurlExchange(FutureImage.Request(url: server.url("/a")), lines: []), receive: { _ in })
    }
  }

  @Test func `released fetchers leave no connection open`() async throws {
    server.answer("/a", .ok(Data.pattern(5000)))
    let url = server.url("/a")
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await makeFetcher().collect(url).body.count } }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(sizes == [5000])
    #expect(server.connectionCount == 50)
    await server.waitForOpenConnections(0)
  }

  @Test func `a connection that is never accepted times out`() async throws {
    let port = try UnansweredPort()
    let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/a"))
    let request = FutureImage.Request(url: url, stallTimeout: .milliseconds(200))
    #expect(await makeFetcher().reason(request) == .transport(.timedOut))
  }

  @Test func `a slow head does not stall while lines arrive`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n" + (10..<80).map { "X-Line: \($0)\r\n" }.joined()
    server.answer("/a", .raw(Data("\(head)\r\nx".utf8)).drip(bytes: 12, every: .milliseconds(60)))
    // The limit is shorter than the time of all lines, and far longer than the interval between two lines, even on a busy machine.
    let request = FutureImage.Request(url: server.url("/a"), stallTimeout: .seconds(4))
    #expect(try await makeFetcher().collect(request).body == Data("x".utf8))
  }

  @Test func `requests go to the proxy instead of the host`() async throws {
    let server = try LoopbackServer { _ in .ok(Data([1])) }
    let fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .url(server.baseURL)))
    _ = try await fetcher.collect(#require(URL(string: "http://pictures.invalid/a")))
    #expect(server.requests.map { $0.headers["Host"] } == ["pictures.invalid"])
  }

  @Test func `gzip and brotli are requested and decoded`() async throws {
    server.answer("/gzip", .ok(Samples.gzip, headers: ["Content-Encoding": "gzip"]))
    server.answer("/br", .ok(Samples.brotli, headers: ["Content-Encoding": "br"]).chunked(3))
    let fetcher = makeFetcher()
    for path in ["/gzip", "/br"] {
      let collected = try await fetcher.collect(server.url(path))
      #expect(collected.body == Samples.gzipContent)
      #expect(collected.response?.expectedBytes == nil)
    }
    #expect(server.requests.map { $0.headers["Accept-Encoding"] } == ["gzip, br", "gzip, br"])
  }

  @Test(arguments: [("gzip", Samples.pictureGzip), ("br", Samples.pictureBrotli)])
  func `a compressed body that ends early fails as truncated, even if the body has its declared length`(coding: String, body: Data)
    async throws
  {
    server.answer("/a", .ok(body.prefix(body.count - 1), headers: ["Content-Encoding": coding]))
    #expect(await makeFetcher().reason(server.url("/a")) == .transport(.truncated))
  }

  @Test(arguments: ["gzip", "br", "zstd", "gzip, br"])
  func `if a body does not match the declared content coding, the response fails as malformed`(coding: String) async throws {
    server.answer("/a", .ok(Data(repeating: 0xFF, count: 50), headers: ["Content-Encoding": coding]))
    #expect(await makeFetcher().reason(server.url("/a"))?.isMalformed == true)
  }

  @Test(.timeLimit(.minutes(5))) func `content that expands endlessly delays no other exchange and can be canceled at once`() async throws {
    // The 14 KB expand to 16 GB.
    server.answer("/bomb", .ok(BrotliBomb.data(blocks: 1_000), headers: ["Content-Encoding": "br"]))
    let gate = LoopbackServer.Gate()
    server.answer("/other", .ok(Data.pattern(100_000)).held(by: gate))
    let fetcher = makeFetcher()
    let (bomb, other) = (server.url("/bomb"), server.url("/other"))
    let small = Task { try await fetcher.collect(other).body }
    await gate.waitForArrival()
    let large = Task { try await fetcher.fetch(FutureImage.Request(url: bomb)) { if case .bytes = $0 { gate.open() } } }
    #expect(try await small.value == Data.pattern(100_000))
    large.cancel()
    await #expect(throws: CancellationError.self) { try await large.value }
  }

  @Test(.timeLimit(.minutes(5))) func `content that expands endlessly times out`() async throws {
    server.answer("/bomb", .ok(BrotliBomb.data(blocks: 1_000), headers: ["Content-Encoding": "br"]))
    let time = EndingClock()
    let clock = time.manual
    let fetcher = FutureImage.CurlFetcher(.init(proxy: .none), clock: RunningClock(clock))
    let reason = await fetcher.reason(FutureImage.Request(url: server.url("/bomb"), timeout: .seconds(1))) { event in
      if case .bytes = event { clock.advance(by: .milliseconds(400)) }
    }
    #expect(reason == .transport(.timedOut))
  }

  @Test func `large compressed content arrives whole`() async throws {
    let content = Data.pattern(5_000_000)
    server.answer("/gzip", .ok(Gzip.stored(content), headers: ["Content-Encoding": "gzip"]))
    #expect(try await makeFetcher().collect(server.url("/gzip")).body == content)
  }

  @Test(arguments: ["Content-Encoding", "Transfer-Encoding"])
  func `if a response declares more codings than the fetcher decodes, the response fails as malformed`(field: String) async throws {
    let codings = Array(repeating: "gzip", count: 6).joined(separator: ", ")
    server.answer("/a", .raw(Data("HTTP/1.1 200 OK\r\n\(field): \(codings)\r\nConnection: close\r\n\r\n.".utf8)))
    #expect(await makeFetcher().reason(server.url("/a"))?.isMalformed == true)
  }

  @Test(arguments: [204, 304]) func `a response without a body succeeds even if the response declares a content coding`(status: Int)
    async throws
  {
    server.answer("/a", .status(status, headers: ["Content-Encoding": "gzip"]))
    #expect(try await makeFetcher().collect(server.url("/a")).response?.status == status)
  }

  @Test func `a header field with an empty value is sent`() async throws {
    server.answer("/a", .ok(Data([1])))
    _ = try await makeFetcher().collect(FutureImage.Request(url: server.url("/a"), headers: ["X-Empty": ""]))
    #expect(server.requests.map { $0.headers["X-Empty"] } == [""])
  }

  @Test func `the underlying error of a failure includes libcurl's code, the system error, and a message`() async throws {
    server.stop()
    let url = server.url("/a")
    let failure = await #expect(throws: FutureImage.Failure.self) { _ = try await makeFetcher().collect(url) }
    let fault = try #require(failure?.underlying as? FutureImage.CurlFetcher.Fault)
    // An app cannot name the type, so it casts the fault to NSError.
    #expect((fault as NSError).code == fault.code)
    #expect(fault.code == 7)
    #expect(fault.systemError == ECONNREFUSED)
    #expect(!fault.message.isEmpty)
  }

  @Test(
    arguments: [
      (3, 0, "", false, .refused("its URL is malformed; check it")), (5, 0, "", false, .transport(.hostNotFound)),
      (7, ENETUNREACH, "", false, .transport(.offline)), (7, ETIMEDOUT, "", false, .transport(.timedOut)),
      (7, 0, "", false, .transport(.connectionRefused)), (27, 0, "", true, .tooLongHead()),
      (
        27, 0, "Out of memory", false,
        .transport(.other("there is not enough memory; release memory and try again (libcurl error 27: Out of memory)"))
      ), (100, 0, "", true, .tooLongHead()),
      (55, EPIPE, "", false, .transport(.connectionLost)),
      (56, 0, "chunk hex-length", false, .malformed("its chunks are broken (libcurl error 56: chunk hex-length)")),
      (35, 0, "error:0A00010B:SSL routines::wrong version number", true, .transport(.untrusted)),
      (35, 0, "error:0A000126:SSL routines::unexpected eof while reading", true, .transport(.connectionLost)),
      (35, 0, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a:443", true, .transport(.connectionLost)),
      (35, 0, "gnutls_handshake() failed: The TLS connection was non-properly terminated.", true, .transport(.connectionLost)),
      (35, 0, "gnutls_handshake() failed: Error in the pull function.", true, .transport(.connectionLost)),
      (35, 0, "gnutls_handshake() failed: A packet with illegal or unsupported version was received.", true, .transport(.untrusted)),
      (56, 0, "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required", true, .transport(.untrusted)),
      (59, 0, "", true, .transport(.untrusted)), (98, 0, "", true, .transport(.untrusted)),
      (35, ECONNRESET, "", true, .transport(.connectionLost)),
      (60, 0, "", true, .transport(.untrusted)), (92, 0, "", false, .transport(.connectionLost)),
      (77, 0, "", true, .refused("the system's certificate authorities cannot be read; install the Debian package ca-certificates")),
      (1, 0, "x", true, .malformed("it is not HTTP/1 or HTTP/2 (libcurl error 1: x)")),
      (61, 0, "x.", true, .malformed("its content coding is broken (libcurl error 61: x)")),
      (81, 0, "", false, .transport(.other("the transfer failed; try again later (libcurl error 81)")))
    ] as [(Int, Int32, String, Bool, FutureImage.Failure.Reason)])
  func `each error code of libcurl results in the expected failure reason`(
    code: Int, systemError: Int32, text: String, inHead: Bool, reason: FutureImage.Failure.Reason
  ) {
    let fault = FutureImage.CurlFetcher.Fault(code: code, systemError: systemError, message: text)
    #expect(fault.failure(inHead: inHead).reason == reason)
  }
}
#endif
