import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The waits between attempts, and the requests after the last attempt.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RetryTests {
  let fixture = LoaderFixture { $0.maxTransfers = 1 }

  @Test func `a transfer that waits for its next attempt leaves its slot to other transfers`() async {
    let lost = fixture.future("lost")
    let other = fixture.future("other")
    await fixture.held.waitForRequests()
    fixture.held.fail()
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.url == LoaderFixture.url("other"))
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(10))
    await waitWhile(fixture.loader.state.withLock { $0.fetches.parkedCount } > 0)
    // The wait of the first transfer has ended, but the other transfer has the slot.
    #expect(fixture.held.requests.count == 2)
    fixture.held.resolve(LoaderFixture.url("other"), with: SampleImage.jpeg())
    await fixture.held.waitForRequests(3)
    #expect(fixture.held.requests.last?.url == LoaderFixture.url("lost"))
    withExtendedLifetime((lost, other)) {}
  }

  @Test func `a transfer that waits for its next attempt ends when its last future is released`() async {
    var lost: FutureImage? = fixture.future("lost")
    await fixture.held.waitForRequests()
    fixture.held.fail()
    await fixture.clock.waitForSleepers()
    withExtendedLifetime(lost) {}
    lost = nil
    await fixture.loader.waitForIdle()
    fixture.clock.advance(by: .seconds(10))
    let other = fixture.future("other")
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.url == LoaderFixture.url("other"))
    withExtendedLifetime(other) {}
  }

  @Test func `a reload does not wait for the next attempt`() async throws {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    fixture.held.fail()
    await fixture.clock.waitForSleepers()
    future.reload()
    await fixture.held.waitForRequests(2)
    // The reload also ends the wait that the failed attempt began.
    await waitWhile(!fixture.clock.waits.isEmpty)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
    #expect(fixture.held.requests.count == 2)
  }

  @Test(.timeLimit(.minutes(5))) func `retryFailed restarts failed futures, but not canceled futures`() async throws {
    let fixture = LoaderFixture { $0.retry = .never }
    let (offline, missing, cancelled) = (fixture.future("offline"), fixture.future("missing"), fixture.future("cancelled"))
    await fixture.held.waitForRequests(3)
    fixture.held.fail(LoaderFixture.url("offline"), .transport(.offline))
    fixture.held.answer(LoaderFixture.url("missing"), FutureImage.Response(status: 404))
    cancelled.cancel()
    await fixture.loader.waitForIdle()
    #expect(offline.failure?.reason == .transport(.offline))
    #expect(missing.failure?.reason == .status(404))
    fixture.loader.retryFailed()
    await fixture.held.waitForRequests(5)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    _ = try await offline.value
    _ = try await missing.value
    #expect(fixture.held.requests.count == 5)
    #expect(cancelled.failure?.reason == .cancelled)
  }

  @MainActor @Test func `a view whose image failed offline shows the image after retryFailed`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    let view = imageView(64)
    let future = fixture.future()
    view.futureImage = future
    await fixture.held.waitForRequests()
    fixture.held.fail(nil, .transport(.offline))
    await fixture.loader.waitForIdle()
    fixture.loader.retryFailed()
    await fixture.serve()
    #expect(view.image?.cgImage != nil)
    #expect(view.image !== future)
  }

  @Test func `retryFailed also ends the wait for the next attempt`() async throws {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    fixture.held.fail()
    await fixture.clock.waitForSleepers()
    fixture.loader.retryFailed()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
  }

  // MARK: A network that returns

  @MainActor @Test func `when the network returns, the loader restarts only futures that a view shows and that failed transiently`()
    async throws
  {
    let returned = Lock<@Sendable () -> Void>({})
    let held = HeldFetcher()
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.clock = ManualClock()
    configuration.retry = .never
    let loader = FutureImage.Loader(configuration, notifications: NotificationCenter()) { onReturn in
      returned.withLock { $0 = onReturn }
      return nil
    }
    func future(_ name: String) -> FutureImage { FutureImage(.url(LoaderFixture.url(name)), loader: loader) }
    let (shown, notFound, unseen) = (future("shown"), future("missing"), future("unseen"))
    let views = [imageView(64), imageView(64)]
    views[0].futureImage = shown
    views[1].futureImage = notFound
    await held.waitForRequests(3)
    held.fail(LoaderFixture.url("shown"), .transport(.offline))
    held.fail(LoaderFixture.url("unseen"), .transport(.offline))
    held.answer(LoaderFixture.url("missing"), FutureImage.Response(status: 404))
    await loader.waitForIdle()
    returned.withLock { $0 }()
    await held.waitForRequests(4)
    #expect(held.requests.last?.url == LoaderFixture.url("shown"))
    held.resolve(with: SampleImage.jpeg())
    await loader.waitForIdle()
    #expect(views[0].image?.cgImage != nil)
    #expect(held.requests.count == 4)
    #expect(unseen.failure?.reason == .transport(.offline))
  }

  @Test(arguments: [
    ([true, true], [false, false]), ([false, false, true, true], [false, false, true, false]), ([true, false, true], [false, false, true])
  ])
  func `the network counts as returned when it becomes reachable after it was unreachable`(reported: [Bool], returns: [Bool]) {
    var network = NetworkReturns()
    #expect(reported.map { network.isReturn(isReachable: $0) } == returns)
  }

  // MARK: 401

  /// Returns a future whose header closure returns the tokens one after the other, and then the last token at each further call.
  private func signed(_ tokens: [String], _ loader: FutureImage.Loader) -> FutureImage {
    let left = Lock(tokens)
    return FutureImage(
      .url(LoaderFixture.url(), key: "a") { ["Authorization": left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? "" }] },
      loader: loader)
  }

  @Test func `if the server rejects the headers that a closure created, the closure is called once more`() async throws {
    let future = signed(["old", "new"], fixture.loader)
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 401))
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.map { $0.headers["Authorization"] } == ["old", "new"])
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
  }

  @Test func `an image fails if the server rejects the headers of the header closure twice`() async {
    let future = signed(["old", "new", "newer"], fixture.loader)
    for count in 1...2 {
      await fixture.held.waitForRequests(count)
      fixture.held.answer(nil, FutureImage.Response(status: 401))
    }
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .status(401))
    #expect(fixture.held.requests.count == 2)
  }

  @Test func `a 401 from a redirect target of another origin causes no request with new headers`() async {
    let future = signed(["old", "new"], fixture.loader)
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 302, headers: ["location": "https://other.test/a.jpg"]))
    await fixture.held.waitForRequests(2)
    fixture.held.answer(nil, FutureImage.Response(status: 401))
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .status(401))
    #expect(fixture.held.requests.count == 2)
    #expect(fixture.held.requests.last?.headers["Authorization"] == nil)
  }

  // MARK: Header closures

  private struct TokenServerDown: Error {}

  /// Returns a future whose header closure calls the given closures one after the other, and then the last of them at each further call.
  private func futureWithHeader(_ closures: [@Sendable () throws -> String], calls: Lock<Int> = Lock(0)) -> FutureImage {
    let source = FutureImage.Source.url(LoaderFixture.url(), key: "a") {
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      return ["Authorization": try closures[min(call, closures.count) - 1]()]
    }
    return FutureImage(source, loader: fixture.loader)
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      TokenServerDown(), CancellationError(), FutureImage.Failure(.cancelled), FutureImage.Failure(.transport(.offline))
    ] as [any Error])
  func `if a header closure throws, the next attempt calls the closure again`(error: any Error) async throws {
    let future = futureWithHeader([{ throw error }, { "token" }])
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1))
    await fixture.held.waitForRequests()
    #expect(fixture.held.requests[0].headers["Authorization"] == "token")
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
  }

  @Test(.timeLimit(.minutes(5)))
  func `an image fails after three attempts if its header closure throws, and a later request may succeed`() async throws {
    let calls = Lock(0)
    let future = futureWithHeader(Array(repeating: { throw TokenServerDown() }, count: 3) + [{ "token" }], calls: calls)
    for _ in 1...2 {
      await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .seconds(1))
    }
    await fixture.loader.waitForIdle()
    #expect(calls.withLock { $0 } == 3)
    #expect(future.failure?.isTransient == true)
    #expect(future.failure?.underlying is TokenServerDown)
    #expect(fixture.held.requests.isEmpty)
    async let value = future.value
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await value
  }

  @Test func `a header closure that fails permanently is not called again`() async {
    let calls = Lock(0)
    let future = futureWithHeader([{ throw FutureImage.Failure(.refused("nobody is logged in")) }], calls: calls)
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .refused("nobody is logged in"))
    #expect(calls.withLock { $0 } == 1)
  }

  @Test(.timeLimit(.minutes(5))) func `the unconditional request after an unrequested 304 has the renewed token`() async throws {
    let future = signed(["old", "new"], fixture.loader)
    for (count, status) in [(1, 401), (2, 304)] {
      await fixture.held.waitForRequests(count)
      fixture.held.answer(nil, FutureImage.Response(status: status))
    }
    await fixture.held.waitForRequests(3)
    #expect(fixture.held.requests.map { $0.headers["Authorization"] } == ["old", "new", "new"])
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
  }

  @Test(.timeLimit(.minutes(5))) func `each attempt calls the header closure for a token`() async throws {
    let future = signed(["1", "2", "3", "4"], fixture.loader)
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 401))
    await fixture.held.waitForRequests(2)
    fixture.held.fail()
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1))
    await fixture.held.waitForRequests(3)
    #expect(fixture.held.requests.map { $0.headers["Authorization"] } == ["1", "2", "3"])
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
  }

  @Test(.timeLimit(.minutes(5))) func `a 403 is retried with other headers, but not with the same headers`() async throws {
    let future = signed(["old", "new"], fixture.loader)
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 403))
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
    let fixture = LoaderFixture()
    let other = signed(["same"], fixture.loader)
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 403))
    await fixture.loader.waitForIdle()
    #expect(other.failure?.reason == .status(403))
    #expect(fixture.held.requests.count == 1)
  }

  // MARK: Responses to another request

  @Test(arguments: [304, 206])
  func `an unrequested 304 or 206 causes one unconditional request`(status: Int) async throws {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: status))
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.headers["Cache-Control"] == "no-cache")
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
    #expect(fixture.loader.statistics.retries == 1)
  }

  @Test(arguments: [304, 206])
  func `a second unrequested 304 or 206 is a failure`(status: Int) async {
    let future = fixture.future()
    for count in 1...2 {
      await fixture.held.waitForRequests(count)
      fixture.held.answer(nil, FutureImage.Response(status: status))
    }
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .malformed("it is the response to another request"))
    #expect(fixture.held.requests.count == 2)
  }

  // MARK: Slots of attempts that ended

  @Test func `transfers that wait for their next attempt leave their slots to transfers that have not started`() async {
    let fixture = LoaderFixture { $0.maxTransfersPerHost = 1 }
    let futures = (0..<60).map { fixture.future("\($0)") }
    for number in 1...60 {
      await fixture.held.waitForRequests(number)
      fixture.held.fail()
    }
    #expect(Set(fixture.held.requests.map(\.url)).count == 60)
    withExtendedLifetime(futures) {}
  }
}
