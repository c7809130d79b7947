import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// The messages of waits that reach their time limit, and the end of a wait before its limit.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct WaitLimitTests {
  private let time = ManualClock()
  private let url = URL(fileURLWithPath: "/a.jpg")

  private var limit: WaitLimit { WaitLimit(.seconds(10), clock: time) }

  /// Advances the clock by the limit, and returns the error message of the wait.
  private func timeoutMessage(of wait: @escaping @Sendable () async throws -> Void) async throws -> String {
    let task = Task { try await wait() }
    try await time.waitForSleepers()
    time.advance(by: .seconds(10))
    let error = await #expect(throws: WaitTimedOut.self) { try await task.value }
    #expect(error?.localizedDescription == error?.description)
    return error?.description ?? ""
  }

  @Test func `the timeout message of a fetcher lists its requests, and counts the canceled requests`() async throws {
    let (held, limit) = (HeldFetcher(), limit)
    let exchange = Task { [url] in try await held.fetch(FutureImage.Request(url: url)) { _ in } }
    try await held.waitForHeld()
    let (line, text) = (#line, try await timeoutMessage { try await held.waitForHeld(2, within: limit) })
    let seen = "waited 10.0 seconds for 2 held requests. Held: 1 (file:///a.jpg). Requests in all: 1 (file:///a.jpg). Canceled: 0."
    #expect(text == "WaitLimitTests.swift:\(line): \(seen)")
    held.resolve(with: Data())
    try await exchange.value
    let requests = try await timeoutMessage { try await held.waitForRequests(3, within: limit) }
    #expect(requests.hasSuffix("for 3 requests in all. Held: 0. Requests in all: 1 (file:///a.jpg). Canceled: 0."))
    let cancellations = try await timeoutMessage { try await held.waitForCancellations(within: limit) }
    #expect(cancellations.hasSuffix("for 1 canceled request. Held: 0. Requests in all: 1 (file:///a.jpg). Canceled: 0."))
  }

  @Test func `the timeout message of a clock contains the clock's time and the clock's sleepers`() async throws {
    let (clock, limit) = (ManualClock(), limit)
    let sleeper = Task { try await clock.sleep(for: .seconds(3)) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    let text = try await timeoutMessage { try await clock.waitForSleepers(2, within: limit) }
    #expect(text.hasSuffix("waited 10.0 seconds for 2 sleepers. The clock is at 1.0 seconds. Sleepers: 1 (2.0 seconds)."))
    sleeper.cancel()
  }

  @Test func `the timeout message of a server lists its requests and counts its open connections`() async throws {
    let (server, limit) = (try LoopbackServer { _ in .ok(Data("x")) }, limit)
    let client = try RawClient(server.baseURL)
    client.get("/a")
    _ = try client.readResponse()
    let requests = try await timeoutMessage { try await server.waitForRequests(1, path: "/b", within: limit) }
    #expect(requests.hasSuffix("for 1 request for /b. Requests: 1 (/a). Open connections: 1."))
    let connections = try await timeoutMessage { try await server.waitForOpenConnections(0, within: limit) }
    #expect(connections.hasSuffix("for exactly 0 open connections. Requests: 1 (/a). Open connections: 1."))
    withExtendedLifetime(client) {}
  }

  @Test func `the timeout message of a gate counts the answers that have reached the gate`() async throws {
    let (gate, limit) = (LoopbackServer.Gate(), limit)
    let text = try await timeoutMessage { try await gate.waitForArrival(count: 2, within: limit) }
    #expect(text.hasSuffix("for 2 answers at the gate. The gate is closed. Answers that reached the gate: 0."))
  }

  @Test func `the timeout message of a loader counts its jobs and lists the futures that wait for bytes or pixels`() async throws {
    let (held, limit) = (HeldFetcher(), limit)
    let loader = FutureImage.Loader(.held(by: held))
    let future = FutureImage(at: URL(fileURLWithPath: "/a.jpg"), loader: loader)
    _ = try? await future.value
    // The loader may not have delivered the failure to the future yet.
    try await loader.waitUntilIdle(within: .standard)
    let web = FutureImage(at: try #require(URL(string: "https://feed.test/a.jpg")), loader: loader)
    try await held.waitForHeld()
    let text = try await timeoutMessage { try await loader.waitUntilIdle(within: limit) }
    #expect(text.contains("for the loader to be idle. Under way: 1 transfer."))
    #expect(text.hasSuffix("Futures that wait for bytes or pixels: https://feed.test/a.jpg."))
    held.resolve(with: TestImage().png)
    try await loader.waitUntilIdle(within: .standard)
    withExtendedLifetime((future, web)) {}
  }

  @Test func `the timeout message of a fetcher shortens a long list of requests`() async throws {
    let (held, limit) = (HeldFetcher(), limit)
    let exchanges = (0..<12).map { number in
      Task { try await held.fetch(FutureImage.Request(url: URL(fileURLWithPath: "/\(number)"))) { _ in } }
    }
    try await held.waitForHeld(12)
    let text = try await timeoutMessage { try await held.waitForHeld(13, within: limit) }
    #expect(text.contains("Held: 12 (file:///"))
    #expect(text.contains(", …). Requests in all: 12 ("))
    held.fail()
    for exchange in exchanges { _ = await exchange.result }
  }

  @Test func `a wait ends and cancels its timeout if the awaited event happens before the time limit`() async throws {
    let (held, limit) = (HeldFetcher(), limit)
    let waiting = Task { try await held.waitForRequests(within: limit) }
    try await time.waitForSleepers()
    let exchange = Task { [url] in try await held.fetch(FutureImage.Request(url: url)) { _ in } }
    try await waiting.value
    try await eventually("the timeout is canceled") { time.waits.isEmpty }
    held.fail()
    _ = await exchange.result
  }
}
