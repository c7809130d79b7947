#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Exchanges of a process that is suspended for longer than their time limits.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HTTPFetcherSuspensionTests {
  @Test(arguments: HTTPBackend.all)
  func `an hour of suspension does not count toward an exchange's time limits`(backend: HTTPBackend) async throws {
    let server = try LoopbackServer()
    let gate = LoopbackServer.Gate()
    server.answer("/held", .ok(Data.pattern(50_000)).held(by: gate))
    server.answer("/other", .ok(Data([1])))
    let time = EndingClock()
    let manual = time.manual
    let fetcher = backend.makeFetcher(clock: RunningClock(manual))
    let url = server.url("/held")
    let held = Task { try await fetcher.collect(url).body }
    await gate.waitForArrival()
    await manual.waitForSleepers()
    manual.advance(by: .seconds(3600))
    // Every exchange makes a fetcher check its deadlines.
    for _ in 0..<5 { #expect(try await fetcher.collect(server.url("/other")).body == Data([1])) }
    gate.open()
    #expect(try await held.value == Data.pattern(50_000))
  }

  @Test(arguments: HTTPBackend.all) func `an hour without an exchange does not count as a suspension`(backend: HTTPBackend) async throws {
    let server = try LoopbackServer { _ in .ok(Data([1])) }
    let time = EndingClock()
    let clock = RunningClock(time.manual)
    let fetcher = backend.makeFetcher(clock: clock)
    #expect(try await fetcher.collect(server.url("/a")).body == Data([1]))
    time.manual.advance(by: .seconds(3600))
    #expect(clock.suspensions == 0)
  }

  @Test func `a URLSession exchange times out at the end of its limit`() async throws {
    let server = try LoopbackServer()
    let gate = LoopbackServer.Gate()
    server.answer("/held", .ok(Data([1])).held(by: gate))
    let time = EndingClock()
    let manual = time.manual
    let fetcher = FutureImage.URLSessionFetcher(maxConnectionsPerHost: 6, clock: RunningClock(manual))
    let request = FutureImage.Request(url: server.url("/held"), timeout: .seconds(3), stallTimeout: .seconds(60))
    let reason = Task { await fetcher.reason(request) }
    await gate.waitForArrival()
    // Two tasks sleep on the clock: one that detects suspensions, and one that waits for the deadline of the exchange.
    for _ in 0..<3 {
      await manual.waitForSleepers(2)
      manual.advance(by: .seconds(1))
    }
    #expect(await reason.value == .transport(.timedOut))
    gate.open()
  }

  @Test func `however long a suspension is, it counts as only one second toward the stall timeout of a URLSession exchange`() async throws {
    let server = try LoopbackServer()
    let gate = LoopbackServer.Gate()
    server.answer("/held", .ok(Data([1])).held(by: gate))
    let time = EndingClock()
    let manual = time.manual
    let fetcher = FutureImage.URLSessionFetcher(maxConnectionsPerHost: 6, clock: RunningClock(manual))
    let request = FutureImage.Request(url: server.url("/held"), stallTimeout: .seconds(15))
    let reason = Task { await fetcher.reason(request) }
    await gate.waitForArrival()
    await manual.waitForSleepers(2)
    manual.advance(by: .seconds(3600))
    for _ in 0..<14 {
      await manual.waitForSleepers(2)
      manual.advance(by: .seconds(1))
    }
    #expect(await reason.value == .transport(.stalled))
    gate.open()
  }

  #if canImport(Glibc) && !canImport(UIKit)
  // The test runs in a separate process, and starts a shell that stops this process, waits, and continues it.
  @Test(arguments: HTTPBackend.all)
  func `a process that was stopped for longer than the timeouts gets its response`(backend: HTTPBackend) async {
    let usesCurl = backend == .curl
    await #expect(processExitsWith: .success) { [usesCurl = usesCurl as Bool] in
      let server = try LoopbackServer()
      let gate = LoopbackServer.Gate()
      server.answer("/held", .ok(Data.pattern(50_000)).held(by: gate))
      let fetcher = usesCurl ? HTTPBackend.curl.makeFetcher() : HTTPBackend.urlSession.makeFetcher()
      let request = FutureImage.Request(url: server.url("/held"), timeout: .seconds(3), stallTimeout: .seconds(3))
      let held = Task { try await fetcher.collect(request).body }
      await gate.waitForArrival()
      try Program.run("/bin/sh", ["-c", "kill -STOP $PPID; sleep 5; kill -CONT $PPID"])
      // The following exchanges make the fetcher check its deadlines.
      server.answer("/other", .ok(Data([1])))
      for _ in 0..<5 { _ = try await fetcher.collect(server.url("/other")) }
      gate.open()
      let body = try await held.value
      exit(body == Data.pattern(50_000) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
  #endif
}
#endif
