import Testing

@testable import FutureImage

/// The room that writes, folders, and owners take and give back, up to the exact limits.
@Suite(.timeLimit(.minutes(5))) struct TierWritesRoomTests {
  private final class Owner: WriteOwner {
    func writesMayBegin() {}
  }

  private let owner = Owner()
  private var writes = TierWrites()

  private func place(_ name: String, in group: String = "folder") -> TierPlace { TierPlace(name: "\(group)/\(name)", group: group) }

  private mutating func add(_ place: TierPlace, by owner: Owner) {
    #expect(writes.reserve(0, of: place) == true)
    writes.add(TierWrites.Write(place, bytes: 0, owner: owner) { $0() })
  }

  /// Begins and ends all writes of the owner.
  private mutating func make(by owner: Owner) {
    for write in writes.takeDue(owner, isQuiet: true) { _ = writes.ended(write) }
  }

  @Test mutating func `the queue is not empty while room for a write is reserved`() {
    #expect(writes.reserve(0, of: place("a")) == true)
    #expect(!writes.isEmpty)
  }

  @Test(arguments: [0, 1]) mutating func `a folder may hold as many entries as it leaves free, also after some have ended`(others: Int) {
    for number in 0..<10 {
      add(place("\(number)"), by: owner)
      make(by: owner)
    }
    for number in 0..<others { #expect(writes.reserve(0, of: place("\(number)", in: "elsewhere")) == true) }
    let folder = place("a")
    let taken = (0..<TierWrites.entryLimit).count { _ in writes.reserve(0, of: folder) }
    #expect(taken == (TierWrites.entryLimit - others) / 2)
  }

  @Test mutating func `bytes that are reserved without a write count after the folder's last write has ended`() {
    let half = TierWrites.byteLimit / 2
    #expect(writes.reserve(half, entries: 0, of: place("a")) == true)
    add(place("b"), by: owner)
    make(by: owner)
    #expect(writes.reserve(1, of: place("c")) == false)
    writes.free(half, of: place("a"))
    #expect(writes.reserve(1, of: place("c")) == true)
  }

  @Test(arguments: 1...2) mutating func `an owner is released when its last write has ended`(count: Int) {
    weak var released: Owner?
    do {
      let owner = Owner()
      released = owner
      for number in 0..<count { add(place("\(number)"), by: owner) }
      make(by: owner)
    }
    #expect(released == nil)
    #expect(writes.isEmpty)
  }

  @Test mutating func `a single write that waits when it is released begins although the owner is busy`() {
    add(place("a"), by: owner)
    #expect(writes.release(ObjectIdentifier(owner)) === owner)
    #expect(writes.takeDue(owner, isQuiet: false).count == 1)
  }

  @Test mutating func `as many writes begin at a time as a batch has`() {
    for number in 0..<100 { add(place("a", in: "\(number)"), by: owner) }
    #expect(writes.takeDue(owner, isQuiet: true).count == TierWrites.batch)
    #expect(writes.takeDue(owner, isQuiet: true).count == 100 - TierWrites.batch)
  }

  @Test mutating func `the end of a write lets one other of its folder begin`() {
    for number in 0..<10 { add(place("\(number)"), by: owner) }
    let due = writes.takeDue(owner, isQuiet: true)
    #expect(due.count == TierWrites.groupWidth)
    let owners = due.prefix(1).flatMap { writes.ended($0) }
    #expect(owners.count == 1)
  }

  @Test mutating func `the owner of the last write that waits in a line is known`() {
    let (line, other) = (place("a"), Owner())
    #expect(!writes.isLast(owner, in: line))
    add(line, by: owner)
    #expect(writes.isLast(owner, in: line))
    add(line, by: other)
    #expect(!writes.isLast(owner, in: line))
    #expect(writes.isLast(other, in: line))
    make(by: owner)
    _ = writes.takeDue(other, isQuiet: true)
    #expect(!writes.isLast(other, in: line))
  }
}
