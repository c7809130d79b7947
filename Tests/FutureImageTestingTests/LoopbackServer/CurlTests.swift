#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

/// The server's answers to curl, which checks answers strictly.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CurlTests {
  let body = Data.pattern(100_000)

  @Test func `curl receives bodies that are plain, chunked, sent in small pieces, or ended by the end of the connection`() async throws {
    let server = try LoopbackServer()
    server.answer("/plain", .ok(body))
    server.answer("/chunked", .ok(body).chunked(1, 4_000))
    server.answer("/dripped", .ok(body).drip(bytes: 40_000, every: .milliseconds(1)))
    server.answer("/open", .ok(body).untilClose())
    for path in ["/plain", "/chunked", "/dripped", "/open"] {
      let curl = try await Curl.run(server.url(path).absoluteString)
      #expect(curl.exitCode == 0)
      #expect(curl.output == body)
    }
  }

  @Test func `curl reuses a connection, follows a redirect, and receives a response to a HEAD request`() async throws {
    let server = try LoopbackServer { _ in .ok(Data("x")) }
    server.answer("/from", .redirect(to: "/to"))
    let curl = try await Curl.run("--location", server.url("/from").absoluteString, server.url("/a").absoluteString)
    #expect(curl.text == "xx")
    #expect(server.requests.map(\.path) == ["/from", "/to", "/a"])
    #expect(server.connectionCount == 1)
    #expect(try await Curl.run("--head", server.url("/a").absoluteString).text.contains("Content-Length: 1\r\n"))
  }

  @Test func `curl receives the requested range of a body, and status 304 for an unchanged entity tag`() async throws {
    let server = try LoopbackServer()
    server.answer("/a", .ok(body).eTag("v1").ranges())
    let url = server.url("/a").absoluteString
    #expect(try await Curl.run("--range", "99990-", url).output == body.suffix(10))
    let unchanged = try await Curl.run("--header", "If-None-Match: \"v1\"", "--write-out", "%{http_code}", url)
    #expect(unchanged.text == "304")
  }

  /// curl's exit codes: 1 for an unsupported protocol version, 18 for an incomplete body, 52 for a connection that ends without a response,
  /// and 56 for an error while curl receives.
  @Test(arguments: [
    ("/truncated", 18), ("/cut", 18), ("/reset", 56), ("/closed", 52), ("/raw", 1)
  ])
  func `curl exits with the expected code for each fault`(path: String, exitCode: Int32) async throws {
    let server = try LoopbackServer()
    server.answer("/truncated", .ok(body).truncated(after: 500))
    server.answer("/cut", .ok(body).chunked(1_000, cut: true))
    server.answer("/reset", .ok(body).reset(after: 500))
    server.answer("/closed", .close)
    server.answer("/raw", .raw(Data("HTTP/9.9 200 OK\r\n\r\n")))
    #expect(try await Curl.run("--output", "/dev/null", server.url(path).absoluteString).exitCode == exitCode)
  }

  @Test func `the server receives a body that curl uploads`() async throws {
    let server = try LoopbackServer { .ok($0.body) }
    let curl = try await Curl.run("--data-binary", "abc", server.url("/a").absoluteString)
    #expect(curl.text == "abc")
    #expect(server.requests.first?.method == "POST")
  }
}
#endif
