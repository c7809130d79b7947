import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// The held requests of a loader that limits the number of requests in progress, and the errors of waits for more requests.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HeldFetcherLimitsTests {
  private let held = HeldFetcher()
  private let time = ManualClock()

  private func futures(_ count: Int, host: String = "shop.test", _ loader: FutureImage.Loader) -> [FutureImage] {
    (0..<count).compactMap { URL(string: "https://\(host)/\($0).jpg") }.map { FutureImage(at: $0, loader: loader) }
  }

  private func makeLoader(_ change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }) -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    change(&configuration)
    return FutureImage.Loader(configuration)
  }

  /// Waits until the fetcher holds `count` requests, while a task advances the clock that limits the wait.
  private func wait(for count: Int) async throws {
    let ticker = Task { [time] in
      for _ in 0..<500_000 where !Task.isCancelled {
        time.advance(by: .milliseconds(500))
        await Task.yield()
      }
    }
    defer { ticker.cancel() }
    try await held.waitForHeld(count, within: WaitLimit(.seconds(100_000), clock: time))
  }

  private func timeoutMessage(of count: Int) async throws -> String {
    let error = await #expect(throws: WaitTimedOut.self) { try await wait(for: count) }
    return error?.description ?? ""
  }

  @Test func `a test that awaits more held requests than a host's limit gets an error that names the limit`() async throws {
    let loader = makeLoader()
    let photos = futures(10, loader)
    let text = try await timeoutMessage(of: 7)
    let limit = "only 6 to one host at a time (maxTransfersPerHost); 4 more wait. Raise the limit, or answer a held request."
    #expect(text.contains(": 7 held requests are awaited, but the loader runs \(limit) Held: 6 (https://shop.test/"))
    withExtendedLifetime(photos) {}
  }

  @Test func `a test that awaits more held requests than maxTransfers gets an error that names maxTransfers`() async throws {
    let loader = makeLoader { $0.maxTransfers = 2 }
    let photos = ["a.test", "b.test", "c.test"].flatMap { futures(1, host: $0, loader) }
    let text = try await timeoutMessage(of: 3)
    #expect(text.contains("3 held requests are awaited, but the loader runs only 2 at a time (maxTransfers); 1 more waits."))
    withExtendedLifetime(photos) {}
  }

  @Test func `awaiting more than six held requests succeeds if the host's limit is higher or two hosts are used`() async throws {
    let wide = makeLoader { $0.maxTransfersPerHost = 8 }
    let photos = futures(8, wide)
    try await wait(for: 8)
    let loader = makeLoader()
    let others = futures(8, host: "a.test", loader) + futures(3, host: "b.test", loader)
    // The 8 requests of the first loader are still held. The second loader adds 6 requests to a.test, which is its limit, and 3 to b.test.
    try await wait(for: 17)
    withExtendedLifetime((photos, others)) {}
  }

  @Test func `a wait for a request continues while the app prepares that request`() async throws {
    let (arrival, next) = AsyncStream.makeStream(of: Void.self)
    let loader = makeLoader {
      $0.maxTransfers = 2
      $0.prepareRequest = { request in
        if request.url.host() == "slow.test" { for await _ in arrival { break } }
        return request
      }
    }
    let photos = futures(1, host: "slow.test", loader) + futures(3, loader)
    try await held.waitForHeld()
    let waiting = Task { try await wait(for: 2) }
    // The clock advances by more time than the wait needs to detect a loader without free slots.
    let begin = time.now
    try await eventually { begin.duration(to: time.now) > .seconds(60) }
    next.yield()
    try await waiting.value
    withExtendedLifetime(photos) {}
  }

  @Test func `a fetcher lists its held requests in the order in which they arrived`() async throws {
    let loader = makeLoader { $0.maxTransfersPerHost = 1 }
    var photos: [FutureImage] = []
    for (count, host) in ["b.test", "a.test", "c.test"].enumerated() {
      photos += futures(1, host: host, loader)
      try await held.waitForHeld(count + 1)
    }
    #expect(held.heldRequests.map { $0.url.host() } == ["b.test", "a.test", "c.test"])
    held.fail(photos[1].url, .status(404))
    #expect(held.heldRequests.map { $0.url.host() } == ["b.test", "c.test"])
    let urls = "https://b.test/0.jpg, https://c.test/0.jpg"
    #expect("\(held)".hasPrefix("HeldFetcher. Held: 2 (\(urls)). Requests in all: 3 ("))
    withExtendedLifetime(photos) {}
  }
}
