import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Disk tiers that may have an older image than the loader.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct OutdatedTierTests {
  private let fixture = LoaderFixture()

  /// Returns whether the loader knows that the tier's entry is outdated. An outdated entry counts as missing, so it is not read.
  private func isOutdated(_ key: SourceKey, in tier: any FutureImage.DiskTier) -> Bool {
    fixture.loader.configuration.writes.isMissing(key.text, in: tier)
  }

  /// Reloads the future, and answers with an image of the given color.
  private func reload(_ future: FutureImage, _ color: TestColor, headers: [String: String] = [:]) async {
    future.reload()
    await fixture.serve("a", color.jpeg(), headers: headers)
  }

  /// Returns a future that has the red image of the tier.
  private func red(in tier: any FutureImage.DiskTier) async throws -> (future: FutureImage, key: SourceKey) {
    let future = fixture.future(policy: .tiers(disk: tier))
    #expect(TestColor.red.isNearly(try await future.value.color))
    return (future, SourceKey(future.key))
  }

  @Test func `a tier that could neither replace nor remove an image is outdated until it stores a new image`() async throws {
    let tier = HeldTier(TestColor.red.jpeg())
    let (future, key) = try await red(in: tier)
    #expect(!isOutdated(key, in: tier))
    tier.setBroken(true)
    await reload(future, .blue)
    #expect(isOutdated(key, in: tier))
    #expect(!isOutdated("another", in: tier))
    tier.setBroken(false)
    await reload(future, TestColor(green: 250))
    #expect(!isOutdated(key, in: tier))
    #expect(tier.body == TestColor(green: 250).jpeg())
  }

  @Test func `a file that could neither be replaced nor removed is outdated until it is replaced`() async throws {
    let temporary = try TemporaryDirectory()
    let file = temporary.file("f")
    try TestColor.red.jpeg().write(to: file)
    let files = FaultyFileSystem()
    let tier = FutureImage.FileTier(file, files: files)
    let (future, key) = try await red(in: tier)
    for call in [FaultyFileSystem.Call.openNew, .delete] { files.fail(call, with: EIO) }
    await reload(future, .blue)
    #expect(isOutdated(key, in: tier))
    #expect(try Data(contentsOf: file) == TestColor.red.jpeg())
    for call in [FaultyFileSystem.Call.openNew, .delete] { files.fail(call, with: nil) }
    await reload(future, TestColor(green: 250))
    #expect(!isOutdated(key, in: tier))
    #expect(try Data(contentsOf: file) == TestColor(green: 250).jpeg())
  }

  @Test func `a tier is not outdated if it could not replace an image but has removed the image`() async throws {
    let tier = HeldTier(TestColor.red.jpeg())
    let (future, key) = try await red(in: tier)
    tier.fill()
    await reload(future, .blue)
    #expect(tier.body == nil)
    #expect(!isOutdated(key, in: tier))
  }

  @Test func `a file that was removed because it could not be replaced is not outdated`() async throws {
    let temporary = try TemporaryDirectory()
    let file = temporary.file("f")
    try TestColor.red.jpeg().write(to: file)
    let files = FaultyFileSystem()
    let tier = FutureImage.FileTier(file, files: files)
    let (future, key) = try await red(in: tier)
    files.fail(.openNew, with: EIO)
    await reload(future, .blue)
    #expect(temporary.files().isEmpty)
    #expect(!isOutdated(key, in: tier))
  }

  @Test func `an entry that a tier could not read is removed if the tier cannot store the newly fetched image`() async {
    let tier = HeldTier(TestColor.red.jpeg())
    tier.setBroken(true)
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForRequests()
    tier.setBroken(false)
    tier.fill()
    await fixture.serve("a", TestColor.blue.jpeg())
    #expect(tier.body == nil)
    withExtendedLifetime(future) {}
  }

  /// Records the given number of entries that could be neither replaced nor removed, in a tier of the given group.
  private func addOutdated(_ count: Int, _ writes: inout TierWrites, in group: String = "elsewhere") {
    let owner = IdleOwner()
    for _ in 0..<count {
      _ = writes.add(.removal(TierLocation(name: "\(group)/f", group: group), by: owner))
      for write in writes.takeDue(owner, isQuiet: true) { _ = writes.ended(write, isDone: false) }
    }
  }

  /// Returns whether an entry counts as missing, because its tier is no longer read.
  private func isMissing(_ key: String, in group: String, _ writes: TierWrites) -> Bool {
    if case .missing = writes.known(key, in: TierLocation(name: "\(group)/f", group: group)) { true } else { false }
  }

  // At most 1,024 outdated entries are recorded. If there are more, whole groups are no longer read. (A group contains the tiers of one
  // folder.) At most 256 such groups are recorded.
  @Test(arguments: [(1_023, false), (1_024, true)])
  func `a tier is no longer read if there is no room left to record its outdated entry`(count: Int, isDistrusted: Bool) {
    var writes = TierWrites()
    addOutdated(count, &writes)
    addOutdated(1, &writes, in: "here")
    #expect(isMissing("another", in: "here", writes) == isDistrusted)
    #expect(!isMissing("another", in: "there", writes))
  }

  @Test(arguments: [(256, false), (257, true)])
  func `if too many tiers have outdated entries that cannot be recorded, no tier is read anymore`(count: Int, areDistrusted: Bool) {
    var writes = TierWrites()
    addOutdated(1_024, &writes)
    for number in 0..<count { addOutdated(1, &writes, in: "\(number)") }
    #expect(isMissing("another", in: "0", writes))
    #expect(isMissing("another", in: "there", writes) == areDistrusted)
  }

  @Test func `a tier is no longer read if there is no room left to record that its old image must be removed`() async throws {
    let tier = HeldTier(TestColor.red.jpeg())
    let (future, owner) = (try await red(in: tier).future, IdleOwner())
    let filled = TierLocation(name: "filled", group: tier.location.group)
    while fixture.loader.configuration.writes.add(.removal(filled, by: owner)).isAccepted {}
    // The new image must not be stored, so the loader must remove the old image from the tier.
    await reload(future, .blue, headers: ["cache-control": "no-store"])
    #expect(isOutdated("another", in: tier))
    #expect(!isOutdated("another", in: HeldTier()))
  }

  @Test func `entryToConfirm returns the entry that waits to be stored, and no entry waits after the writes`() async throws {
    let tier = HeldTier()
    tier.holdStores()
    let future = fixture.future(policy: .tiers(disk: tier))
    let key = SourceKey(future.key)
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: TestColor.red.jpeg())
    await tier.waitForStores()
    let entry = await fixture.loader.entryToConfirm(key, tier)
    #expect(entry?.body == TestColor.red.jpeg())
    future.reload()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: TestColor.blue.jpeg())
    await waitWhile(fixture.loader.generation(of: key) != 1)
    tier.release()
    await fixture.loader.waitForIdle()
    #expect(tier.body == TestColor.blue.jpeg())
    #expect(fixture.loader.state.withLock { $0.pictures[key]?.staged == nil })
  }
}
