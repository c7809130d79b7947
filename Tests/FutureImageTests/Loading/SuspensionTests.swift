import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Transfers of a process that is suspended for an hour.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SuspensionTests {
  let time = EndingClock()
  let fixture: LoaderFixture
  var manual: ManualClock { time.manual }

  init() {
    let clock = RunningClock(time.manual)
    fixture = LoaderFixture { configuration in
      configuration.runningClock = clock
      configuration.retry = .never
    }
  }

  /// Advances the clock by an hour, as a suspension of the process does.
  private func suspend() async {
    await manual.waitForSleepers()
    manual.advance(by: .seconds(3600))
  }

  @Test(arguments: [FutureImage.Failure.Transport.connectionLost, .timedOut, .stalled, .truncated, .offline])
  func `a transfer that fails because of a suspension is retried at once, without using up an attempt`(fault: FutureImage.Failure.Transport)
    async throws
  {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    await suspend()
    fixture.held.fail(nil, .transport(fault))
    await fixture.serve()
    _ = try await future.value
    #expect(fixture.held.requests.count == 2)
    #expect(fixture.clock.waits == [])
    #expect(fixture.loader.statistics.retries == 1)
    #expect(fixture.loader.statistics.failures == 0)
  }

  @Test func `a transfer is retried once for each suspension`() async {
    let future = fixture.future()
    for count in 1...3 {
      await fixture.held.waitForRequests(count)
      await suspend()
      fixture.held.fail()
    }
    await fixture.held.waitForRequests(4)
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .transport(.connectionLost))
    #expect(fixture.held.requests.count == 4)
  }

  @Test(arguments: [FutureImage.Failure.Reason.status(503), .transport(.untrusted), .transport(.avoidedNetwork), .malformed("?")])
  func `a failure that a suspension cannot cause is not retried after a suspension`(reason: FutureImage.Failure.Reason) async {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    await suspend()
    fixture.held.fail(nil, reason)
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == reason)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a transfer that starts after a suspension is not retried because of the suspension`() async {
    let first = fixture.future("first")
    await fixture.held.waitForHeld()
    await suspend()
    let second = fixture.future("second")
    await fixture.held.waitForRequests(2)
    fixture.held.fail(LoaderFixture.url("second"))
    await waitWhile(second.failure == nil)
    #expect(fixture.held.requests.count == 2)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    withExtendedLifetime(first) {}
  }

  @Test func `bytes received before the suspension are not fetched again`() async throws {
    let jpeg = SampleImage.noise(200, 150)
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.begin(
      nil, FutureImage.Response(status: 200, headers: ["etag": "\"1\"", "accept-ranges": "bytes"], expectedBytes: jpeg.count),
      jpeg.prefix(2_000))
    await suspend()
    fixture.held.fail()
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.headers["Range"] == "bytes=2000-")
    let headers = ["etag": "\"1\"", "content-range": "bytes 2000-\(jpeg.count - 1)/\(jpeg.count)"]
    fixture.held.answer(nil, FutureImage.Response(status: 206, headers: headers), jpeg.suffix(from: 2_000))
    _ = try await future.value
  }

  @Test func `if a redirect follows a suspension, the time of the suspension is not subtracted from the timeout of the next request`()
    async throws
  {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    await suspend()
    fixture.held.answer(nil, FutureImage.Response(status: 302, headers: ["location": "https://shop.test/b.jpg"]))
    await fixture.held.waitForRequests(2)
    // One second of each suspension counts as running time.
    #expect(fixture.held.requests.map(\.timeout) == [.seconds(60), .seconds(59)])
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
  }

  @Test func `a retry after a suspension is reported`() async {
    let events = Lock<[String]>([])
    let clock = RunningClock(time.manual)
    let fixture = LoaderFixture { configuration in
      configuration.runningClock = clock
      configuration.retry = .never
      configuration.onEvent = { key, event in events.withLock { $0.append("\(key): \(event)") } }
    }
    let future = fixture.future()
    await fixture.held.waitForHeld()
    await suspend()
    fixture.held.fail()
    await fixture.serve()
    #expect(future.phase.name == "fetched")
    #expect(events.withLock { $0.contains { $0.contains("will be tried again in 0.0 ms") } })
  }
}
