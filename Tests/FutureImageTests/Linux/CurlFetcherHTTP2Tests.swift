#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Exchanges that share a connection. In most tests, some of them fail or are canceled. A loopback server makes the responses, and nginx
/// forwards them, usually over HTTP/2.
@Suite(
  .tags(.threads), .timeLimit(.minutes(5)),
  .enabled(if: NginxServer.isInstalled, "nginx and openssl are not installed (nginx-light, openssl)"))
struct CurlFetcherHTTP2Tests {
  private struct Enough: Error {}

  let loopback: LoopbackServer
  let nginx: NginxServer
  let fetcher: FutureImage.CurlFetcher

  init() throws {
    loopback = try LoopbackServer()
    nginx = try NginxServer(serving: Scratch.folder(), upstream: loopback.baseURL.port)
    fetcher = FutureImage.CurlFetcher(
      FutureImage.CurlFetcher.Configuration(proxy: .none, certificateAuthorities: nginx.authority.authority))
  }

  private func url(_ name: String, over front: NginxServer.Front = .http2) -> URL { nginx.url(name, .upstream, over: front) }

  private func request(_ name: String, stall: Duration = .seconds(15)) -> FutureImage.Request {
    FutureImage.Request(url: url(name), stallTimeout: stall)
  }

  /// Expects one more exchange to succeed over HTTP/2, and all exchanges together to have used the given number of connections.
  /// - Parameters:
  ///   - connections: the number of connections; nil if any number is right.
  ///   - versions: the versions of HTTP that the earlier exchanges used. HTTP/2 may be omitted.
  private func expectUnharmed(_ connections: Int? = 1, othersBy versions: Set<String> = ["HTTP/2.0"]) async throws {
    loopback.answer("/last", .ok(Data.pattern(100_000)))
    #expect(try await fetcher.collect(url("last")).body == Data.pattern(100_000))
    await nginx.log.waitForRequest("/upstream/last")
    #expect(Set(nginx.log.requests.map(\.version)) == versions.union(["HTTP/2.0"]))
    if let connections { #expect(Set(nginx.log.requests.map(\.connection)).count == connections) }
  }

  @Test func `a canceled exchange does not affect other exchanges on its connection`() async throws {
    let gate = LoopbackServer.Gate()
    loopback.answer("/held", .ok(Data.pattern(50_000)).heldBody(after: 20_000, by: gate))
    let (fetcher, held) = (fetcher, url("held"))
    let tasks = (0..<40).map { _ in Task { try await fetcher.collect(held).body } }
    await gate.waitForArrival(count: 40)
    for task in tasks[..<20] { task.cancel() }
    for task in tasks[..<20] { await #expect(throws: CancellationError.self) { try await task.value } }
    gate.open()
    for task in tasks[20...] { #expect(try await task.value == Data.pattern(50_000)) }
    try await expectUnharmed()
  }

  @Test func `cancellation at any moment does not affect other exchanges`() async throws {
    loopback.answer("/a", .ok(Data.pattern(200_000)).chunked(4_000))
    let (fetcher, target) = (fetcher, url("a"))
    let sizes = Lock<Set<Int>>([])
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          let hasBegun = Signal()
          let received = Lock(0)
          let task = Task {
            try await fetcher.fetch(FutureImage.Request(url: target)) { event in
              if case .bytes(let data) = event { received.withLock { $0 += data.count } }
              hasBegun.send()
            }
            let size = received.withLock { $0 }
            sizes.withLock { _ = $0.insert(size) }
          }
          if index % 3 > 0 { await hasBegun.wait() }
          if index % 3 < 2 { task.cancel() }
          _ = await task.result
        }
      }
    }
    #expect(sizes.withLock { $0 } == [200_000])
    // Canceling the last exchange on a connection closes the connection.
    try await expectUnharmed(nil)
  }

