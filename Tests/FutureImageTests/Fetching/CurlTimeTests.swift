#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The time limits of libcurl's exchanges, on a clock that the tests advance.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CurlTimeTests {
  private struct Enough: Error {}

  private let server: LoopbackServer
  private let time = EndingClock()
  private let clock: RunningClock
  private let fetcher: FutureImage.CurlFetcher

  init() throws {
    server = try LoopbackServer()
    clock = RunningClock(time.manual)
    fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none), clock: clock)
  }

  private func request(_ path: String, timeout: Duration = .seconds(600), stallTimeout: Duration = .seconds(600)) -> FutureImage.Request {
    FutureImage.Request(url: server.url(path), timeout: timeout, stallTimeout: stallTimeout)
  }

  /// Advances the clock by a second, and makes the thread of a fetcher check its deadlines.
  private func advance(_ fetcher: FutureImage.CurlFetcher) async {
    time.manual.advance(by: .seconds(1))
    // A clock that is not read for more than two seconds assumes that the process was suspended.
    _ = clock.now
    for _ in 0..<2 { await fetcher.makeTask(.medium) {}.value }
  }

  @Test(
    arguments: [
      (.seconds(2), .seconds(60), .transport(.timedOut)), (.seconds(60), .seconds(2), .transport(.stalled)),
      (.seconds(2), .seconds(2), .transport(.timedOut))
    ] as [(Duration, Duration, FutureImage.Failure.Reason)])
  func `an exchange fails at the end of the shorter of its two time limits`(
    timeout: Duration, stall: Duration, expected: FutureImage.Failure.Reason
  ) async {
    let gate = LoopbackServer.Gate()
    server.answer("/held", .ok(Data([1])).held(by: gate))
    let (fetcher, request) = (fetcher, request("/held", timeout: timeout, stallTimeout: stall))
    let reason = Task { await fetcher.reason(request) }
    await gate.waitForArrival()
    for _ in 0..<2 { await advance(fetcher) }
    #expect(await reason.value == expected)
  }

  @Test func `each of several exchanges stalls at the end of its own time limit`() async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/held", .ok(Data([1])).held(by: gate))
    let fetcher = fetcher
    let requests = [1, 2, 60].map { request("/held", stallTimeout: .seconds($0)) }
    let reasons = requests.map { request in Task { await fetcher.reason(request) } }
    await gate.waitForArrival(count: 3)
    for reason in reasons[..<2] {
      await advance(fetcher)
      #expect(await reason.value == .transport(.stalled))
    }
    gate.open()
    #expect(await reasons[2].value == nil)
  }

  @Test func `the time for which an exchange waits for a connection does not count toward its limits`() async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/held", .ok(Data([1])).held(by: gate))
    server.answer("/next", .ok(Data([2])))
    let fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(maxConnections: 1, proxy: .none), clock: clock)
    let (held, next) = (request("/held"), request("/next", timeout: .seconds(2), stallTimeout: .seconds(2)))
    let first = Task { try await fetcher.collect(held).body }
    await gate.waitForArrival()
    // This task runs on the fetcher's thread, so the exchange waits for a connection before the clock advances.
    let body = LockedValue<Data>()
    let waiting = fetcher.makeTask(.medium) { body.value = try? await fetcher.collect(next).body }
    for _ in 0..<5 { await advance(fetcher) }
    gate.open()
    #expect(try await first.value == Data([1]))
    await waiting.value
    #expect(body.value == Data([2]))
  }

  @Test func `if only the status is needed, the exchange waits one second for the rest of the body`() async throws {
    server.answer("/a", .status(404, body: Data.pattern(5_000)).heldBody(after: 100, by: LoopbackServer.Gate()))
    let (fetcher, request, hasResponse) = (fetcher, request("/a"), Signal())
    let task = Task {
      try await fetcher.fetch(request) { _ in
        hasResponse.send()
        throw BodyNotNeeded()
      }
    }
    await hasResponse.wait()
    // This task runs after the thread has handled the response.
    await fetcher.makeTask(.medium) {}.value
    await advance(fetcher)
    await #expect(throws: BodyNotNeeded.self) { try await task.value }
  }

  // The test does not advance the clock, so that a busy machine has time for the whole body.
  @Test(arguments: [65_536, 65_537], [true, false])
  func `if only the status is needed, the connection is reused after a body of at most 64 KiB`(size: Int, isDeclared: Bool) async throws {
    let answer = LoopbackServer.Answer.status(404, body: Data.pattern(size))
    server.answer("/a", isDeclared ? answer : answer.chunked(10_000))
    let (fetcher, request) = (fetcher, request("/a"))
    for _ in 0..<3 {
      await #expect(throws: BodyNotNeeded.self) { try await fetcher.fetch(request) { _ in throw BodyNotNeeded() } }
    }
    #expect(server.connectionCount == (size > 65_536 ? 3 : 1))
  }

  @Test func `an exchange whose content is still being decoded does not stall`() async throws {
    // The few bytes decompress to 335 MB of zeros.
    server.answer("/a", .ok(BrotliBomb.data(blocks: 20), headers: ["Content-Encoding": "br"]))
    let (fetcher, clock, manual, pieces) = (fetcher, clock, time.manual, Lock(0))
    let request = request("/a", stallTimeout: .seconds(5))
    await #expect(throws: Enough.self) {
      try await fetcher.fetch(request) { event in
        guard case .bytes = event else { return }
        manual.advance(by: .milliseconds(10))
        _ = clock.now
        let count = pieces.withLock { count in
          count += 1
          return count
        }
        // The first 3,000 pieces take 30 seconds on the clock, which is much longer than the limit.
        if count == 3_000 { throw Enough() }
      }
    }
  }

  @Test func `libcurl ends an attempt to connect at the end of the shorter of the two time limits`() async throws {
    let port = try UnansweredPort()
    let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/a"))
    // The test does not advance the fetcher's own clock.
    let request = FutureImage.Request(url: url, timeout: .seconds(600), stallTimeout: .milliseconds(300))
    #expect(await fetcher.reason(request) == .transport(.timedOut))
    withExtendedLifetime(port) {}
  }

  @Test func `a fetcher without exchanges does not read its clock`() async throws {
    server.answer("/a", .ok(Data([1])))
    let counting = CountingClock(time.manual)
    let fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none), clock: RunningClock(counting))
    _ = try await fetcher.collect(server.url("/a"))
    // From now on, the task that detects suspensions waits on the clock.
    await time.manual.waitForSleepers()
    let reads = counting.reads
    for _ in 0..<5 { await fetcher.makeTask(.medium) {}.value }
    #expect(counting.reads == reads)
  }
}

/// A manual clock that counts how often it is read.
private final class CountingClock: Clock {
  private let manual: ManualClock
  private let count = Lock(0)

  init(_ manual: ManualClock) {
    self.manual = manual
  }

  var reads: Int { count.withLock { $0 } }

  var now: ManualClock.Instant {
    count.withLock { $0 += 1 }
    return manual.now
  }

  var minimumResolution: Swift.Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Swift.Duration?) async throws {
    try await manual.sleep(until: deadline, tolerance: tolerance)
  }
}
#endif
