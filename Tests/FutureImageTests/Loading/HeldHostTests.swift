import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Hosts whose server answers 429 or 503 with `Retry-After`.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HeldHostTests {
  private let shop = Shop()

  private func answer(_ name: String, _ status: Int = 429, after seconds: Int = 2) {
    shop.held.answer(Shop.url(name), FutureImage.Response(status: status, headers: ["retry-after": "\(seconds)"]))
  }

  @Test(arguments: [429, 503]) func `one image learns that its host wants no requests, and all others wait`(status: Int) async throws {
    let futures = (0..<20).map { shop.future("\($0)") }
    await shop.held.waitForRequests(6)
    answer("0", status)
    // The wait of the image itself, and the hold of its host.
    await shop.clock.waitForSleepers(2)
    for number in 1..<6 { shop.held.resolve(Shop.url("\(number)"), with: Picture.jpeg()) }
    for future in futures[1..<6] { _ = try await future.value }
    #expect(shop.held.requests.count == 6)
    shop.clock.advance(by: .seconds(2))
    await shop.held.waitForRequests(7)
    await shop.loader.delivered()
    // One request at a time shows whether the host is ready again.
    #expect(shop.held.requests.count == 7)
    let rest = Task { [held = shop.held] in
      for count in 8...21 {
        held.resolve(with: Picture.jpeg())
        await held.waitForRequests(count)
      }
      held.resolve(with: Picture.jpeg())
    }
    for future in futures { _ = try await future.value }
    await rest.value
    #expect(shop.held.requests.count == 21)
  }

  @Test func `another host is not held`() async throws {
    let first = shop.future("a")
    await shop.held.waitForRequests(1)
    answer("a")
    await shop.clock.waitForSleepers(2)
    let other = FutureImage(at: try #require(URL(string: "https://other.test/b.jpg")), loader: shop.loader)
    await shop.held.waitForRequests(2)
    withExtendedLifetime((first, other)) {}
  }

  @Test func `an image that waits its turn does not use up its attempts`() async throws {
    let future = shop.future("a")
    for turn in 1...5 {
      await shop.held.waitForRequests(turn)
      answer("a")
      await shop.clock.waitForSleepers(2)
      shop.clock.advance(by: .seconds(2))
    }
    await shop.held.waitForRequests(6)
    shop.held.resolve(with: Picture.jpeg())
    _ = try await future.value
  }

  @Test func `an image fails whose server asks it to wait again and again`() async throws {
    let future = shop.future("a")
    // 30 seconds in waits of 10, and 3 attempts.
    for turn in 1...6 {
      await shop.held.waitForRequests(turn)
      answer("a", after: 10)
      if turn == 6 { break }
      await shop.clock.waitForSleepers(2)
      shop.clock.advance(by: .seconds(10))
    }
    let failure = await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(failure?.reason == .status(429))
  }

  @Test func `a server that wants more time than the policy grants fails the image and holds no other`() async throws {
    let future = shop.future("a")
    await shop.held.waitForRequests(1)
    answer("a", after: 31)
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    let other = shop.future("b")
    await shop.held.waitForRequests(2)
    withExtendedLifetime(other) {}
  }

  @Test func `a policy without retries makes none after a Retry-After either`() async throws {
    let shop = Shop { $0.retry = .never }
    let future = shop.future("a")
    await shop.held.waitForRequests(1)
    shop.held.answer(nil, FutureImage.Response(status: 503, headers: ["retry-after": "1"]))
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(shop.clock.waits.isEmpty)
  }

  @Test func `all images of a server that allows ten requests in two seconds arrive`() async {
    let server = Limited(shop.clock)
    let futures = (0..<100).map { shop.future("\($0)") }
    var answered = 0
    while answered < 500, !futures.allSatisfy({ ["fetched", "failed"].contains($0.phase.name) }) {
      await waitWhile(shop.held.requests.count == answered && shop.clock.waits.isEmpty && shop.loader.transferCount > 0)
      if shop.held.requests.count > answered {
        // The loader hears of a refusal before the next request is answered.
        if !server.answer(answered, shop) {
          await shop.clock.waitForSleepers()
          server.hasTold(after: shop.held.requests.count)
        }
        answered += 1
      } else {
        await shop.loader.delivered()
        if !shop.clock.waits.isEmpty { shop.clock.advance(by: .milliseconds(100)) }
      }
    }
    #expect(futures.allSatisfy { $0.phase.name == "fetched" })
    #expect(server.counts.forbidden <= 3)
    #expect(server.counts.refused <= 30)
  }

  /// A server with a window of two seconds. It counts the requests that were made while it wanted none, after it had said so.
  private final class Limited: Sendable {
    private let start: ManualClock.Instant
    private let state = Lock((start: Duration.zero, served: 0, forbiddenUntil: Duration.zero, toldAt: 0, forbidden: 0, refused: 0))

    var counts: (forbidden: Int, refused: Int) { state.withLock { ($0.forbidden, $0.refused) } }

    init(_ clock: ManualClock) { start = clock.now }

    /// Counts requests as forbidden from that one on.
    func hasTold(after count: Int) { state.withLock { $0.toldAt = min($0.toldAt, count) } }

    /// Returns whether it serves the request.
    func answer(_ number: Int, _ shop: Shop) -> Bool {
      let requests = shop.held.requests
      let now = start.duration(to: shop.clock.now)
      let serves = state.withLock { state in
        if now < state.forbiddenUntil {
          if number >= state.toldAt { state.forbidden += 1 }
          state.refused += 1
          return false
        }
        if now >= state.start + .seconds(2) { (state.start, state.served) = (now, 0) }
        state.served += 1
        if state.served <= 10 { return true }
        state.refused += 1
        (state.forbiddenUntil, state.toldAt) = (now + .seconds(2), .max)
        return false
      }
      if serves {
        shop.held.resolve(requests[number].url, with: Picture.jpeg(8, 6))
      } else {
        shop.held.answer(requests[number].url, FutureImage.Response(status: 429, headers: ["retry-after": "2"]))
      }
      return serves
    }
  }
}