  @Test func `if the receiver throws an error for bytes of a body, only that exchange ends`() async throws {
    let gate = LoopbackServer.Gate()
    loopback.answer("/held", .ok(Data.pattern(50_000)).held(by: gate))
    loopback.answer("/large", .ok(Data(count: 2_000_000)))
    let (fetcher, held) = (fetcher, url("held"))
    let other = Task { try await fetcher.collect(held).body }
    await gate.waitForArrival()
    await #expect(throws: Enough.self) {
      try await fetcher.fetch(request("large")) { event in if case .bytes = event { throw Enough() } }
    }
    gate.open()
    #expect(try await other.value == Data.pattern(50_000))
    try await expectUnharmed()
  }

  @Test(arguments: ["truncated", "reset", "cut"])
  func `if the server ends a stream early, the stream fails without affecting the other streams`(name: String) async throws {
    let body = LoopbackServer.Answer.ok(Data.pattern(50_000))
    loopback.answer("/truncated", body.truncated(after: 20_000))
    loopback.answer("/reset", body.reset(after: 20_000))
    loopback.answer("/cut", body.chunked(3_000, cut: true))
    // nginx sends the end of a broken stream only with the next data of another stream. So the other exchanges repeat until the end of the
    // test.
    loopback.answer("/others", body.drip(bytes: 500, every: .milliseconds(5)))
    let (fetcher, other, hasEnded) = (fetcher, url("others"), Lock(false))
    let others = (0..<10).map { _ in
      Task {
        var isWhole = true
        repeat { isWhole = try await fetcher.collect(other).body == Data.pattern(50_000) && isWhole } while !hasEnded.withLock { $0 }
        return isWhole
      }
    }
    await loopback.waitForRequests(10)
    for _ in 0..<5 {
      let reason = await fetcher.reason(request(name))
      #expect(reason == .transport(.connectionLost) || reason == .transport(.truncated), "\(reason as Any)")
    }
    hasEnded.withLock { $0 = true }
    for task in others { #expect(try await task.value) }
    try await expectUnharmed()
  }

  @Test func `the server learns at once that the last exchange on a connection was canceled`() async throws {
    let gate = LoopbackServer.Gate()
    loopback.answer("/held", .ok(Data.pattern(50_000)).heldBody(after: 20_000, by: gate))
    let (fetcher, request) = (fetcher, request("held"))
    let hasBegun = Signal()
    let task = Task {
      try await fetcher.fetch(request) { event in if case .bytes = event { hasBegun.send() } }
    }
    await hasBegun.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await loopback.waitForOpenConnections(0)
  }

  @Test func `the server learns at once that the receiver of the last exchange on a connection threw an error`() async throws {
    loopback.answer("/held", .ok(Data.pattern(50_000)).heldBody(after: 20_000, by: LoopbackServer.Gate()))
    await #expect(throws: Enough.self) {
      try await fetcher.fetch(request("held")) { event in if case .bytes = event { throw Enough() } }
    }
    await loopback.waitForOpenConnections(0)
  }

  @Test func `a stream that stalls does not affect the other streams`() async throws {
    let (stalled, gate) = (LoopbackServer.Gate(), LoopbackServer.Gate())
    loopback.answer("/stalled", .ok(Data.pattern(50_000)).heldBody(after: 20_000, by: stalled))
    loopback.answer("/silent", .ok(Data.pattern(50_000)).held(by: stalled))
    loopback.answer("/held", .ok(Data.pattern(50_000)).heldBody(after: 20_000, by: gate))
    let (fetcher, held) = (fetcher, url("held"))
    let other = Task { try await fetcher.collect(held).body }
    await gate.waitForArrival()
    #expect(await fetcher.reason(request("stalled", stall: .milliseconds(200))) == .transport(.stalled))
    #expect(await fetcher.reason(request("silent", stall: .milliseconds(200))) == .transport(.stalled))
    gate.open()
    #expect(try await other.value == Data.pattern(50_000))
    try await expectUnharmed()
  }

  @Test func `if the server closes a stream without a response, the exchange fails with a transport fault`() async throws {
    #expect(await fetcher.reason(nginx.url("a", .closed, over: .http2))?.isTransport == true)
    try await expectUnharmed()
  }

  @Test func `exchanges lose their connection when the server process ends`() async throws {
    let gate = LoopbackServer.Gate()
    loopback.answer("/held", .ok(Data.pattern(50_000)).heldBody(after: 20_000, by: gate))
    let (fetcher, held) = (fetcher, request("held"))
    let begun = (0..<10).map { _ in Signal() }
    let tasks = begun.map { hasBegun in
      Task { try await fetcher.fetch(held) { event in if case .bytes = event { hasBegun.send() } } }
    }
    // Waits until each exchange has received bytes. If an exchange loses its connection before that, libcurl sends the request again, and
    // the failure is a refused connection.
    for hasBegun in begun { await hasBegun.wait() }
    nginx.end()
    for task in tasks {
      let reason = await #expect(throws: FutureImage.Failure.self) { try await task.value }?.reason
      #expect(reason == .transport(.connectionLost) || reason == .transport(.truncated), "\(reason as Any)")
    }
    #expect(await fetcher.reason(held) == .transport(.connectionRefused))
  }

  /// The fetcher refuses heads of more than 64 KiB. With a head that is several times as long, the whole connection ends before the fetcher
  /// has the head, and libcurl may not report why. The fetcher then repeats the request, at last over HTTP/1.1, where libcurl reports the
  /// cause.
  @Test(arguments: [[80_000], [300_000], Array(repeating: 1_000, count: 80), Array(repeating: 1_000, count: 400)])
  func `if the head of a response is too long, the exchange fails, and the next exchange succeeds`(fields: [Int]) async throws {
    let headers = fields.enumerated().map { LoopbackServer.Headers.Field(name: "X-\($0)", value: String(repeating: "a", count: $1)) }
    loopback.answer("/bad", .ok(Data([1]), headers: LoopbackServer.Headers(headers)))
    #expect(await fetcher.reason(request("bad")) == .tooLongHead())
    try await expectUnharmed(nil, othersBy: fields.max() == 300_000 || fields.count == 400 ? ["HTTP/1.1"] : [])
  }

  @Test(arguments: [[400_000], [70_000], Array(repeating: 1_000, count: 400)])
  func `if a response has a head that libcurl refuses, its image fails, and other images load`(fields: [Int]) async throws {
    let headers = fields.enumerated().map { "X-\($0.offset): \(String(repeating: "a", count: $0.element))\r\n" }.joined()
    loopback.answer("/bad", .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(headers)\r\n".utf8)))
    let (body, head) = (LoopbackServer.Gate(), LoopbackServer.Gate())
    let picture = SampleImage.noise(200, 150)
    loopback.answer("/body", .ok(picture).eTag("1").ranges().heldBody(after: 2_000, by: body), .ok(picture).eTag("1").ranges())
    loopback.answer("/head", .ok(picture).held(by: head))
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.fetcher = fetcher
    configuration.clock = PassingClock()
    let loader = FutureImage.Loader(configuration)
    let others = ["body", "head"].map { FutureImage(at: url($0), loader: loader) }
    await body.waitForArrival()
    await head.waitForArrival()
    let bad = FutureImage(at: url("bad"), loader: loader)
    let failure = await #expect(throws: FutureImage.Failure.self) { try await bad.value }
    body.open()
    head.open()
    for other in others { _ = try await other.value }
    #expect(failure?.reason == .tooLongHead())
    // The request is sent over HTTP/2 up to four times, and then over HTTP/1.1. A sixth request follows if the fifth reused a connection
    // that the server had just closed.
    #expect(loopback.requests.count { $0.path == "/bad" } <= 6)
  }

  @Test func `all exchanges complete, even if they outnumber the concurrent streams that the server permits`() async throws {
    let loopback = loopback
    for number in 0..<100 { loopback.answer("/\(number)", .ok(Data.pattern(3_000 + number))) }
    let wrongCount = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask { try await fetcher.collect(url("\(number)", over: .narrowHTTP2)).body != Data.pattern(3_000 + number) }
      }
      return try await group.reduce(0) { $1 ? $0 + 1 : $0 }
    }
    #expect(wrongCount == 0)
    #expect(loopback.requestCount() == 100)
  }

  @Test func `many concurrent large bodies arrive whole`() async throws {
    let body = Data((0..<50).map { _ in Data.pattern(60_000) }.joined())
    loopback.answer("/large", .ok(body))
    let wrongCount = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<30 { group.addTask { try await fetcher.collect(url("large")).body != body } }
      return try await group.reduce(0) { $1 ? $0 + 1 : $0 }
    }
    #expect(wrongCount == 0)
    try await expectUnharmed()
  }

  @Test(arguments: [NginxServer.Front.http1, .https1])
  func `exchanges with a server without HTTP/2 run in parallel`(front: NginxServer.Front) async throws {
    let gate = LoopbackServer.Gate()
    loopback.answer("/held", .ok(Data([1])).held(by: gate))
    let (fetcher, held) = (fetcher, url("held", over: front))
    let tasks = (0..<5).map { _ in Task { try await fetcher.collect(held).body } }
    await gate.waitForArrival(count: 5)
    gate.open()
    for task in tasks { #expect(try await task.value == Data([1])) }
  }

  @Test(arguments: [NginxServer.Front.http1, .https1])
  func `a server without HTTP/2 is contacted over HTTP/1.1`(front: NginxServer.Front) async throws {
    loopback.answer("/a", .ok(Data.pattern(3_000)))
    for _ in 0..<10 { #expect(try await fetcher.collect(url("a", over: front)).body == Data.pattern(3_000)) }
    await nginx.log.waitForRequests(10)
    #expect(Set(nginx.log.requests.map(\.version)) == ["HTTP/1.1"])
    #expect(Set(nginx.log.requests.map(\.connection)).count == 1)
  }

  @Test func `repeated fields are joined, and the fields contain no status line and no pseudo-header`() async throws {
    loopback.answer("/a", .ok(Data([1]), contentType: "image/png", headers: ["X-One": "a", "x-one": "b"]))
    let response = try await fetcher.collect(url("a")).response
    #expect(response?.status == 200)
    #expect(response?.headers["x-one"] == "a, b")
    #expect(response?.headers["content-type"] == "image/png")
    #expect(response?.headers.keys.contains { $0.hasPrefix(":") || $0.isEmpty } == false)
    #expect(response?.expectedBytes == 1)
  }
}
#endif
