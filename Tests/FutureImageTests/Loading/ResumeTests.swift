import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// A body that broke off, and its rest.
@Suite(.tags(.threads), .timeLimit(.minutes(2))) struct ResumeTests {
  let server: LoopbackServer
  let loader: FutureImage.Loader
  let picture = Picture.noise(200, 150)

  init() throws {
    server = try LoopbackServer()
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.retry.firstDelay = .zero
    loader = FutureImage.Loader(configuration)
  }

  private func ranges(_ path: String = "/a") -> [String?] {
    server.requests.filter { $0.path == path }.map { $0.headers["Range"] }
  }

  private func bytes(of future: FutureImage) async throws -> Data? {
    _ = try await future.value
    return future.keptBytes?.data
  }

  @Test func `goes on where it broke off, as often as it breaks`() async throws {
    let whole = LoopbackServer.Answer.ok(picture).eTag("1").ranges()
    server.answer("/a", whole.truncated(after: 2_000), whole.truncated(after: 1_000), whole)
    let future = FutureImage(at: server.url("/a"), loader: loader)
    #expect(try await bytes(of: future) == picture)
    #expect(ranges() == [nil, "bytes=2000-", "bytes=3000-"])
    #expect(server.requests.last?.headers["If-Range"] == "\"1\"")
    #expect(server.requests.last?.headers["Accept-Encoding"] == "identity")
    #expect(loader.statistics.bytesReceived == picture.count)
  }

  @Test func `starts over when the picture has changed meanwhile`() async throws {
    let other = Picture.noise(160, 120)
    server.answer("/a", .ok(other).eTag("1").ranges().truncated(after: 2_000), .ok(picture).eTag("2").ranges())
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == picture)
    #expect(ranges() == [nil, "bytes=2000-"])
  }

  @Test func `starts over when the server gives the part of a changed picture`() async throws {
    let rest: LoopbackServer.Headers = [
      "Content-Range": "bytes 2000-\(picture.count - 1)/\(picture.count)", "ETag": "\"2\""
    ]
    server.answer(
      "/a", .ok(picture).eTag("1").ranges().truncated(after: 2_000), .status(206, headers: rest, body: picture.dropFirst(2_000)),
      .ok(picture).eTag("2"))
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == picture)
    #expect(ranges() == [nil, "bytes=2000-", nil])
  }

  @Test(arguments: [1_000, 0])
  func `starts over when the server gives another part`(first: Int) async throws {
    let rest: LoopbackServer.Headers = ["Content-Range": "bytes \(first)-\(picture.count - 1)/\(picture.count)", "ETag": "\"1\""]
    let whole = LoopbackServer.Answer.ok(picture).eTag("1")
    server.answer("/a", whole.truncated(after: 2_000), .status(206, headers: rest, body: picture.dropFirst(first)), whole)
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == picture)
    #expect(ranges() == [nil, "bytes=2000-", nil])
  }

  @Test func `starts over when the server has no such part`() async throws {
    let whole = LoopbackServer.Answer.ok(picture).eTag("1")
    server.answer("/a", whole.truncated(after: 2_000), .status(416), whole)
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == picture)
    #expect(ranges() == [nil, "bytes=2000-", nil])
  }

  @Test func `keeps what came over an attempt that got nothing`() async throws {
    let whole = LoopbackServer.Answer.ok(picture).eTag("1").ranges()
    server.answer("/a", whole.truncated(after: 2_000), .status(503), whole)
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == picture)
    #expect(ranges() == [nil, "bytes=2000-", "bytes=2000-"])
  }

  @Test(arguments: [nil, true])
  func `starts over where nothing says that the rest is of the same picture`(weak: Bool?) async throws {
    var whole = LoopbackServer.Answer.ok(picture).ranges()
    if let weak { whole = whole.eTag("1", weak: weak) }
    server.answer("/a", whole.truncated(after: 2_000), whole)
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == picture)
    #expect(ranges() == [nil, nil])
  }

  @Test func `asks for the rest where the picture was redirected to, without the headers of the first origin`() async throws {
    let other = try LoopbackServer()
    let whole = LoopbackServer.Answer.ok(picture).eTag("1").ranges()
    other.answer("/b", whole.truncated(after: 2_000), whole)
    server.answer("/a", .redirect(to: other.url("/b").absoluteString))
    let future = FutureImage(.url(server.url("/a"), headers: ["X-Secret": "1"]), loader: loader)
    #expect(try await bytes(of: future) == picture)
    #expect(other.requests.map { $0.headers["Range"] } == [nil, "bytes=2000-"])
    #expect(other.requests.allSatisfy { $0.headers["X-Secret"] == nil })
    #expect(server.requests.allSatisfy { $0.headers["X-Secret"] == "1" })
  }
}
