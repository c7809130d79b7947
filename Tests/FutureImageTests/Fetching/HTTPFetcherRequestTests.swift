import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The requests that every HTTP fetcher sends.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HTTPFetcherRequestTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer { _ in .ok(Data([1])) }
  }

  private func sent(_ request: FutureImage.Request, by backend: HTTPBackend) async throws -> LoopbackServer.Request {
    _ = try await backend.makeFetcher().collect(request)
    return try #require(server.requests.last)
  }

  @Test(arguments: HTTPBackend.all)
  func `a plain request prefers images and has no cookies or credentials`(backend: HTTPBackend) async throws {
    let request = try await sent(FutureImage.Request(url: server.url("/a%20b?c=d#e")), by: backend)
    #expect(request.method == "GET")
    #expect(request.path == "/a%20b?c=d")
    #expect(request.headers["Accept"]?.hasSuffix("image/*,*/*;q=0.8") == true)
    #expect(request.headers["Accept"]?.contains("heic") == false)
    #expect(request.headers["User-Agent"]?.isEmpty == false)
    #expect(request.headers["Accept-Encoding"]?.contains("gzip") == true)
    #expect(request.headers["Cookie"] == nil)
    #expect(request.headers["Authorization"] == nil)
  }

  @Test(arguments: HTTPBackend.all, ["webp/lossy.webp", "avif/color.avif"])
  func `a request accepts WebP and AVIF only if the platform decodes them`(backend: HTTPBackend, fixture: String) async throws {
    let decoder = makePlatformDecoder(FutureImage.DecodingLimits())
    let isDecoded = (try? decoder.size(of: EndOfDataTests.fixture(fixture))) != nil
    let accept = try await sent(FutureImage.Request(url: server.url("/a")), by: backend).headers["Accept"]
    let type = "image/" + (fixture as NSString).pathExtension
    #expect(accept?.split(separator: ",").contains { $0 == type } == isDecoded)
  }

  @Test(arguments: HTTPBackend.all)
  func `the request's own fields replace the default fields`(backend: HTTPBackend) async throws {
    let headers = ["accept": "image/webp", "User-Agent": "Shop/2", "X-Key": "a:b, \"c\"", "Accept-Encoding": "identity"]
    let request = try await sent(FutureImage.Request(url: server.url("/a"), headers: headers), by: backend)
    #expect(request.headers["Accept"] == "image/webp")
    #expect(request.headers["User-Agent"] == "Shop/2")
    #expect(request.headers["X-Key"] == "a:b, \"c\"")
    #expect(request.headers["Accept-Encoding"] == "identity")
  }

  @Test(arguments: HTTPBackend.all)
  func `a URL of nine megabytes is refused, and no request is made`(backend: HTTPBackend) async throws {
    let url = server.url("/" + String(repeating: "a", count: 9_000_000))
    #expect(await backend.makeFetcher().reason(url) == .refused("its URL is longer than 8000000 bytes; shorten it"))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: HTTPBackend.all)
  func `a request for a range asks for an uncompressed body`(backend: HTTPBackend) async throws {
    let request = try await sent(FutureImage.Request(url: server.url("/a"), headers: ["range": "bytes=5-"]), by: backend)
    #expect(request.headers["Range"] == "bytes=5-")
    #expect(request.headers["Accept-Encoding"] == "identity")
  }

  @Test(arguments: HTTPBackend.all)
  func `credentials in a URL are sent as Basic authentication, but not with the next request`(backend: HTTPBackend) async throws {
    var url = try #require(URLComponents(url: server.url("/a"), resolvingAgainstBaseURL: true))
    url.user = "m@e"
    url.password = "p@ss"
    let fetcher = backend.makeFetcher()
    _ = try await fetcher.collect(#require(url.url))
    _ = try await fetcher.collect(server.url("/a"))
    let expected = "Basic " + Data("m@e:p@ss".utf8).base64EncodedString()
    #expect(server.requests.map { $0.headers["Authorization"] } == [expected, nil])
  }

  @Test(arguments: HTTPBackend.all)
  func `the fields of one request are not sent with the next request`(backend: HTTPBackend) async throws {
    let fetcher = backend.makeFetcher()
    let headers = ["X-Key": "1", "Range": "bytes=0-", "Accept": "text/html", "User-Agent": "another", "X-Empty": ""]
    _ = try await fetcher.collect(FutureImage.Request(url: server.url("/a"), headers: headers))
    _ = try await fetcher.collect(server.url("/a"))
    // A new fetcher sends this request, which therefore has no fields of an earlier request.
    let separate = try await sent(FutureImage.Request(url: server.url("/a")), by: backend)
    #expect(server.requests.map { $0.headers["X-Key"] } == ["1", nil, nil])
    #expect(server.requests[1].headers == separate.headers)
  }

  @Test(arguments: HTTPBackend.all)
  func `an explicit Authorization field overrides credentials in the URL`(backend: HTTPBackend) async throws {
    var url = try #require(URLComponents(url: server.url("/a"), resolvingAgainstBaseURL: true))
    url.user = "me"
    url.password = "secret"
    let target = try #require(url.url)
    let request = try await sent(FutureImage.Request(url: target, headers: ["authorization": "Bearer x"]), by: backend)
    #expect(request.headers["Authorization"] == "Bearer x")
  }

  @Test(arguments: HTTPBackend.all)
  func `a scheme may contain capital letters`(backend: HTTPBackend) async throws {
    let url = try #require(URL(string: server.url("/a").absoluteString.replacing("http:", with: "HtTP:")))
    #expect(try await sent(FutureImage.Request(url: url), by: backend).path == "/a")
  }

  @Test(arguments: HTTPBackend.all)
  func `a URL may be relative to another URL`(backend: HTTPBackend) async throws {
    let url = try #require(URL(string: "a?b=c", relativeTo: server.baseURL))
    #expect(try await sent(FutureImage.Request(url: url), by: backend).path == "/a?b=c")
  }

  @Test(arguments: HTTPBackend.all)
  func `a cookie that the server sets is not sent back`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data([1]), headers: ["Set-Cookie": "id=1; Path=/"]))
    let fetcher = backend.makeFetcher()
    for _ in 0..<2 { _ = try await fetcher.collect(server.url("/a")) }
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { $0.headers["Cookie"] == nil })
  }

  @Test(arguments: HTTPBackend.all, ["ftp://localhost/a", "file:///etc/hosts", "data:,a", "http:///a", "https:a"])
  func `a URL that HTTP cannot fetch is refused`(backend: HTTPBackend, url: String) async throws {
    let reason = try await backend.makeFetcher().reason(#require(URL(string: url)))
    #expect(reason?.isRefused == true)
  }

  @Test(
    arguments: HTTPBackend.all,
    [["X-A": "1\r\nX-B: 2"], ["X-A": "1\n2"], ["X-A": "1\0"], ["X A": "1"], ["": "1"], ["X-A:": "1"], ["X\n": "1"], ["É": "1"]])
  func `a header field that HTTP does not allow is refused`(backend: HTTPBackend, headers: [String: String]) async throws {
    let reason = await backend.makeFetcher().reason(FutureImage.Request(url: server.url("/a"), headers: headers))
    #expect(reason?.isRefused == true)
    #expect(server.requestCount() == 0)
  }
}
