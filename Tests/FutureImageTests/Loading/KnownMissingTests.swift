import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images that the disk cache can report as missing without a lookup.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct KnownMissingTests {
  private let cacheFixture: DiskCacheFixture
  private let fixture: LoaderFixture

  init() throws {
    cacheFixture = try DiskCacheFixture()
    cacheFixture.files.knowMissing()
    fixture = LoaderFixture(disk: cacheFixture.cache())
  }

  private func count(_ call: FaultyFileSystem.Call) -> Int { cacheFixture.files.calls.count { $0 == call } }

  @Test func `if the disk cache knows that it lacks an image, the loader fetches the image without a lookup and stores the image`()
    async throws
  {
    let future = fixture.future()
    await fixture.serve()
    #expect(future.phase.name == "fetched")
    #expect(count(.knowMissing) == 1)
    #expect(count(.open) == 0)
    let later = LoaderFixture(disk: cacheFixture.cache())
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
    let cacheFixture = try DiskCacheFixture()
    let fixture = LoaderFixture(disk: cacheFixture.cache())
    let future = fixture.future()
    await fixture.serve()
    #expect(future.phase.name == "fetched")
    #expect(!cacheFixture.files.calls.contains(.knowMissing))
    #expect(cacheFixture.files.calls.count { $0 == .open } == 1)
  }

  @Test func `if the disk cache does not know that it lacks an image, the loader looks up the image`() async {
    cacheFixture.files.fail(.knowMissing, with: EAGAIN)
    let future = fixture.future()
    await fixture.serve()
    #expect(future.phase.name == "fetched")
    #expect(count(.open) == 1)
  }

  @Test func `a future that needs its bytes again uses the retained bytes if the disk cache could not store them`() async throws {
    cacheFixture.files.fail(.openNew, with: ENOSPC)
    let future = fixture.future()
    await fixture.serve()
    #expect(future.retainedBytes != nil)
    future.requestBytesAgain()
    #expect(!future.requestsBytes)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a future that is canceled while its disk tier is queried leaves no transfer behind`() async {
    let tier = QueriedTier()
    let future = fixture.deferred(.tiers(disk: tier))
    tier.onQuery { future.cancel() }
    future.start()
    #expect(future.failure?.isCancelled == true)
    #expect(fixture.held.requests.isEmpty)
    // The canceled transfer may still have its slot for a moment. Then only the future that this test retains is left.
    await waitWhile(fixture.loader.leftOver == ["futures", "slots"])
    #expect(fixture.loader.leftOver == ["futures"])
    // Releases the future. Otherwise, the future and the closure of its tier would retain each other.
    tier.onQuery {}
  }
}

/// A tier without entries. Each time that the loader queries whether an entry is missing, the tier calls a closure and reports a miss.
private final class QueriedTier: BlockingTier {
  let readers = WorkQueue(label: "queried tier", width: 1, qos: .utility)
  let group = "queried tier"
  let knowsMissing = true
  private let queryClosure = Lock<@Sendable () -> Void>({})

  var writers: WorkQueue { readers }
  var fileLocation: TierLocation { TierLocation(name: group, group: group) }

  func onQuery(_ body: @escaping @Sendable () -> Void) { queryClosure.withLock { $0 = body } }

  func isKnownMissing(forKey key: String) -> Bool {
    queryClosure.withLock { $0 }()
    return true
  }

  func waitForEntry(forKey key: String) -> FutureImage.CacheEntry? { nil }
  func waitForStore(_ entry: FutureImage.CacheEntry, forKey key: String) {}
  func waitForRemoval(forKey key: String) {}
}
