import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Responses whose status decides the result before any part of the body is read. Some tests exclude `URLSession` of
/// swift-corelibs-foundation because of a fault, which is the argument of `allBut(corelibsFault:)`.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct StatusTests {
  private static let decodesEveryBody = "fails if a body does not have the declared coding, whatever the status is"

  let server: LoopbackServer
  let clock = PassingClock()
  let jpeg = SampleImage.noise(100, 80)

  init() throws {
    server = try LoopbackServer()
  }

  private func makeLoader(_ backend: HTTPBackend) -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration()
    configuration.fetcher = backend.makeFetcher()
    configuration.diskCache = nil
    configuration.clock = clock
    return FutureImage.Loader(configuration)
  }

  private func expectFailure(_ backend: HTTPBackend, _ status: Int, requests: Int) async {
    let loader = makeLoader(backend)
    let future = FutureImage(at: server.url("/a"), loader: loader)
    await loader.waitForIdle()
    #expect(future.failure?.reason == .status(status))
    #expect(loader.statistics.requests == requests)
  }

  @Test(.timeLimit(.minutes(5)), arguments: HTTPBackend.allBut(corelibsFault: decodesEveryBody), [301, 302, 303, 307, 308])
  func `a redirect is followed even if its headers declare a coding for an empty body`(backend: HTTPBackend, status: Int) async throws {
    server.answer("/a", .status(status, headers: ["Location": "/b", "Content-Encoding": "gzip"]))
    server.answer("/b", .ok(jpeg))
    _ = try await FutureImage(at: server.url("/a"), loader: makeLoader(backend)).value
  }

  @Test(.timeLimit(.minutes(5)), arguments: HTTPBackend.allBut(corelibsFault: "reports a redirect only after its body has arrived"))
  func `a redirect is followed before its body has arrived`(backend: HTTPBackend) async throws {
    server.answer(
      "/a", .status(302, headers: ["Location": "/b"], body: Data.pattern(5_000)).heldBody(after: 100, by: LoopbackServer.Gate()))
    server.answer("/b", .ok(jpeg))
    _ = try await FutureImage(at: server.url("/a"), loader: makeLoader(backend)).value
  }

  @Test(.timeLimit(.minutes(5)), arguments: HTTPBackend.allBut(corelibsFault: decodesEveryBody), ["gzip", "br", "zstd", "gzip, br, gzip"])
  func `a 503 is retried even if its body does not have the declared coding`(backend: HTTPBackend, coding: String) async throws {
    let page = LoopbackServer.Answer.status(503, headers: ["Content-Encoding": coding], body: Data("<html>not compressed".utf8))
    server.answer("/a", page, page, .ok(jpeg))
    _ = try await FutureImage(at: server.url("/a"), loader: makeLoader(backend)).value
    #expect(server.requestCount() == 3)
  }

  @Test(.timeLimit(.minutes(5)), arguments: HTTPBackend.allBut(corelibsFault: decodesEveryBody))
  func `a 404 with six codings fails like any other 404`(backend: HTTPBackend) async throws {
    let codings = Array(repeating: "gzip", count: 6).joined(separator: ", ")
    server.answer("/a", .status(404, headers: ["Content-Encoding": codings], body: Data("no".utf8)))
    await expectFailure(backend, 404, requests: 1)
  }

  @Test(.timeLimit(.minutes(5)), arguments: HTTPBackend.all, [404, 503])
  func `if a response has an error status, the rest of the body is not awaited`(backend: HTTPBackend, status: Int) async throws {
    server.answer("/a", .status(status, body: Data.pattern(5_000)).heldBody(after: 100, by: LoopbackServer.Gate()))
    await expectFailure(backend, status, requests: status == 404 ? 1 : 3)
  }

  @Test(.timeLimit(.minutes(5)), arguments: HTTPBackend.all, [404, 503])
  func `an image fails with the error status of the response even if the body breaks off`(backend: HTTPBackend, status: Int) async throws {
    server.answer("/a", .status(status, body: Data.pattern(200_000)).truncated(after: 100_000))
    await expectFailure(backend, status, requests: status == 404 ? 1 : 3)
  }

  @Test(.timeLimit(.minutes(5)), arguments: HTTPBackend.allBut(corelibsFault: "continues to read a canceled response"), [true, false])
  func `if a response has an error status, a large body is not read`(backend: HTTPBackend, isDeclared: Bool) async throws {
    let page = LoopbackServer.Answer.status(404, body: Data(count: 40 << 20))
    server.answer("/a", isDeclared ? page : page.chunked(1 << 20))
    let loader = makeLoader(backend)
    let future = FutureImage(at: server.url("/a"), loader: loader)
    await loader.waitForIdle()
    #expect(future.failure?.reason == .status(404))
    #expect(loader.statistics.bytesReceived == 0)
    await server.waitForOpenConnections(0)
    // The limit is more than systems buffer for a connection, and far less than the page.
    #expect(server.bytesSent < 16 << 20)
  }

  @Test(.timeLimit(.minutes(5)), .enabled(if: HTTPBackend.platform == .curl))
  func `after a redirect with a small body, the next request uses the same connection`() async throws {
    let loader = makeLoader(.platform)
    for index in 0..<5 {
      server.answer("/\(index)", .status(302, headers: ["Location": "/to\(index)"], body: Data.pattern(300)))
      server.answer("/to\(index)", .ok(jpeg))
      _ = try await FutureImage(at: server.url("/\(index)"), loader: loader).value
    }
    #expect(server.requestCount() == 10)
    #expect(server.connectionCount == 1)
  }
}
