import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The handling of faults by every HTTP fetcher.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HTTPFetcherFaultTests {
  private static let oneErrorCode = "has one error code for every fault of transport"

  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  @Test(arguments: HTTPBackend.allBut(corelibsFault: oneErrorCode))
  func `a body shorter than declared fails as truncated`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data.pattern(10_000)).truncated(after: 4000))
    #expect(await backend.makeFetcher().reason(server.url("/a")) == .transport(.truncated))
  }

  @Test(arguments: HTTPBackend.allBut(corelibsFault: oneErrorCode))
  func `a compressed body shorter than declared fails as truncated`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Samples.gzip, headers: ["Content-Encoding": "gzip"]).truncated(after: 30))
    #expect(await backend.makeFetcher().reason(server.url("/a")) == .transport(.truncated))
  }

  @Test(arguments: HTTPBackend.allBut(corelibsFault: oneErrorCode))
  func `a chunked body that is cut off fails as truncated`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data.pattern(10_000)).chunked(3000, cut: true))
    #expect(await backend.makeFetcher().reason(server.url("/a")) == .transport(.truncated))
  }

  @Test(arguments: HTTPBackend.allBut(corelibsFault: "ends the process when there is no whole head"))
  func `a head that is cut off fails as truncated`(backend: HTTPBackend) async throws {
    server.answer("/a", .raw(Data("HTTP/1.1 200 OK\r\nContent-Type: im".utf8)))
    #expect(await backend.makeFetcher().reason(server.url("/a")) == .transport(.truncated))
  }

  @Test(arguments: HTTPBackend.all, [0, 4000])
  func `a reset during the body fails as a lost connection`(backend: HTTPBackend, bytes: Int) async throws {
    server.answer("/a", .ok(Data.pattern(10_000)).reset(after: bytes))
    #expect(await backend.makeFetcher().reason(server.url("/a")) == .transport(.connectionLost))
  }

  @Test(arguments: HTTPBackend.allBut(corelibsFault: oneErrorCode))
  func `a connection that is closed or reset before the first byte fails as lost`(backend: HTTPBackend) async throws {
    server.answer("/closed", .close)
    server.answer("/reset", .close.reset(after: 0))
    let fetcher = backend.makeFetcher()
    #expect(await fetcher.reason(server.url("/closed")) == .transport(.connectionLost))
    #expect(await fetcher.reason(server.url("/reset")) == .transport(.connectionLost))
  }

  @Test(arguments: HTTPBackend.all)
  func `a port without a listener refuses the connection`(backend: HTTPBackend) async throws {
    server.stop()
    #expect(await backend.makeFetcher().reason(server.url("/a")) == .transport(.connectionRefused))
  }

  @Test(arguments: HTTPBackend.all)
  func `a request to an unknown host name fails as not found`(backend: HTTPBackend) async throws {
    let url = try #require(URL(string: "http://nobody.invalid/a"))
    #expect(await backend.makeFetcher().reason(url) == .transport(.hostNotFound))
  }

  @Test(
    arguments: HTTPBackend.allBut(corelibsFault: oneErrorCode),
    [
      "hello, this is no HTTP\r\n\r\n",
      "HTTP/1.1 two hundred\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi",
      "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi"
    ])
  func `a response that violates HTTP is malformed`(backend: HTTPBackend, answer: String) async throws {
    server.answer("/a", .raw(Data(answer.utf8)))
    #expect(await backend.makeFetcher().reason(server.url("/a"))?.isMalformed == true)
  }

  @Test(
    arguments: HTTPBackend.allBut(corelibsFault: "reports only the last of several lengths"),
    ["Content-Length: 2\r\nContent-Length: 1", "Content-Length: 1, 2", "Content-Length: 2\r\nX: y\r\ncontent-length: 3"])
  func `a response that states two different lengths is malformed`(backend: HTTPBackend, fields: String) async throws {
    server.answer("/a", .raw(Data("HTTP/1.1 200 OK\r\n\(fields)\r\nConnection: close\r\n\r\nhi".utf8)))
    #expect(await backend.makeFetcher().reason(server.url("/a"))?.isMalformed == true)
  }

  @Test(arguments: HTTPBackend.all)
  func `a response that states the same length twice is valid`(backend: HTTPBackend) async throws {
    server.answer("/a", .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi".utf8)))
    #expect(try await backend.makeFetcher().collect(server.url("/a")).body == Data("hi".utf8))
  }

  @Test(
    arguments: HTTPBackend.allBut(corelibsFault: "has a limit of its own, and one error code"),
    [[400_000], Array(repeating: 1000, count: 400)])
  func `a head longer than allowed fails as too long, whether it has one field or many`(backend: HTTPBackend, fields: [Int]) async throws {
    let headers = fields.enumerated().map { "X-\($0.offset): \(String(repeating: "a", count: $0.element))\r\n" }.joined()
    server.answer("/a", .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(headers)\r\n".utf8)))
    #expect(await backend.makeFetcher().reason(server.url("/a")) == .tooLongHead())
  }

  #if !canImport(CoreGraphics)
  // URLSession does not deliver the lines of a head, so the fetcher counts the bytes of the fields. Apple's URLSession may change fields,
  // so this test runs only on Linux.
  @Test(arguments: [0, 1])
  func `with URLSession, a header field adds the bytes of its name, the bytes of its value, and four bytes to the head's length`(
    excess: Int
  ) async {
    // The head has two fields, Content-Length: 1 and X-A. Each counts four more bytes.
    let value = String(repeating: "a", count: FutureImage.Response.maxHeaderBytes - 4 - "Content-Length1X-A".utf8.count - 4 + excess)
    server.answer("/a", .ok(Data([1]), headers: ["X-A": value]))
    #expect(await HTTPBackend.urlSession.makeFetcher().reason(server.url("/a")) == (excess > 0 ? .tooLongHead() : nil))
  }
  #endif

  @Test(arguments: HTTPBackend.all)
  func `an exchange without a response stalls`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data([1])).held(by: LoopbackServer.Gate()))
    let request = FutureImage.Request(url: server.url("/a"), stallTimeout: .milliseconds(150))
    #expect(await backend.makeFetcher().reason(request) == .transport(.stalled))
    await server.waitForOpenConnections(0)
  }

  @Test(arguments: HTTPBackend.all)
  func `if a body stops arriving, the exchange stalls`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data.pattern(10_000)).heldBody(after: 4000, by: LoopbackServer.Gate()))
    let request = FutureImage.Request(url: server.url("/a"), stallTimeout: .milliseconds(150))
    #expect(await backend.makeFetcher().reason(request) == .transport(.stalled))
  }

  @Test(arguments: HTTPBackend.all)
  func `a slow body does not stall while bytes arrive`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data.pattern(70)).drip(bytes: 1, every: .milliseconds(60)))
    // The limit is shorter than the time of the whole body, and far longer than the interval between two bytes, even on a busy machine.
    let request = FutureImage.Request(url: server.url("/a"), stallTimeout: .seconds(4))
    #expect(try await backend.makeFetcher().collect(request).body == Data.pattern(70))
  }

  @Test(arguments: HTTPBackend.all)
  func `the time limit of an exchange applies even while bytes arrive`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data.pattern(10_000)).drip(bytes: 1, every: .milliseconds(20)))
    let request = FutureImage.Request(url: server.url("/a"), timeout: .milliseconds(300))
    #expect(await backend.makeFetcher().reason(request) == .transport(.timedOut))
  }

  // swift-corelibs-foundation, issue 4791: URLSession closes a socket whose dispatch source has not ended yet. If a new socket gets the
  // same number, URLSession may not watch it, and then never reads the response.
  @Test(arguments: HTTPBackend.allBut(corelibsFault: "may not watch a socket that has the number of a closed socket"))
  func `a fetcher still works after a fault`(backend: HTTPBackend) async throws {
    server.answer("/bad", .ok(Data.pattern(10_000)).reset(after: 100))
    server.answer("/good", .ok(Data.pattern(100)))
    let fetcher = backend.makeFetcher()
    for _ in 0..<5 {
      #expect(await fetcher.reason(server.url("/bad")) == .transport(.connectionLost))
      #expect(try await fetcher.collect(server.url("/good")).body == Data.pattern(100))
    }
  }
}
