import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The order, the time, and the limits of writes. The writes of an owner, such as a loader, wait until the owner is quiet, until too many
/// bytes wait, or until they are released, which happens after a bounded time.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TierWritesTests {
  private let one = HeldTier()
  private let other = HeldTier()
  private let owner = IdleOwner()
  private var writes = TierWrites()

  /// Adds a write that stores a value under a unique key.
  @discardableResult private mutating func add(
    _ place: TierLocation, bytes: Int = 0, by owner: (any WriteOwner)? = nil
  ) -> TierWrites.Added {
    let added = writes.add(.store(place, bytes: bytes, by: owner ?? self.owner))
    #expect(added.isAccepted)
    return added
  }

  /// Starts the writes that may start now, and returns them. If the owner is not quiet, writes start only as long as more than `patience`
  /// bytes wait, or if they have been released.
  private mutating func takeDue(isQuiet: Bool, patience: Int = .max) -> [TierWrites.Write] {
    writes.takeDue(owner, isQuiet: isQuiet, patience: patience)
  }

  private mutating func end(_ ended: [TierWrites.Write]) {
    for write in ended { _ = writes.ended(write, isDone: true) }
  }

  private func place(_ name: String, in group: String = "folder") -> TierLocation { TierLocation(name: "\(group)/\(name)", group: group) }

  @Test mutating func `writes within the limit of waiting bytes do not start while the loader is busy`() {
    add(one.location, bytes: 100)
    #expect(takeDue(isQuiet: false, patience: 100).isEmpty)
    #expect(writes.waitingCount(of: owner) == 1)
    #expect(takeDue(isQuiet: true).count == 1)
    #expect(writes.waitingCount(of: owner) == 0)
  }

  @Test mutating func `if more bytes wait than the limit permits, a busy loader starts writes until the rest is within the limit`() {
    for _ in 0..<5 { add(one.location, bytes: 50) }
    for _ in 0..<3 {
      let due = takeDue(isQuiet: false, patience: 100)
      #expect(due.count == 1)
      end(due)
    }
    #expect(takeDue(isQuiet: false, patience: 100).isEmpty)
    #expect(writes.waitingCount(of: owner) == 2)
  }

  @Test mutating func `the limit of waiting bytes applies to all tiers of an owner together`() {
    for number in 0..<10 { add(place("\(number)", in: "\(number)"), bytes: 50) }
    #expect(takeDue(isQuiet: false, patience: 100).count == 8)
  }

  @Test func `the limit of waiting bytes is an eighth of the pixel limit, and at most a quarter of the bytes that all writes may use`() {
    #expect(LoaderFixture(maxPixelBytes: 80 << 20).loader.configuration.patience == 10 << 20)
    #expect(LoaderFixture(maxPixelBytes: 4 << 30).loader.configuration.patience == TierWrites.largestPatience)
    #expect(2 * TierWrites.largestPatience <= WriteRoom.byteLimit / 2)
  }

  @Test mutating func `after a release, the waiting writes start although the loader is busy, but writes added later wait`() {
    for number in 0..<3 { add(place("\(number)", in: "\(number)")) }
    add(place("0", in: "0"))
    #expect(writes.release(ObjectIdentifier(owner)) === owner)
    add(place("late", in: "late"))
    var due = takeDue(isQuiet: false)
    #expect(due.map(\.location.group) == ["0", "1", "2"])
    end(due)
    due = takeDue(isQuiet: false)
    #expect(due.map(\.location.group) == ["0"])
    #expect(takeDue(isQuiet: false).isEmpty)
    #expect(takeDue(isQuiet: true).map(\.location.group) == ["late"])
  }

  @Test func `an image is stored even if no code waits for the store`() async {
    let fixture = LoaderFixture()
    let tier = HeldTier()
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg(60, 45))
    await tier.waitForStores()
    withExtendedLifetime(future) {}
  }

  @Test mutating func `a tier gets one write at a time, in the order of its requests, and does not wait for other tiers`() {
    for bytes in 1...3 { add(one.location, bytes: bytes) }
    let first = takeDue(isQuiet: true)
    #expect(first.map(\.change.bytes) == [1])
    #expect(takeDue(isQuiet: true).isEmpty)
    // A write that is added during the first write does not overtake the second write.
    add(one.location, bytes: 4)
    #expect(takeDue(isQuiet: true).isEmpty)
    add(other.location, bytes: 9)
    #expect(takeDue(isQuiet: true).map(\.change.bytes) == [9])
    end(first)
    #expect(takeDue(isQuiet: true).map(\.change.bytes) == [2])
  }

  @Test mutating func `writes to two paths of one file run one after the other, whichever path is added first`() {
    let (link, real) = (TierLocation(name: "link/f", group: "link"), TierLocation(name: "real/f", group: "real"))
    add(link, bytes: 1)
    add(TierLocation(name: "link/f", resolvedName: "real/f", group: "link"), bytes: 2)
    add(real, bytes: 3)
    for bytes in 1...3 {
      let due = takeDue(isQuiet: true)
      #expect(due.map(\.change.bytes) == [bytes])
      end(due)
    }
    #expect(writes.isEmpty)

    add(real, bytes: 1)
    add(TierLocation(name: "link/f", resolvedName: "real/f", group: "link"), bytes: 2)
    for bytes in 1...2 {
      let due = takeDue(isQuiet: true)
      #expect(due.map(\.change.bytes) == [bytes])
      end(due)
    }
    #expect(writes.isEmpty)
  }

  @Test mutating func `writes of two owners to one tier run one after the other, and when one write ends, the other owner is notified`() {
    let second = IdleOwner()
    add(one.location, bytes: 1)
    add(one.location, bytes: 2, by: second)
    let due = takeDue(isQuiet: true)
    #expect(writes.takeDue(second, isQuiet: true).isEmpty)
    let notified = writes.ended(due[0], isDone: true).owners
    #expect(notified.count == 1)
    #expect(notified.first === second)
    #expect(writes.takeDue(second, isQuiet: true).map(\.change.bytes) == [2])
  }

  @Test mutating func `at most four writes of a folder run at a time, and another write starts when one of them ends`() {
    for number in 0..<10 { add(place("\(number)"), bytes: number) }
    add(place("0", in: "elsewhere"), bytes: 99)
    let due = takeDue(isQuiet: true)
    #expect(due.map(\.change.bytes) == [0, 1, 2, 3, 99])
    #expect(takeDue(isQuiet: true).isEmpty)
    end([due[1]])
    #expect(takeDue(isQuiet: true).map(\.change.bytes) == [4])
  }

  @Test mutating func `the queue is empty when the last write has ended, not when it has started`() {
    #expect(writes.isEmpty)
    add(one.location)
    for write in takeDue(isQuiet: true) {
      #expect(!writes.isEmpty)
      end([write])
    }
    #expect(writes.isEmpty)
    #expect(writes.use.entries == 0)
  }

  @Test func `an image is stored only after its awaited decode has ended`() async throws {
    let decoder = GatedDecoder()
    decoder.close()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let future = fixture.future(policy: .tiers(disk: one))
    async let value = future.value
    await fixture.held.waitForRequests()
    await waitWhile(future.waiterCount == 0)
    fixture.held.resolve(with: SampleImage.jpeg())
    await decoder.waitForHeld()
    #expect(fixture.waitingWrites == 1)
    decoder.open()
    _ = try await value
    await fixture.loader.waitForIdle()
    #expect(one.stores == 1)
  }

  @Test func `a tier that hangs does not delay the stores of another tier`() async {
    let fixture = LoaderFixture()
    one.holdStores()
    let futures = [fixture.future("a", policy: .tiers(disk: one)), fixture.future("b", policy: .tiers(disk: other))]
    for name in ["a", "b"] {
      await fixture.held.waitForRequests(2)
      fixture.held.resolve(LoaderFixture.url(name), with: SampleImage.jpeg())
    }
    await one.waitForStores()
    await other.waitForStores()
    one.release()
    await fixture.loader.waitForIdle()
    #expect((one.stores, other.stores) == (1, 1))
    withExtendedLifetime(futures) {}
  }

  @Test mutating func `a tier may use half of the free room for writes, but while no write waits, an image of any size is accepted`() {
    let half = WriteRoom.byteLimit / 2
    add(one.location, bytes: WriteRoom.byteLimit + 1)
    end(takeDue(isQuiet: true))
    add(one.location, bytes: half - 10)
    #expect(!writes.add(.store(one.location, bytes: 11, by: owner)).isAccepted)
    let due = takeDue(isQuiet: true)
    // The bytes of a write count until the write has ended.
    #expect(!writes.add(.store(one.location, bytes: 11, by: owner)).isAccepted)
    end(due)
    #expect(writes.add(.store(one.location, bytes: half, by: owner)).isAccepted)
  }

  @Test mutating func `tiers that hang leave room for the next tier, and together stay within the limit`() {
    var sizes: [Int] = []
    for number in 0..<6 {
      let place = place("f", in: "\(number)")
      var size = 0
      while writes.add(.store(place, bytes: 1 << 20, by: owner)).isAccepted { size += 1 }
      sizes.append(size)
    }
    // In MB: each tier gets half of the room that is left.
    #expect(sizes == [64, 32, 16, 8, 4, 2])
    #expect(writes.use.bytes <= WriteRoom.byteLimit)
  }

  @Test mutating func `if a folder hangs, three thousand writes to the folder use at most the room of one tier`() {
    let taken = (0..<3000).count { writes.add(.store(place("\($0)"), bytes: 200 << 10, by: owner)).isAccepted }
    #expect(taken * (200 << 10) <= WriteRoom.byteLimit / 2)
    // Removals have no bytes, so only the limit of the number of entries applies to them.
    for number in 0..<100_000 { _ = writes.add(.removal(place("\(number)", in: "removals"), by: owner)) }
    #expect(writes.use.entries <= WriteRoom.entryLimit)
  }

  @Test mutating func `a timer is needed for the first waiting write of an owner, and again for the first write after a release`() {
    let place = one.location
    #expect([add(place), add(place)].map(\.mustTime) == [true, false])
    #expect(writes.release(ObjectIdentifier(owner)) === owner)
    let second = add(place)
    #expect(second.mustTime)
    for _ in 0..<3 { end(takeDue(isQuiet: true)) }
    #expect(writes.release(ObjectIdentifier(owner)) == nil)
    // The record of the owner has been removed, with its timer.
    let third = add(place)
    #expect(third.mustTime)
  }

  @Test mutating func `a release does nothing if all writes of the owner have started`() {
    add(one.location)
    let begun = takeDue(isQuiet: true)
    #expect(begun.count == 1)
    #expect(writes.release(ObjectIdentifier(owner)) == nil)
    end(begun)
  }

  @Test func `an image is stored after one second even if the loader stays busy`() async {
    let decoder = GatedDecoder()
    decoder.close()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let future = fixture.future(policy: .tiers(disk: one))
    future.wait(.full) { _ in }
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: SampleImage.jpeg())
    await decoder.waitForHeld()
    await fixture.writeClock.waitForSleepers()
    #expect(one.stores == 0)
    fixture.writeClock.advance(by: WriteBehind.longestWait)
    await one.waitForStores()
    decoder.open()
    await fixture.loader.waitForIdle()
  }

  @Test func `an image that exceeds the limit of waiting bytes is stored although the loader is busy`() async throws {
    let decoder = GatedDecoder()
    decoder.close()
    // Up to an eighth of the pixel limit, which is 10 bytes, may wait to be written.
    let fixture = LoaderFixture(maxPixelBytes: 80) { $0.decoder = decoder }
    let future = fixture.future(policy: .tiers(disk: one))
    future.wait(.full) { _ in }
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: SampleImage.jpeg())
    await decoder.waitForHeld()
    // The write starts because of its size. The clock of the writes does not advance, so the write does not start because of its age.
    let begun: Void? = try await within(.seconds(30)) { [one] in await one.waitForStores() }
    #expect(begun != nil)
    decoder.open()
    await fixture.loader.waitForIdle()
  }

  @Test func `a tier without room for more writes enqueues nothing for further images`() async throws {
    let fixture = LoaderFixture()
    let full = HeldTier()
    fixture.fill(full)
    let before = fixture.writes.use
    let futures = (0..<20).map { fixture.future("\($0)", policy: .tiers(disk: full)) }
    for number in 0..<20 {
      await fixture.held.waitForRequests(number + 1)
      fixture.held.resolve(with: SampleImage.jpeg())
    }
    for future in futures { _ = try await future.value }
    #expect(fixture.writes.use.entries == before.entries)
    #expect(fixture.writes.use.bytes == before.bytes)
    await waitWhile(fixture.loader.statistics.cacheFaults < 20)
  }

  @Test func `an image whose tier has no room is shown but not stored, and the old entry is removed`() async throws {
    let fixture = LoaderFixture()
    let old = HeldTier(TestColor.red.jpeg())
    let hanging = await hang(old, in: fixture)
    fixture.fill(old)
    let future = fixture.future(policy: .tiers(disk: old))
    future.reload()
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: TestColor.blue.jpeg())
    #expect(TestColor.blue.isNearly(try await future.value.color))
    #expect(future.retainedBytes?.data == TestColor.blue.jpeg())
    hanging.release()
    await fixture.loader.waitForIdle()
    #expect(old.body == nil)
    #expect(old.stores == 0)
    #expect(fixture.loader.statistics.cacheFaults == 1)
    #expect(fixture.loader.statistics.lastCacheFault?.contains("too many writes") == true)
  }

  @Test func `no future gets an old image whose removal is pending`() async throws {
    let fixture = LoaderFixture()
    let old = HeldTier(TestColor.red.jpeg())
    let first = fixture.future(policy: .tiers(disk: old))
    #expect(TestColor.red.isNearly(try await first.value.color))
    let hanging = await hang(old, in: fixture)
    first.reload()
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: TestColor.blue.jpeg(), headers: ["cache-control": "no-store"])
    await waitWhile(fixture.waitingWrites != 1 || fixture.loader.transferCount > 0)
    let reads = old.readsBegun
    // The second future has another size. Otherwise, it would use the pixels of the first future.
    let second = fixture.future(policy: .tiers(disk: old), size: CGSize(width: 4, height: 3))
    #expect(TestColor.blue.isNearly(try await second.value.color))
    #expect(old.readsBegun == reads)
    #expect(old.body == TestColor.red.jpeg())
    #expect(fixture.held.requests.count == 1)
    hanging.release()
    await fixture.loader.waitForIdle()
    #expect(old.body == nil)
    #expect(!fixture.writes.isMissing(first.key, in: old))
  }

  /// Starts a change that hangs. It has the location of the tier, so all later writes of the tier wait for it.
  /// - Returns: the tier whose change hangs until `release()` is called.
  private func hang(_ tier: HeldTier, in fixture: LoaderFixture) async -> HeldTier {
    let hanging = HeldTier()
    hanging.holdReads()
    _ = fixture.writes.add(TierWrites.Write(.removeBytes(Data([0])), of: "hanging", in: hanging, tier.location, by: fixture.loader))
    fixture.writes.beginDue(fixture.loader, isQuiet: true)
    await hanging.waitForReads()
    return hanging
  }
}

