import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Hosts whose server answers 429 or 503 with `Retry-After`. Such a host is held. Until the wait that the server demands has passed, no
/// transfer of the host starts.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HeldHostTests {
  private let fixture = LoaderFixture()

  private func answer(_ name: String, _ status: Int = 429, after seconds: Int = 2) {
    fixture.held.answer(LoaderFixture.url(name), FutureImage.Response(status: status, headers: ["retry-after": "\(seconds)"]))
  }

  @Test(arguments: [429, 503])
  func `after a response with Retry-After, no transfer of the host starts until the demanded wait has passed`(status: Int) async throws {
    let futures = (0..<20).map { fixture.future("\($0)") }
    // Six transfers of a host run at once.
    await fixture.held.waitForRequests(6)
    answer("0", status)
    // One sleeper is the wait of the image itself, and the other is the hold of its host.
    await fixture.clock.waitForSleepers(2)
    for number in 1..<6 { fixture.held.resolve(LoaderFixture.url("\(number)"), with: SampleImage.jpeg()) }
    for future in futures[1..<6] { _ = try await future.value }
    #expect(fixture.held.requests.count == 6)
    fixture.clock.advance(by: .seconds(2))
    await fixture.held.waitForRequests(7)
    await fixture.loader.delivered()
    // After the hold, one request at a time checks whether the host is ready again.
    #expect(fixture.held.requests.count == 7)
    let rest = Task { [held = fixture.held] in
      for count in 8...21 {
        held.resolve(with: SampleImage.jpeg())
        await held.waitForRequests(count)
      }
      held.resolve(with: SampleImage.jpeg())
    }
    for future in futures { _ = try await future.value }
    await rest.value
    // Image 0 was requested twice.
    #expect(fixture.held.requests.count == 21)
  }

  @Test func `a response with Retry-After does not delay images of another host`() async throws {
    let first = fixture.future("a")
    await fixture.held.waitForRequests(1)
    answer("a")
    await fixture.clock.waitForSleepers(2)
    let other = FutureImage(at: try #require(URL(string: "https://other.test/b.jpg")), loader: fixture.loader)
    await fixture.held.waitForRequests(2)
    withExtendedLifetime((first, other)) {}
  }

  @Test func `the waits that a host demands by Retry-After do not use up the attempts of an image`() async throws {
    let future = fixture.future("a")
    for turn in 1...5 {
      await fixture.held.waitForRequests(turn)
      answer("a")
      await fixture.clock.waitForSleepers(2)
      fixture.clock.advance(by: .seconds(2))
    }
    await fixture.held.waitForRequests(6)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
  }

  @Test func `an image fails if its server demands a wait again and again`() async throws {
    let future = fixture.future("a")
    // The policy grants 30 seconds, which are three waits of 10 seconds, and then 3 attempts.
    for turn in 1...6 {
      await fixture.held.waitForRequests(turn)
      answer("a", after: 10)
      if turn == 6 { break }
      await fixture.clock.waitForSleepers(2)
      fixture.clock.advance(by: .seconds(10))
    }
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .status(429))
  }

  @Test func `if Retry-After demands a longer wait than the policy allows, the image fails, but other images of the host are requested`()
    async throws
  {
    let future = fixture.future("a")
    await fixture.held.waitForRequests(1)
    answer("a", after: 31)
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .status(429))
    let other = fixture.future("b")
    await fixture.held.waitForRequests(2)
    withExtendedLifetime(other) {}
  }

  @Test func `a policy without retries does not retry after a response with Retry-After`() async throws {
    let fixture = LoaderFixture { $0.retry = .never }
    let future = fixture.future("a")
    await fixture.held.waitForRequests(1)
    fixture.held.answer(nil, FutureImage.Response(status: 503, headers: ["retry-after": "1"]))
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .status(503))
    #expect(fixture.clock.waits.isEmpty)
  }

  @Test func `all images arrive from a server that allows ten requests in two seconds`() async {
    let server = LimitedServer(fixture.clock)
    let futures = (0..<100).map { fixture.future("\($0)") }
    var answered = 0
    // If the loader requested refused images again and again, the test would fail after 500 requests.
    while answered < 500, !futures.allSatisfy({ ["fetched", "failed"].contains($0.phase.name) }) {
      await waitWhile(fixture.held.requests.count == answered && fixture.clock.waits.isEmpty && fixture.loader.transferCount > 0)
      if fixture.held.requests.count > answered {
        // The loader gets a refusal before the next request is answered.
        if !server.answer(answered, fixture) {
          await fixture.clock.waitForSleepers()
          server.recordRefusal(after: fixture.held.requests.count)
        }
        answered += 1
      } else {
        await fixture.loader.delivered()
        if !fixture.clock.waits.isEmpty { fixture.clock.advance(by: .milliseconds(100)) }
      }
    }
    #expect(futures.allSatisfy { $0.phase.name == "fetched" })
    #expect(server.counts.forbidden <= 3)
    #expect(server.counts.refused <= 30)
  }

  /// A server that allows ten requests in two seconds. It also counts the forbidden requests, which the loader makes although it
  /// knows that the server demands a wait.
  private final class LimitedServer: Sendable {
    private let start: ManualClock.Instant
    private let state = Lock((start: Duration.zero, served: 0, forbiddenUntil: Duration.zero, knownFrom: 0, forbidden: 0, refused: 0))

    var counts: (forbidden: Int, refused: Int) { state.withLock { ($0.forbidden, $0.refused) } }

    init(_ clock: ManualClock) { start = clock.now }

    /// Records that the loader knows of the refusal. Requests after the first `count` requests count as forbidden.
    func recordRefusal(after count: Int) { state.withLock { $0.knownFrom = min($0.knownFrom, count) } }

    /// Answers a request. Returns false if the server refuses the request.
    func answer(_ number: Int, _ fixture: LoaderFixture) -> Bool {
      let requests = fixture.held.requests
      let now = start.duration(to: fixture.clock.now)
      let serves = state.withLock { state in
        if now < state.forbiddenUntil {
          if number >= state.knownFrom { state.forbidden += 1 }
          state.refused += 1
          return false
        }
        if now >= state.start + .seconds(2) { (state.start, state.served) = (now, 0) }
        state.served += 1
        if state.served <= 10 { return true }
        state.refused += 1
        (state.forbiddenUntil, state.knownFrom) = (now + .seconds(2), .max)
        return false
      }
      if serves {
        fixture.held.resolve(requests[number].url, with: SampleImage.jpeg(8, 6))
      } else {
        fixture.held.answer(requests[number].url, FutureImage.Response(status: 429, headers: ["retry-after": "2"]))
      }
      return serves
    }
  }
}
