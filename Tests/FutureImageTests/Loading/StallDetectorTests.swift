import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage
@testable import FutureImageTesting

/// Hosts, fetchers, and closures that do not answer. They must not delay other images. A transfer that receives nothing for a second or two
/// is silent, and gives its slot to other transfers.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct StallDetectorTests {
  /// A fetcher that does not react to cancellation.
  private final class UncancelableFetcher: FutureImage.Fetcher {
    private let state = Observed((requests: [URL](), mayEnd: false))

    var requests: [URL] { state.read { $0.requests } }

    func release() { state.update { $0.mayEnd = true } }

    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      state.update { $0.requests.append(request.url) }
      // A detached task is not canceled with its caller.
      await Task.detached { [state] in await state.wait { $0.mayEnd } }.value
    }
  }

  private let time = EndingClock()
  private let held = HeldFetcher()

  private var clock: ManualClock { time.manual }

  /// Returns a loader that runs at most 24 transfers, and at most 6 transfers of a host.
  private func makeLoader(
    _ fetcher: (any FutureImage.Fetcher)? = nil, _ change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  ) -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.fetcher = fetcher ?? held
    configuration.silence = .seconds(1)
    configuration.runningClock = RunningClock(clock)
    configuration.retry = .never
    // On a busy machine, a test may advance the clock many times before another thread gets a turn. With timeouts of a day, no transfer
    // fails meanwhile.
    (configuration.timeout, configuration.stallTimeout) = (.seconds(86_400), .seconds(86_400))
    change(&configuration)
    return FutureImage.Loader(configuration)
  }

  private func url(_ host: Int, _ number: Int) -> URL { URL(string: "https://host\(host).test/\(number).jpg") ?? LoaderFixture.url() }

  /// Advances the clock until the condition is met.
  private func advanceClock(until isMet: () -> Bool) async {
    if isMet() { return }
    await waitUntil {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      for _ in 0..<100 where !isMet() { await Task.yield() }
      return isMet()
    }
  }

  @Test func `a prepareRequest closure that hangs delays no other image, and is canceled with its future`() async throws {
    let (begun, cancelled, hangingURL) = (Signal(), Signal(), url(1, 1))
    let loader = makeLoader {
      $0.maxTransfersPerHost = 1
      $0.prepareRequest = { request in
        guard request.url == hangingURL else { return request }
        begun.send()
        await withTaskCancellationHandler {
          await cancelled.wait()
        } onCancel: {
          cancelled.send()
        }
        throw CancellationError()
      }
    }
    let future = FutureImage(at: hangingURL, loader: loader)
    await begun.wait()
    let other = FutureImage(at: url(1, 2), loader: loader)
    await advanceClock { held.requests.count == 1 }
    held.resolve(with: SampleImage.jpeg())
    _ = try await other.value
    future.cancel()
    await cancelled.wait()
    await loader.waitForIdle()
    #expect(held.requests.count == 1)
  }

  @Test func `six URLs that never answer do not block the other images of their host`() async throws {
    let (server, gate) = (try LoopbackServer(), LoopbackServer.Gate())
    defer { server.stop() }
    for number in 0..<6 { server.answer("/silent\(number).jpg", .ok(SampleImage.jpeg(8, 6)).held(by: gate)) }
    for number in 0..<30 { server.answer("/\(number).jpg", .ok(SampleImage.jpeg(8, 6))) }
    let loader = makeLoader(FutureImage.Loader.Configuration().fetcher)
    let silent = (0..<6).map { FutureImage(at: server.url("/silent\($0).jpg"), loader: loader) }
    await gate.waitForArrival(count: 6)
    let others = (0..<30).map { FutureImage(at: server.url("/\($0).jpg"), loader: loader) }
    await advanceClock { loader.statistics.requests > 6 }
    for other in others { #expect(try await other.value.size.width == 8) }
    // The silent transfers have not failed.
    #expect(silent.allSatisfy { !$0.phase.isFinal })
    gate.open()
    for future in silent { #expect(try await future.value.size.width == 8) }
    await loader.waitForIdle()
  }

  @Test func `a host that never answers has at most four times as many transfers at once as its limit allows`() async {
    let loader = makeLoader()
    let silent = (0..<40).map { FutureImage(at: url(0, $0), loader: loader) }
    await advanceClock { held.requests.count >= 24 }
    for _ in 0..<4 {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
    }
    let other = FutureImage(at: url(1, 0), loader: loader)
    await held.waitForRequests(25)
    #expect(held.requests.last?.url == url(1, 0))
    withExtendedLifetime((silent, other)) {}
  }

  @Test func `silent transfers yield their slots, and all of them can still succeed`() async {
    let loader = makeLoader()
    let silent = (0..<28).map { FutureImage(at: url($0 % 4, $0), loader: loader) }
    await held.waitForRequests(24)
    let others = (0..<12).map { FutureImage(at: url(4 + $0 % 3, $0), loader: loader) }
    #expect(held.requests.count == 24)
    await advanceClock { held.requests.count >= 40 }
    for number in 0..<40 {
      await held.waitForRequests(number + 1)
      held.resolve(held.requests[number].url, with: SampleImage.jpeg(8, 6))
    }
    await loader.waitForIdle()
    #expect((silent + others).allSatisfy { $0.phase.name == "fetched" })
  }

  @Test func `a silent transfer that receives bytes again counts toward the limit again`() async throws {
    let loader = makeLoader()
    let silent = (0..<24).map { FutureImage(at: url($0 % 4, $0), loader: loader) }
    await held.waitForRequests(24)
    let others = (0..<60).map { FutureImage(at: url(4 + $0, $0), loader: loader) }
    await advanceClock { held.requests.count >= 30 }
    await held.waitForRequests(48)
    for future in silent {
      held.begin(URL(string: future.key), with: Data(SampleImage.jpeg(80, 60).prefix(100)), of: 10_000)
    }
    let before = held.requests.count
    held.fail(url(4, 0))
    await waitWhile(loader.statistics.failures == 0)
    #expect(held.requests.count == before)
    withExtendedLifetime((silent, others)) {}
  }

  @Test func `canceled transfers yield their slots even if the fetcher does not end`() async {
    let fetcher = UncancelableFetcher()
    let loader = makeLoader(fetcher)
    let futures = (0..<7).map { FutureImage(at: url(0, $0), loader: loader) }
    await waitWhile(fetcher.requests.count < 6)
    for future in futures[..<6] { future.cancel() }
    await advanceClock { fetcher.requests.count >= 7 }
    #expect(fetcher.requests.last == url(0, 6))
    fetcher.release()
    await loader.waitForIdle()
  }

  @Test func `header closures that hang do not delay their host`() async {
    let (loader, mayEnd, calls) = (makeLoader(), Signal(), Observed(0))
    let hanging = (0..<12).map { number in
      FutureImage(
        .url(url(0, number), key: "\(number)") {
          calls.update { $0 += 1 }
          await mayEnd.wait()
          return ["X-Number": "\(number)"]
        }, loader: loader)
    }
    await calls.wait { $0 == 6 }
    let other = FutureImage(at: url(0, 100), loader: loader)
    await advanceClock { held.requests.count >= 1 }
    #expect(held.requests.map(\.url) == [url(0, 100)])
    await calls.wait { $0 == 12 }
    held.resolve(with: SampleImage.jpeg(8, 6))
    mayEnd.send()
    for number in 1...12 {
      await held.waitForRequests(number + 1)
      held.resolve(with: SampleImage.jpeg(8, 6))
    }
    await loader.waitForIdle()
    #expect((hanging + [other]).allSatisfy { $0.phase.name == "fetched" })
    #expect(loader.calloutCount == 0)
  }

  @Test func `transfers that are silent between two checks are found at the second check`() {
    var detector = StallDetector()
    detector.beginWatching([1, 2])
    detector.noteActivity(1)
    #expect(detector.poll([1, 2, 3]) == [2])
    #expect(detector.poll([1, 3]).sorted() == [1, 3])
    detector.endWatching()
    detector.beginWatching([])
    #expect(detector.poll([4]).isEmpty)
  }

  @Test func `the detector watches for silence from beginWatching to endWatching`() {
    var detector = StallDetector()
    #expect(!detector.isWatched)
    detector.beginWatching([])
    #expect(detector.isWatched)
    detector.endWatching()
    #expect(!detector.isWatched)
  }

  private func isWatched(_ loader: FutureImage.Loader) -> Bool { loader.state.withLock { $0.stallDetector.isWatched } }

  @Test func `a loader watches for silence only while transfers wait for a slot`() async {
    let loader = makeLoader()
    let first = FutureImage(at: url(0, 0), loader: loader)
    await held.waitForRequests()
    #expect(!isWatched(loader))
    let others = (1..<8).map { FutureImage(at: url(0, $0), loader: loader) }
    #expect(isWatched(loader))
    for number in 0..<8 {
      await held.waitForRequests(number + 1)
      held.resolve(held.requests[number].url, with: SampleImage.jpeg(8, 6))
    }
    await loader.waitForIdle()
    await waitUntil {
      if isWatched(loader) { clock.advance(by: .seconds(1)) }
      return !isWatched(loader)
    }
    withExtendedLifetime((first, others)) {}
  }

  @Test func `a transfer that waits for a slot does not wait for header closures that hang`() async {
    let (loader, mayEnd) = (makeLoader(), Signal())
    let hanging = (0..<60).map { number in
      FutureImage(
        .url(url(0, number), key: "\(number)") {
          await mayEnd.wait()
          return [:]
        }, loader: loader)
    }
    let last = FutureImage(at: url(0, 100), loader: loader)
    #expect(loader.waitingTransferCount > 0)
    await advanceClock { held.requests.count >= 1 }
    #expect(held.requests.map(\.url) == [url(0, 100)])
    held.resolve(with: SampleImage.jpeg(8, 6))
    mayEnd.send()
    for number in 1...60 {
      await held.waitForRequests(number + 1)
      held.resolve(with: SampleImage.jpeg(8, 6))
    }
    await loader.waitForIdle()
    #expect((hanging + [last]).allSatisfy { $0.phase.name == "fetched" })
  }

  @Test func `a silent transfer occupies a slot again from its next byte on`() async {
    let loader = makeLoader()
    let silent = (0..<24).map { FutureImage(at: url($0 % 4, $0), loader: loader) }
    await held.waitForRequests(24)
    held.begin(with: Data(SampleImage.jpeg(80, 60).prefix(100)), of: 10_000)
    let others = (0..<60).map { FutureImage(at: url(4 + $0, $0), loader: loader) }
    await advanceClock { held.requests.count >= 30 }
    await held.waitForRequests(48)
    for _ in 0..<1_000 { await Task.yield() }
    let slots = loader.slotCount
    for future in silent { held.proceed(URL(string: future.key), with: Data([0])) }
    #expect(loader.slotCount == slots + 24)
    withExtendedLifetime((silent, others)) {}
  }
}