/// An owner that starts no writes. The tests take the due writes themselves.
final class IdleOwner: WriteOwner {
  func writesMayBegin() {}
  func failed(_ write: TierWrites.Write, with error: any Error) {}
  func ended(_ write: TierWrites.Write, hasSucceeded: Bool) {}
}

extension TierWrites.Write {
  /// Returns a write that stores a value under a unique key.
  static func store(_ place: TierLocation, bytes: Int = 0, by owner: any WriteOwner) -> Self {
    let value = TierValue(bytes, bytes: bytes, replaces: false) { throw CancellationError() }
    return Self(.store(value), of: Scheduling.uniqueName(), in: HeldTier(), place, by: owner)
  }

  static func removal(_ place: TierLocation, by owner: any WriteOwner) -> Self {
    Self(.remove, of: Scheduling.uniqueName(), in: HeldTier(), place, by: owner)
  }
}

extension LoaderFixture {
  fileprivate var writes: WriteBehind { loader.configuration.writes }

  fileprivate var waitingWrites: Int { writes.waitingCount(of: loader) }

  /// Adds values for the tier's group until the queue has no room for another value of this group.
  fileprivate func fill(_ tier: HeldTier) {
    let (place, owner) = (TierLocation(name: "filled", group: tier.location.group), IdleOwner())
    for bytes in [1 << 20, 1 << 10, 1] { while writes.add(.store(place, bytes: bytes, by: owner)).isAccepted {} }
  }
}
