import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images that the disk cache knows to be missing without a lookup.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct KnownMissingTests {
  private let bench: DiskCacheFixture
  private let fixture: LoaderFixture

  init() throws {
    bench = try DiskCacheFixture()
    bench.files.knowMissing()
    fixture = LoaderFixture(disk: bench.cache())
  }

  private func count(_ call: FaultyFileSystem.Call) -> Int { bench.files.calls.count { $0 == call } }

  @Test func `an image that the disk cache knows to be missing is fetched without a lookup and stored`() async throws {
    let future = fixture.future()
    await fixture.serve()
    #expect(future.phase.name == "fetched")
    #expect(count(.knowMissing) == 1)
    #expect(count(.open) == 0)
    let later = LoaderFixture(disk: bench.cache())
    _ = try await later.future().value
    #expect(count(.open) > 0)
    #expect(later.held.requests.isEmpty)
    #expect(later.loader.statistics.diskHits > 0)
  }

  @Test func `futures that join a transfer do not query the disk again`() async {
    let futures = (0..<3).map { _ in fixture.future() }
    await fixture.serve()
    #expect(futures.allSatisfy { $0.phase.name == "fetched" })
    #expect(count(.knowMissing) == 1)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `the loader looks up an entry at once if the disk cache cannot know which images are missing`() async throws {
    let bench = try DiskCacheFixture()
    let fixture = LoaderFixture(disk: bench.cache())
    let future = fixture.future()
    await fixture.serve()
    #expect(future.phase.name == "fetched")
    #expect(!bench.files.calls.contains(.knowMissing))
    #expect(bench.files.calls.count { $0 == .open } == 1)
  }

  @Test func `an image that the disk cache does not know to be missing is looked up`() async {
    bench.files.fail(.knowMissing, with: EAGAIN)
    let future = fixture.future()
    await fixture.serve()
    #expect(future.phase.name == "fetched")
    #expect(count(.open) == 1)
  }

  @Test func `bytes that could not be stored are taken from the future that retains them`() async throws {
    bench.files.fail(.openNew, with: ENOSPC)
    let future = fixture.future()
    await fixture.serve()
    #expect(future.retainedBytes != nil)
    future.requestBytesAgain()
    #expect(!future.requestsBytes)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a future that is canceled while its disk tier is queried leaves no transfer behind`() async {
    let tier = AskedTier()
    let future = fixture.deferred(.tiers(disk: tier))
    tier.onAsked { future.cancel() }
    future.start()
    #expect(future.failure?.isCancelled == true)
    #expect(fixture.held.requests.isEmpty)
    // Only the future that this test retains is left. The canceled transfer may end later.
    await waitWhile(fixture.loader.leftOver == ["futures", "slots"])
    #expect(fixture.loader.leftOver == ["futures"])
    tier.onAsked {}
  }
}

/// A tier without entries. It reports each entry as missing without a lookup, and calls a closure each time.
private final class AskedTier: BlockingTier {
  let readers = WorkQueue(label: "asked tier", width: 1, qos: .utility)
  let group = "asked tier"
  let knowsMissing = true
  private let whenAsked = Lock<@Sendable () -> Void>({})

  var writers: WorkQueue { readers }
  var fileLocation: TierLocation { TierLocation(name: group, group: group) }

  func onAsked(_ body: @escaping @Sendable () -> Void) { whenAsked.withLock { $0 = body } }

  func isKnownMissing(forKey key: String) -> Bool {
    whenAsked.withLock { $0 }()
    return true
  }

  func waitForEntry(forKey key: String) -> FutureImage.CacheEntry? { nil }
  func waitForStore(_ entry: FutureImage.CacheEntry, forKey key: String) {}
  func waitForRemoval(forKey key: String) {}
}
