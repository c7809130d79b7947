import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Bodies that broke off, and the requests for their rest.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ResumeTests {
  let server: LoopbackServer
  let loader: FutureImage.Loader
  let jpeg = SampleImage.noise(200, 150)

  init() throws {
    server = try LoopbackServer()
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.retry.firstDelay = .zero
    configuration.retry.transientFailureMemory = .zero
    loader = FutureImage.Loader(configuration)
  }

  private func ranges(_ path: String = "/a") -> [String?] {
    server.requests.filter { $0.path == path }.map { $0.headers["Range"] }
  }

  private func bytes(of future: FutureImage) async throws -> Data? {
    _ = try await future.value
    return future.retainedBytes?.data
  }

  @Test func `a transfer resumes where it broke off, each time that it breaks off`() async throws {
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1").ranges()
    server.answer("/a", whole.truncated(after: 2_000), whole.truncated(after: 1_000), whole)
    let future = FutureImage(at: server.url("/a"), loader: loader)
    #expect(try await bytes(of: future) == jpeg)
    #expect(ranges() == [nil, "bytes=2000-", "bytes=3000-"])
    #expect(server.requests.last?.headers["If-Range"] == "\"1\"")
    #expect(server.requests.last?.headers["Accept-Encoding"] == "identity")
    #expect(loader.statistics.bytesReceived == jpeg.count)
  }

  @Test(.timeLimit(.minutes(5))) func `a transfer resumes as long as each attempt receives enough bytes`() async throws {
    // A transfer fails after three failed attempts, but an attempt that receives at least 32 KiB restarts this count.
    let jpeg = SampleImage.noise(800, 600)
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1").ranges()
    let pieces = jpeg.count / 40_000
    try #require(pieces > 6)
    server.answer("/a", Array(repeating: whole.truncated(after: 40_000), count: pieces) + [whole])
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == jpeg)
    #expect(ranges() == [nil] + (1...pieces).map { "bytes=\($0 * 40_000)-" })
    #expect(loader.statistics.bytesReceived == jpeg.count)
  }

  @Test(.timeLimit(.minutes(5))) func `an attempt that receives an eighth of a small body allows another attempt`() async throws {
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1").ranges()
    server.answer("/a", Array(repeating: whole.truncated(after: jpeg.count / 8 + 1), count: 7) + [whole])
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == jpeg)
    #expect(server.requestCount() == 8)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [1, 1_000]) func `a transfer fails after attempts with too few bytes`(count: Int) async throws {
    server.answer("/a", .ok(SampleImage.noise(800, 600)).eTag("1").ranges().truncated(after: count))
    let future = FutureImage(at: server.url("/a"), loader: loader)
    await loader.waitForIdle()
    #expect(future.failure?.reason == .transport(.truncated))
    #expect(server.requestCount() == 3)
  }

  @Test func `a later request resumes a failed transfer`() async throws {
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1").ranges()
    server.answer("/a", whole.truncated(after: 2_000), .status(503), .status(503), whole)
    let first = FutureImage(at: server.url("/a"), loader: loader)
    await loader.waitForIdle()
    #expect(first.failure?.reason == .status(503))
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == jpeg)
    #expect(ranges() == [nil, "bytes=2000-", "bytes=2000-", "bytes=2000-"])
    #expect(loader.statistics.bytesReceived == jpeg.count)
  }

  @Test(.timeLimit(.minutes(5))) func `a later request resumes a canceled transfer`() async throws {
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1").ranges()
    server.answer("/a", whole.heldBody(after: 2_000, by: LoopbackServer.Gate()), whole)
    let future = FutureImage(at: server.url("/a"), loader: loader)
    await waitWhile(loader.statistics.bytesReceived < 2_000)
    future.cancel()
    // The attempt may end after its future has failed.
    await waitWhile(loader.heldByteCount < 2_000)
    #expect(try await bytes(of: future) == jpeg)
    #expect(ranges() == [nil, "bytes=2000-"])
  }

  @Test func `a later request starts over if the image has changed`() async throws {
    let other = SampleImage.noise(160, 120)
    let old = LoopbackServer.Answer.ok(other).eTag("1").ranges().truncated(after: 2_000)
    server.answer("/a", old, .status(503), .status(503), .ok(jpeg).eTag("2").ranges())
    let first = FutureImage(at: server.url("/a"), loader: loader)
    await loader.waitForIdle()
    #expect(first.failure != nil)
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == jpeg)
  }

  @Test func `a transfer that broke off at one URL is not resumed at another URL of the same key`() async throws {
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1").ranges()
    server.answer("/a", whole.truncated(after: 2_000), .status(503))
    server.answer("/b", whole)
    let first = FutureImage(.url(server.url("/a"), key: "k"), loader: loader)
    await loader.waitForIdle()
    #expect(first.failure != nil)
    #expect(try await bytes(of: FutureImage(.url(server.url("/b"), key: "k"), loader: loader)) == jpeg)
    #expect(ranges("/b") == [nil])
  }

  @Test func `a permanent failure leaves no bytes to resume`() async throws {
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1").ranges()
    server.answer("/a", whole.truncated(after: 2_000), .status(404), whole)
    let future = FutureImage(at: server.url("/a"), loader: loader)
    await loader.waitForIdle()
    #expect(future.failure?.reason == .status(404))
    future.reload()
    await loader.waitForIdle()
    #expect(try await bytes(of: future) == jpeg)
    #expect(ranges() == [nil, "bytes=2000-", nil])
  }

  @Test func `a transfer starts over if the image has changed between attempts`() async throws {
    let other = SampleImage.noise(160, 120)
    server.answer("/a", .ok(other).eTag("1").ranges().truncated(after: 2_000), .ok(jpeg).eTag("2").ranges())
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == jpeg)
    #expect(ranges() == [nil, "bytes=2000-"])
  }

  @Test func `a transfer starts over if the server sends the rest of a changed image`() async throws {
    let rest: LoopbackServer.Headers = [
      "Content-Range": "bytes 2000-\(jpeg.count - 1)/\(jpeg.count)", "ETag": "\"2\""
    ]
    server.answer(
      "/a", .ok(jpeg).eTag("1").ranges().truncated(after: 2_000), .status(206, headers: rest, body: jpeg.dropFirst(2_000)),
      .ok(jpeg).eTag("2"))
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == jpeg)
    #expect(ranges() == [nil, "bytes=2000-", nil])
  }

  @Test(arguments: [1_000, 0])
  func `a transfer starts over if the server sends a range other than the requested range`(first: Int) async throws {
    let rest: LoopbackServer.Headers = ["Content-Range": "bytes \(first)-\(jpeg.count - 1)/\(jpeg.count)", "ETag": "\"1\""]
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1")
    server.answer("/a", whole.truncated(after: 2_000), .status(206, headers: rest, body: jpeg.dropFirst(first)), whole)
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == jpeg)
    #expect(ranges() == [nil, "bytes=2000-", nil])
  }

  @Test func `a transfer starts over if the server rejects the range`() async throws {
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1")
    server.answer("/a", whole.truncated(after: 2_000), .status(416), whole)
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == jpeg)
    #expect(ranges() == [nil, "bytes=2000-", nil])
  }

  @Test func `an attempt without bytes does not discard the bytes received before`() async throws {
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1").ranges()
    server.answer("/a", whole.truncated(after: 2_000), .status(503), whole)
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == jpeg)
    #expect(ranges() == [nil, "bytes=2000-", "bytes=2000-"])
  }

  @Test(arguments: [nil, true])
  func `a transfer that broke off starts over if its response has no strong validator`(weak: Bool?) async throws {
    var whole = LoopbackServer.Answer.ok(jpeg).ranges()
    if let weak { whole = whole.eTag("1", weak: weak) }
    server.answer("/a", whole.truncated(after: 2_000), whole)
    #expect(try await bytes(of: FutureImage(at: server.url("/a"), loader: loader)) == jpeg)
    #expect(ranges() == [nil, nil])
  }

  @Test func `the rest of a body is requested from the redirect target without the headers of the first origin`() async throws {
    let other = try LoopbackServer()
    let whole = LoopbackServer.Answer.ok(jpeg).eTag("1").ranges()
    other.answer("/b", whole.truncated(after: 2_000), whole)
    server.answer("/a", .redirect(to: other.url("/b").absoluteString))
    let future = FutureImage(.url(server.url("/a"), headers: ["X-Secret": "1"]), loader: loader)
    #expect(try await bytes(of: future) == jpeg)
    #expect(other.requests.map { $0.headers["Range"] } == [nil, "bytes=2000-"])
    #expect(other.requests.allSatisfy { $0.headers["X-Secret"] == nil })
    #expect(server.requests.allSatisfy { $0.headers["X-Secret"] == "1" })
  }
}
