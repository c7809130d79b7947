import Foundation
import Testing

@testable import FutureImage

/// The limits on waiting writes, and the times at which writes begin and end. The owner of a write is the loader or the cache that has
/// requested it. An owner is quiet while it has no work that a write could delay.
@Suite(.timeLimit(.minutes(5))) struct TierWritesRoomTests {
  private let owner = IdleOwner()
  private var writes = TierWrites()

  private func location(_ name: String, in group: String = "folder") -> TierLocation {
    TierLocation(name: "\(group)/\(name)", group: group)
  }

  private mutating func add(_ location: TierLocation, by owner: IdleOwner) {
    #expect(writes.add(.store(location, by: owner)).isAccepted == true)
  }

  /// Begins and ends all writes of the owner.
  private mutating func runWrites(by owner: IdleOwner) {
    for write in writes.takeDue(owner, isQuiet: true) { _ = writes.ended(write, isDone: true) }
  }

  @Test(arguments: [0, 1])
  mutating func `a folder gets at most half of the entries that waiting writes to other folders leave free, and ended writes use none`(
    others: Int
  ) {
    for number in 0..<10 {
      add(location("\(number)"), by: owner)
      runWrites(by: owner)
    }
    for number in 0..<others { add(location("\(number)", in: "elsewhere"), by: owner) }
    let folder = location("a")
    let accepted = (0..<WriteRoom.entryLimit).count { _ in writes.add(.store(folder, by: owner)).isAccepted }
    #expect(accepted == (WriteRoom.entryLimit - others) / 2)
  }

  @Test(arguments: 1...2) mutating func `an owner is released when its last write has ended`(count: Int) {
    weak var released: IdleOwner?
    do {
      let owner = IdleOwner()
      released = owner
      for number in 0..<count { add(location("\(number)"), by: owner) }
      runWrites(by: owner)
    }
    #expect(released == nil)
    #expect(writes.isEmpty)
  }

  @Test mutating func `a call of release lets a waiting write of the owner begin, even if the owner is not quiet`() {
    add(location("a"), by: owner)
    #expect(writes.release(ObjectIdentifier(owner)) === owner)
    #expect(writes.takeDue(owner, isQuiet: false).count == 1)
  }

  @Test mutating func `one call of takeDue begins at most one batch of writes, and the next call begins the remaining writes`() {
    for number in 0..<100 { add(location("a", in: "\(number)"), by: owner) }
    #expect(writes.takeDue(owner, isQuiet: true).count == TierWrites.batch)
    #expect(writes.takeDue(owner, isQuiet: true).count == 100 - TierWrites.batch)
  }

  @Test mutating func `the end of a write lets one other write of its folder begin`() {
    for number in 0..<10 { add(location("\(number)"), by: owner) }
    let due = writes.takeDue(owner, isQuiet: true)
    #expect(due.count == TierWrites.groupWidth)
    // `ended` returns the owners that may begin another write.
    let owners = due.prefix(1).flatMap { writes.ended($0, isDone: true).owners }
    #expect(owners.count == 1)
  }

  // MARK: The last write wins

  private func write(_ change: TierChange, of key: String = "k", by owner: IdleOwner? = nil) -> TierWrites.Write {
    TierWrites.Write(change, of: key, in: HeldTier(), location("a"), by: owner ?? self.owner)
  }

  /// Returns a change that stores a value. Its body consists of the given byte.
  private func value(_ byte: UInt8, replaces: Bool = false) -> TierChange {
    .store(TierValue(byte, FutureImage.CacheEntry(body: Data([byte])), replaces: replaces))
  }

  /// Returns the byte of the value that a read of the key gets. Nil if the read gets no value, or must read the tier.
  private func known(_ key: String = "k") -> UInt8? {
    guard case .value(let value) = writes.known(key, in: location("a")) else { return nil }
    return value.object as? UInt8
  }

  private func isMissing(_ key: String = "k") -> Bool {
    if case .missing = writes.known(key, in: location("a")) { true } else { false }
  }

  @Test mutating func `a later value of a key replaces a waiting value, but not a value that is being stored`() throws {
    #expect(writes.add(write(value(1))).replaced == nil)
    #expect(known() == 1 && known("other") == nil && !isMissing("other"))
    let added = writes.add(write(value(2)))
    #expect(added.replaced?.isStore == true && added.replacesOwn)
    #expect(known() == 2 && writes.use.entries == 1 && writes.use.bytes == 1)
    let due = writes.takeDue(owner, isQuiet: true)
    #expect(due.map(\.change.bytes) == [1] && known() == 2)
    // A value that is being stored is not replaced.
    #expect(writes.add(write(value(3))).replaced == nil)
    #expect(known() == 3)
    _ = writes.ended(try #require(due.first), isDone: true)
    #expect(known() == 3)
    runWrites(by: owner)
    #expect(known() == nil && !isMissing() && writes.isEmpty && writes.use.bytes == 0)
  }

  @Test mutating func `a waiting removal hides the tier's entry, which is hidden again after a store replaces the removal and fails`() {
    _ = writes.add(write(.remove))
    #expect(isMissing() && !writes.hidesNothing)
    _ = writes.add(write(value(1)))
    #expect(known() == 1 && writes.hidesNothing)
    for write in writes.takeDue(owner, isQuiet: true) {
      #expect(write.change.replaces)
      _ = writes.ended(write, isDone: false)
    }
    #expect(isMissing() && !isMissing("other"))
    _ = writes.add(write(value(2)))
    runWrites(by: owner)
    #expect(!isMissing())
  }

  @Test mutating func `the removal of undecodable bytes does not remove a later value of the same key`() {
    _ = writes.add(write(value(2)))
    _ = writes.add(write(.removeBytes(Data([1]))))
    #expect(known() == 2)
    #expect(writes.hidesNothing)
    _ = writes.add(write(.removeBytes(Data([2]))))
    #expect(isMissing() && writes.use.entries == 1 && !writes.hidesNothing)
    runWrites(by: owner)
    #expect(!isMissing() && writes.isEmpty && writes.hidesNothing)
  }

  @Test
  mutating func `if another owner adds a later value, that value replaces the waiting value, and is written in the other owner's turn`()
    throws
  {
    let other = IdleOwner()
    _ = writes.add(write(value(1)))
    let added = writes.add(write(value(2), by: other))
    #expect(added.replaced?.isStore == true && !added.replacesOwn)
    #expect(known() == 2 && writes.use.bytes == 1)
    let first = try #require(writes.takeDue(owner, isQuiet: true).first)
    guard case .nothing(isStore: true) = first.change else { return #expect(Bool(false), "the replaced write has not become empty") }
    #expect(writes.ended(first, isDone: true).owners.contains { $0 === other })
    #expect(writes.takeDue(other, isQuiet: true).map(\.change.bytes) == [1])
    #expect(known() == 2)
  }

  @Test(arguments: [false, true])
  mutating func `a value that its own owner withdraws is removed, even while the value is being stored`(isBegun: Bool) {
    let other = IdleOwner()
    _ = writes.add(write(value(1)))
    let due = isBegun ? writes.takeDue(owner, isQuiet: true) : []
    #expect(writes.withdraw("k", in: "folder/a", by: other).replaced == nil)
    #expect(known() == 1)
    let added = writes.withdraw("k", in: "folder/a", by: owner)
    #expect(added.replacesOwn == !isBegun)
    #expect(isMissing())
    for write in due { _ = writes.ended(write, isDone: true) }
    #expect(isMissing())
    runWrites(by: owner)
    #expect(writes.isEmpty && writes.hidesNothing)
  }

  @Test mutating func `if there is no room for a value, the entry that the value would replace is no longer read`() {
    while writes.add(.store(location("b"), bytes: 1 << 20, by: owner)).isAccepted {}
    let large = Data(count: 2 << 20)
    func change(replaces: Bool) -> TierChange { .store(TierValue(0, FutureImage.CacheEntry(body: large), replaces: replaces)) }
    #expect(writes.add(write(change(replaces: false))).isAccepted == false)
    #expect(!isMissing() && known() == nil)
    #expect(writes.add(write(change(replaces: true))).isAccepted == false)
    #expect(isMissing())
  }
}
