import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Jobs that are canceled or promoted before their thread or task runs.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CanceledBeforeRunTests {
  /// A tier without entries, with one thread.
  private final class OneThread: BlockingTier {
    let readers = WorkQueue(label: "one thread", width: 1, qos: .utility)
    let group = "one thread"
    private let read = Lock<[String]>([])

    var writers: WorkQueue { readers }
    var fileLocation: TierLocation { TierLocation(name: group, group: group) }

    /// The keys that were looked up, in order.
    var keys: [String] { read.withLock { $0 } }

    func waitForEntry(forKey key: String) -> FutureImage.CacheEntry? {
      read.withLock { $0.append(key) }
      return nil
    }

    func waitForStore(_ entry: FutureImage.CacheEntry, forKey key: String) {}
    func waitForRemoval(forKey key: String) {}
  }

  /// A fetcher whose tasks begin when the test sends `mayBegin`.
  private final class HeldHost: TaskHost {
    let held = HeldFetcher()
    let mayBegin = Signal()

    func makeTask(_ priority: TaskPriority, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      Task.detached(priority: priority) { [mayBegin] in
        await mayBegin.wait()
        await body()
      }
    }

    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      try await held.fetch(request, receive: receive)
    }
  }

  @Test func `many canceled lookups read nothing and release their slots`() async {
    let (fixture, tier, mayGoOn) = (LoaderFixture(), OneThread(), DispatchSemaphore(value: 0))
    tier.readers.submit { mayGoOn.wait() }
    let canceled = (0..<60).map { fixture.future("\($0)", policy: .tiers(disk: tier)) }
    let last = fixture.future("last", policy: .tiers(disk: tier))
    for future in canceled { future.cancel() }
    mayGoOn.signal()
    await fixture.serve("last")
    #expect(last.phase.name == "fetched")
    #expect(tier.keys == [LoaderFixture.url("last").absoluteString])
  }

  @Test func `canceled lookups leave their slots to lookups that wait`() async {
    let (fixture, tier, mayGoOn) = (LoaderFixture(), OneThread(), DispatchSemaphore(value: 0))
    tier.readers.submit { mayGoOn.wait() }
    // Eight lookups of a tier have slots at a time, so the last lookup waits.
    let canceled = (0..<8).map { fixture.future("\($0)", policy: .tiers(disk: tier)) }
    let last = fixture.future("last", policy: .tiers(disk: tier))
    for future in canceled { future.cancel() }
    mayGoOn.signal()
    await fixture.serve("last")
    #expect(last.phase.name == "fetched")
    #expect(tier.keys == [LoaderFixture.url("last").absoluteString])
  }

  @Test func `a waiting lookup is promoted when its image is awaited`() async {
    let (fixture, tier, mayGoOn) = (LoaderFixture(), OneThread(), DispatchSemaphore(value: 0))
    tier.readers.submit { mayGoOn.wait() }
    let futures = (0..<12).map { fixture.future("\($0)", policy: .tiers(disk: tier)) }
    futures[11].wait(.full) { _ in }
    mayGoOn.signal()
    await waitWhile(tier.keys.count < 12)
    // The first eight lookups have slots, so the promoted lookup is the ninth.
    #expect(tier.keys == (Array(0..<8) + [11, 8, 9, 10]).map { LoaderFixture.url("\($0)").absoluteString })
    for future in futures { future.cancel() }
    await fixture.loader.waitForIdle()
  }

  @Test func `a canceled decode decodes nothing and releases its slot`() async throws {
    let (fixture, mayGoOn) = (LoaderFixture { $0.maxDecodes = 1 }, DispatchSemaphore(value: 0))
    let (canceled, other) = (fixture.future("canceled"), fixture.future("other"))
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    fixture.loader.decoding.submit { mayGoOn.wait() }
    canceled.wait(.full) { _ in }
    #expect(fixture.loader.decodeCount == 1)
    canceled.cancel()
    let waiting = Task { try await other.value }
    mayGoOn.signal()
    #expect(try await waiting.value.cgImage?.width == 64)
    #expect(fixture.loader.statistics.decodes == 1)
  }

  @Test func `a canceled transfer makes no request, reports nothing, and releases its slot`() async {
    let (host, events) = (HeldHost(), Lock<[String]>([]))
    let fixture = LoaderFixture { configuration in
      configuration.fetcher = host
      configuration.maxTransfersPerHost = 1
      configuration.onEvent = { key, _ in events.withLock { $0.append(key) } }
    }
    let canceled = (0..<60).map { fixture.future("\($0)") }
    let last = fixture.future("last")
    for future in canceled { future.cancel() }
    host.mayBegin.send()
    await host.held.waitForRequests()
    host.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    #expect(last.phase.name == "fetched")
    #expect(host.held.requests.map(\.url) == [LoaderFixture.url("last")])
    #expect(events.withLock { Set($0) } == [LoaderFixture.url("last").absoluteString])
  }
}
