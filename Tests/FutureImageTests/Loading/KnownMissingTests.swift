import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images that the disk cache knows at once to be missing.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct KnownMissingTests {
  private let bench: DiskCacheBench
  private let shop: Shop

  init() throws {
    bench = try DiskCacheBench()
    bench.files.knowMissing()
    shop = Shop(disk: bench.cache())
  }

  private func count(_ call: FaultyFileSystem.Call) -> Int { bench.files.calls.count { $0 == call } }

  @Test func `images known to be missing are fetched without a lookup and stored`() async throws {
    let future = shop.future()
    await shop.serve()
    #expect(future.phase.name == "fetched")
    #expect(count(.knowMissing) == 1)
    #expect(count(.open) == 0)
    let later = Shop(disk: bench.cache())
    _ = try await later.future().value
    #expect(count(.open) > 0)
    #expect(later.held.requests.isEmpty)
    #expect(later.loader.statistics.diskHits > 0)
  }

  @Test func `futures that join a transfer do not ask the disk again`() async {
    let futures = (0..<3).map { _ in shop.future() }
    await shop.serve()
    #expect(futures.allSatisfy { $0.phase.name == "fetched" })
    #expect(count(.knowMissing) == 1)
    #expect(shop.held.requests.count == 1)
  }

  @Test func `a disk that cannot know what is missing is not asked`() async throws {
    let bench = try DiskCacheBench()
    let shop = Shop(disk: bench.cache())
    let future = shop.future()
    await shop.serve()
    #expect(future.phase.name == "fetched")
    #expect(!bench.files.calls.contains(.knowMissing))
    #expect(bench.files.calls.count { $0 == .open } == 1)
  }

  @Test func `an image that is not known to be missing is looked up`() async {
    bench.files.fail(.knowMissing, with: EAGAIN)
    let future = shop.future()
    await shop.serve()
    #expect(future.phase.name == "fetched")
    #expect(count(.open) == 1)
  }

  @Test func `bytes that could not be stored are taken from the future that retains them`() async throws {
    bench.files.fail(.openNew, with: ENOSPC)
    let future = shop.future()
    await shop.serve()
    #expect(future.retainedBytes != nil)
    future.requestBytesAgain()
    #expect(!future.requestsBytes)
    #expect(shop.held.requests.count == 1)
  }

  @Test func `a future canceled while its disk tier is asked leaves no transfer behind`() async {
    let tier = AskedTier()
    let future = shop.deferred(.tiers(disk: tier))
    tier.onAsked { future.cancel() }
    future.start()
    #expect(future.failure?.isCancelled == true)
    #expect(shop.held.requests.isEmpty)
    // Only the future that this test retains is left. The canceled transfer may end later.
    await waitWhile(shop.loader.leftOver == ["futures", "slots"])
    #expect(shop.loader.leftOver == ["futures"])
    tier.onAsked {}
  }
}

/// A tier that has no entries, reports this at once, and calls a closure each time.
private final class AskedTier: BlockingTier {
  let readers = WorkQueue(label: "asked tier", width: 1, qos: .utility)
  let group = "asked tier"
  let knowsMissing = true
  private let whenAsked = Lock<@Sendable () -> Void>({})

  var writers: WorkQueue { readers }
  var filePlace: TierPlace { TierPlace(name: group, group: group) }

  func onAsked(_ body: @escaping @Sendable () -> Void) { whenAsked.withLock { $0 = body } }

  func isKnownMissing(forKey key: String) -> Bool {
    whenAsked.withLock { $0 }()
    return true
  }

  func waitForEntry(forKey key: String) -> FutureImage.CacheEntry? { nil }
  func waitForStore(_ entry: FutureImage.CacheEntry, forKey key: String) {}
  func waitForRemoval(forKey key: String) {}
}
