import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Transient failures. The loader remembers such a failure for some time, during which requests for the image fail at once. The time grows
/// with each further failure.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TransientMemoryTests {
  private let held = HeldFetcher()
  private let clock = ManualClock()
  private let loader: FutureImage.Loader

  init() {
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.retry = .never
    configuration.clock = clock
    loader = FutureImage.Loader(configuration, notifications: NotificationCenter())
  }

  private func future() -> FutureImage { FutureImage(.url(LoaderFixture.url()), loader: loader) }

  private func fail() async {
    await held.waitForHeld()
    held.fail(nil, .transport(.offline))
    await loader.waitForIdle()
  }

  private final class OfflineFetcher: FutureImage.Fetcher {
    let count = Lock(0)

    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      count.withLock { $0 += 1 }
      throw FutureImage.Failure(.transport(.offline))
    }
  }

  @Test func `a view that is bound again and again to a failing image causes requests at growing intervals`() async {
    let fetcher = OfflineFetcher()
    var configuration = loader.configuration
    configuration.fetcher = fetcher
    let loader = FutureImage.Loader(configuration, notifications: NotificationCenter())
    let (view, future) = (imageView(64), FutureImage(.url(LoaderFixture.url()), loader: loader))
    for _ in 0..<400 {
      view.futureImage = future
      await loader.waitForIdle()
      clock.advance(by: .milliseconds(100))
    }
    // The requests are made at 0, 1, 3, 7, 15, and 31 seconds.
    #expect(fetcher.count.withLock { $0 } == 6)
  }

  @Test func `until a transient failure is forgotten, other futures of the image fail without a request`() async throws {
    let first = future()
    await fail()
    let second = future()
    await loader.waitForIdle()
    #expect(second.failure?.reason == .transport(.offline))
    await #expect(throws: FutureImage.Failure.self) { try await second.value }
    #expect(held.requests.count == 1)
    clock.advance(by: .seconds(1))
    imageView(64).futureImage = second
    await held.waitForRequests(2)
    held.resolve(with: SampleImage.jpeg())
    _ = try await first.value
  }

  @Test func `a reload after a transient failure requests the image at once`() async throws {
    let future = future()
    await fail()
    future.reload()
    await held.waitForRequests(2)
    held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
  }

  /// Makes the loader remember a failure of the source, or a failure of the bytes if `ofBytes` is true.
  private func remember(_ fixture: LoaderFixture, _ reason: FutureImage.Failure.Reason, ofBytes: Bool = false) {
    let failureEntry = FailureMemory.Entry(FutureImage.Failure(reason), memory: .seconds(30), clock: fixture.clock)
    let key = SourceKey(LoaderFixture.url().absoluteString)
    fixture.loader.change { state in
      guard let picture = state.pictures[key] else { return }
      if ofBytes {
        fixture.loader.refuse(picture, as: failureEntry, &state)
      } else {
        picture.remembered.failureMemory.insert(failureEntry, &state.departed)
      }
    }
  }

  @Test func `an image that waits for the disk is stored after a transient failure, unless its bytes are undecodable`() async throws {
    for (reason, isStored) in [(FutureImage.Failure.Reason.status(503), true), (.undecodable("it ends early"), false)] {
      let (disk, slow) = (FutureImage.DiskCache.temporary(), HeldTier())
      let fixture = LoaderFixture(disk: disk)
      // While a lookup runs, the loader delays its writes. So no image is stored before the lookup of this future ends.
      slow.holdReads()
      let other = fixture.future("other", policy: .tiers(disk: slow))
      await slow.waitForReads()
      let future = fixture.future()
      await fixture.held.waitForHeld()
      fixture.held.resolve(with: SampleImage.jpeg())
      _ = try await future.value
      #expect(fixture.loader.state.withLock { $0.pictures[SourceKey(future.key)]?.staged?.entry } != nil)
      remember(fixture, reason, ofBytes: !isStored)
      other.cancel()
      slow.release()
      await fixture.loader.waitForIdle()
      let entry = try await disk.entry(forKey: future.key)
      #expect((entry != nil) == isStored)
    }
  }

  @Test func `the failures of a source are forgotten when the source confirms its image`() async {
    let fixture = LoaderFixture(disk: .temporary())
    let first = fixture.future()
    await fixture.serve(headers: ["etag": "\"1\"", "cache-control": "no-cache"])
    let second = fixture.future()
    await fixture.held.waitForHeld()
    remember(fixture, .status(503))
    fixture.held.answer(nil, FutureImage.Response(status: 304, headers: ["etag": "\"1\""]))
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.failureCount(of: SourceKey(first.key)) == 0)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `the arrival of an image resets the count of failures`() async throws {
    let (view, future) = (imageView(64), future())
    await fail()
    clock.advance(by: .seconds(1))
    view.futureImage = future
    await fail()
    future.reload()
    await held.waitForRequests(3)
    held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
    #expect(loader.failureCount(of: SourceKey(future.key)) == 0)
  }

  @Test(arguments: [(1, 1.0), (2, 2.0), (5, 16.0), (6, 30.0), (1_000, 30.0)])
  func `each further transient failure is remembered twice as long, up to the time for permanent failures`(count: Int, seconds: Double) {
    let policy = FutureImage.RetryPolicy()
    #expect(policy.memory(of: FutureImage.Failure(.transport(.offline)), after: count) == .seconds(seconds))
    #expect(policy.memory(of: FutureImage.Failure(.status(404)), after: count) == .seconds(30))
    #expect(policy.memory(of: FutureImage.Failure(.cancelled), after: count) == .zero)
    #expect(policy.memory(of: FutureImage.Failure(.transport(.avoidedNetwork)), after: count) == .zero)
  }
}
