import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Disk tiers that may have an older image than the one that was last seen.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct OutdatedTierTests {
  private let shop = Shop()

  private func isOutdated(_ key: SourceKey, in tier: any FutureImage.DiskTier) -> Bool {
    shop.loader.state.withLock { $0.isOutdated(key, in: tier) }
  }

  /// Reloads the future, whose source now has an image of this color.
  private func reload(_ future: FutureImage, _ colour: Colour, headers: [String: String] = [:]) async {
    future.reload()
    await shop.serve("a", colour.jpeg(), headers: headers)
  }

  /// Returns a future that has the red image of the tier.
  private func red(in tier: any FutureImage.DiskTier) async throws -> (future: FutureImage, key: SourceKey) {
    let future = shop.future(policy: .tiers(disk: tier))
    #expect(Colour.red.isNearly(try await future.value.colour))
    return (future, SourceKey(future.key))
  }

  @Test func `a tier that could neither replace nor remove an image is outdated until it has the new one`() async throws {
    let tier = HeldTier(Colour.red.jpeg())
    let (future, key) = try await red(in: tier)
    #expect(!isOutdated(key, in: tier))
    tier.setBroken(true)
    await reload(future, .blue)
    #expect(isOutdated(key, in: tier))
    #expect(!isOutdated("another", in: tier))
    tier.setBroken(false)
    await reload(future, Colour(green: 250))
    #expect(!isOutdated(key, in: tier))
    #expect(tier.body == Colour(green: 250).jpeg())
  }

  @Test func `a file that could neither be replaced nor removed is outdated until it is replaced`() async throws {
    let temporary = try TemporaryDirectory()
    let file = temporary.file("f")
    try Colour.red.jpeg().write(to: file)
    let files = FaultyFileSystem()
    let tier = FutureImage.FileTier(file, files: files)
    let (future, key) = try await red(in: tier)
    for call in [FaultyFileSystem.Call.openNew, .delete] { files.fail(call, with: EIO) }
    await reload(future, .blue)
    #expect(isOutdated(key, in: tier))
    #expect(try Data(contentsOf: file) == Colour.red.jpeg())
    for call in [FaultyFileSystem.Call.openNew, .delete] { files.fail(call, with: nil) }
    await reload(future, Colour(green: 250))
    #expect(!isOutdated(key, in: tier))
    #expect(try Data(contentsOf: file) == Colour(green: 250).jpeg())
  }

  @Test func `a tier that removed an image that it could not replace is not outdated`() async throws {
    let tier = HeldTier(Colour.red.jpeg())
    let (future, key) = try await red(in: tier)
    tier.fill()
    await reload(future, .blue)
    #expect(tier.body == nil)
    #expect(!isOutdated(key, in: tier))
  }

  @Test func `a file that was removed because it could not be replaced is not outdated`() async throws {
    let temporary = try TemporaryDirectory()
    let file = temporary.file("f")
    try Colour.red.jpeg().write(to: file)
    let files = FaultyFileSystem()
    let tier = FutureImage.FileTier(file, files: files)
    let (future, key) = try await red(in: tier)
    files.fail(.openNew, with: EIO)
    await reload(future, .blue)
    #expect(temporary.files().isEmpty)
    #expect(!isOutdated(key, in: tier))
  }

  @Test func `an image that a tier could not read is removed from it if the tier cannot store the one from the source`() async {
    let tier = HeldTier(Colour.red.jpeg())
    tier.setBroken(true)
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.held.waitForRequests()
    tier.setBroken(false)
    tier.fill()
    await shop.serve("a", Colour.blue.jpeg())
    #expect(tier.body == nil)
    withExtendedLifetime(future) {}
  }

  @Test(arguments: [(1_023, false), (1_024, true)])
  func `a tier is given up when too many images that were not replaced are noted`(count: Int, isGivenUp: Bool) async throws {
    let tier = HeldTier(Colour.red.jpeg())
    let future = try await red(in: tier).future
    shop.loader.state.withLock { state in
      for number in 0..<count { state.kept.insert(FutureImage.Loader.OutdatedKey(SourceKey("\(number)"), "elsewhere")) }
    }
    tier.setBroken(true)
    await reload(future, .blue)
    shop.loader.state.withLock { $0.kept = [] }
    #expect(isOutdated("another", in: tier) == isGivenUp)
    #expect(!isOutdated("another", in: HeldTier()))
  }

  @Test(arguments: [(255, false), (256, true)])
  func `all tiers are given up when too many have been`(count: Int, areGivenUp: Bool) async throws {
    let tier = HeldTier(Colour.red.jpeg())
    let future = try await red(in: tier).future
    shop.loader.state.withLock { state in
      for number in 0..<1_024 { state.kept.insert(FutureImage.Loader.OutdatedKey(SourceKey("\(number)"), "elsewhere")) }
      state.givenUp = Set((0..<count).map { "group \($0)" })
    }
    tier.setBroken(true)
    await reload(future, .blue)
    let names = shop.loader.state.withLock { state in
      state.kept = []
      return state.givenUp.count
    }
    #expect(names == (areGivenUp ? 0 : count + 1))
    #expect(isOutdated("another", in: HeldTier()) == areGivenUp)
  }

  @Test func `a tier is given up if there is no room for the removal of an old image`() async throws {
    let tier = HeldTier(Colour.red.jpeg())
    let future = try await red(in: tier).future
    while shop.loader.configuration.writes.reserve(0, of: tier.place) {}
    await reload(future, .blue, headers: ["cache-control": "no-store"])
    #expect(isOutdated("another", in: tier))
    #expect(!isOutdated("another", in: HeldTier()))
  }

  @Test func `an image that waits for its tier is the one to confirm, and none is left when two writes of it have ended`() async throws {
    let tier = HeldTier()
    tier.holdStores()
    let future = shop.future(policy: .tiers(disk: tier))
    let key = SourceKey(future.key)
    await shop.held.waitForRequests()
    shop.held.resolve(with: Colour.red.jpeg())
    await tier.waitForStores()
    let entry = await shop.loader.entryToConfirm(key, tier)
    #expect(entry?.body == Colour.red.jpeg())
    future.reload()
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Colour.blue.jpeg())
    await waitWhile(shop.loader.generation(of: key) != 1)
    tier.letGo()
    await shop.loader.waitUntilSettled()
    #expect(tier.body == Colour.blue.jpeg())
    #expect(shop.loader.state.withLock { $0.pictures[key]?.staged == nil })
  }
}
