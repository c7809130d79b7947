import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// The handling of well-formed responses by every HTTP fetcher.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HTTPFetcherTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  @Test(arguments: HTTPBackend.all)
  func `the response arrives once, before the body, which arrives whole and in order`(backend: HTTPBackend) async throws {
    let body = Data.pattern(300_000)
    server.answer("/a", .ok(body, contentType: "image/png"))
    let collected = try await backend.makeFetcher().collect(server.url("/a"))
    #expect(collected.responses.count == 1)
    #expect(collected.early == 0)
    #expect(collected.body == body)
    #expect(collected.response?.status == 200)
    #expect(collected.response?.expectedBytes == 300_000)
    #expect(collected.response?.headers["content-type"] == "image/png")
  }

  @Test(arguments: HTTPBackend.all)
  func `an error status is delivered like any other response`(backend: HTTPBackend) async throws {
    server.answer("/a", .status(503, headers: ["Retry-After": "7"], body: Data("later".utf8)))
    let collected = try await backend.makeFetcher().collect(server.url("/a"))
    #expect(collected.response?.status == 503)
    #expect(collected.response?.headers["retry-after"] == "7")
    #expect(collected.body == Data("later".utf8))
  }

  @Test(arguments: HTTPBackend.all)
  func `a redirect is delivered and not followed`(backend: HTTPBackend) async throws {
    server.answer("/a", .redirect(to: "/b"))
    server.answer("/b", .ok(Data([1])))
    let collected = try await backend.makeFetcher().collect(server.url("/a"))
    #expect(collected.response?.status == 302)
    #expect(collected.response?.headers["location"] == "/b")
    #expect(server.requestCount("/b") == 0)
  }

  @Test(arguments: HTTPBackend.all, [204, 304])
  func `a response whose status allows no body is delivered without a body, whatever length it declares`(backend: HTTPBackend, status: Int)
    async throws
  {
    server.answer("/a", .status(status, headers: ["Content-Length": "500", "ETag": "\"1\""]))
    let collected = try await backend.makeFetcher().collect(server.url("/a"))
    #expect(collected.response?.status == status)
    #expect(collected.response?.headers["etag"] == "\"1\"")
    #expect(collected.response?.expectedBytes == 0)
    #expect(collected.body.isEmpty)
  }

  @Test(arguments: HTTPBackend.all)
  func `a chunked body arrives whole, and its length is unknown beforehand`(backend: HTTPBackend) async throws {
    let body = Data.pattern(50_000)
    server.answer("/a", .ok(body).chunked(1000, 7, 20_000))
    let collected = try await backend.makeFetcher().collect(server.url("/a"))
    #expect(collected.response?.expectedBytes == nil)
    #expect(collected.body == body)
  }

  @Test(arguments: HTTPBackend.all)
  func `a body without a declared length ends with the connection`(backend: HTTPBackend) async throws {
    let body = Data.pattern(50_000)
    server.answer("/a", .ok(body).untilClose())
    let collected = try await backend.makeFetcher().collect(server.url("/a"))
    #expect(collected.response?.expectedBytes == nil)
    #expect(collected.body == body)
  }

  @Test(arguments: HTTPBackend.all)
  func `a gzip body is delivered uncompressed, and its length is unknown beforehand`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Samples.gzip, headers: ["Content-Encoding": "gzip"]))
    let collected = try await backend.makeFetcher().collect(server.url("/a"))
    #expect(collected.body == Samples.gzipContent)
    #expect(collected.response?.expectedBytes == nil)
  }

  @Test(arguments: HTTPBackend.all)
  func `an empty body causes no event with bytes`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data()))
    let pieces = Lock(0)
    try await backend.makeFetcher().fetch(FutureImage.Request(url: server.url("/a"))) { event in
      if case .bytes = event { pieces.withLock { $0 += 1 } }
    }
    #expect(pieces.withLock { $0 } == 0)
  }

  @Test(arguments: HTTPBackend.allBut(corelibsFault: "keeps only the last of repeated fields"))
  func `repeated header fields are joined`(backend: HTTPBackend) async throws {
    server.answer("/a", .raw(Data("HTTP/1.1 200 OK\r\nX-One: a\r\nContent-Length: 0\r\nx-one: b\r\n\r\n".utf8)))
    let collected = try await backend.makeFetcher().collect(server.url("/a"))
    #expect(collected.response?.headers["x-one"] == "a, b")
  }

  @Test(arguments: HTTPBackend.allBut(corelibsFault: "takes an interim response for the final response"))
  func `interim responses are skipped`(backend: HTTPBackend) async throws {
    let early = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
    server.answer("/a", .raw(Data("\(early)HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8)))
    let collected = try await backend.makeFetcher().collect(server.url("/a"))
    #expect(collected.responses.map(\.status) == [200])
    #expect(collected.response?.headers["link"] == nil)
    #expect(collected.body == Data("hi".utf8))
  }

  @Test(arguments: HTTPBackend.allBut(corelibsFault: "ends the process at trailer fields"))
  func `trailer fields cause no second response`(backend: HTTPBackend) async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.answer("/a", .raw(Data("\(head)2\r\nhi\r\n0\r\nX-After: 1\r\n\r\n".utf8)))
    let collected = try await backend.makeFetcher().collect(server.url("/a"))
    #expect(collected.responses.count == 1)
    #expect(collected.response?.headers["x-after"] == nil)
    #expect(collected.body == Data("hi".utf8))
  }

  @Test(arguments: HTTPBackend.all)
  func `consecutive exchanges share one connection`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data.pattern(5000)))
    let fetcher = backend.makeFetcher()
    for _ in 0..<20 { _ = try await fetcher.collect(server.url("/a")) }
    #expect(server.requestCount("/a") == 20)
    #expect(server.connectionCount == 1)
  }

  @Test func `a URLSession fetcher opens no more connections to a host than its limit`() async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/held", .ok(Data([1])).held(by: gate))
    let (fetcher, url) = (FutureImage.URLSessionFetcher(maxConnectionsPerHost: 2), server.url("/held"))
    let tasks = (0..<6).map { _ in Task { try await fetcher.collect(url).body } }
    await gate.waitForArrival(count: 2)
    gate.open()
    for task in tasks { #expect(try await task.value == Data([1])) }
    #expect(server.connectionCount <= 2)
  }

  @Test(arguments: HTTPBackend.all)
  func `each of many concurrent exchanges gets its own body`(backend: HTTPBackend) async throws {
    let server = try LoopbackServer { .ok(Data("body of \($0.path)".utf8)) }
    let fetcher = backend.makeFetcher()
    let wrongCount = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<500 {
        group.addTask {
          let collected = try await fetcher.collect(server.url("/\(index)"))
          return collected.body != Data("body of /\(index)".utf8)
        }
      }
      return try await group.reduce(0) { $1 ? $0 + 1 : $0 }
    }
    #expect(wrongCount == 0)
    #expect(server.requestCount() == 500)
    // By default, a `CurlFetcher` opens at most 96 connections.
    #expect(server.connectionCount <= 96)
  }
}
