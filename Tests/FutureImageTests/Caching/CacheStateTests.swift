import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct CacheStateTests {
  private final class Value: Sendable {}

  @Test func `a value read from disk is not retained if it changed in the meantime`() {
    var state = CacheState(FutureImage.CacheCapacity(), hasDisk: true)
    let slot = CacheState.Slot(key: "a", format: "")
    let changes = state.watch.beginReading("a")
    state.watch.noteChange(of: "a")
    _ = state.insertRead(Value(), cost: 1, slot, since: changes)
    #expect(state.value(slot) == nil)
    _ = state.insertRead(Value(), cost: 1, slot, since: state.watch.changes(of: "a"))
    #expect(state.value(slot) != nil)
  }

  @Test func `a value may be on disk if there is a disk, and no change of the value is queued`() {
    var state = CacheState(FutureImage.CacheCapacity(), hasDisk: true)
    let slot = CacheState.Slot(key: "a", format: "")
    #expect(state.isOnDiskAtMost(slot))
    _ = state.note(.remove, bytes: 0, slot)
    #expect(!state.isOnDiskAtMost(slot))
    #expect(!CacheState(FutureImage.CacheCapacity(), hasDisk: false).isOnDiskAtMost(slot))
    #expect(!state.isOnDiskAtMost(CacheState.Slot(key: "b", format: "unknown")))
    #expect(!state.hasDisk("unknown"))
  }

  @Test func `only the newest change of a value counts as written, and sets its cost`() throws {
    var state = CacheState(FutureImage.CacheCapacity(), hasDisk: true)
    let slot = CacheState.Slot(key: "a", format: "")
    _ = state.insert(Value(), cost: 1, slot)
    _ = state.note(.store(Value(), nil), bytes: 1, slot)
    let first = try #require(state.pending(slot)?.number)
    _ = state.note(.store(Value(), nil), bytes: 1, slot)
    let second = try #require(state.pending(slot)?.number)
    _ = state.setCost(7, slot, number: first)
    #expect(state.memorySize("").bytes == 1)
    #expect(state.wrote(slot, number: first) == false)
    #expect(state.pending(slot)?.number == second)
    _ = state.setCost(7, slot, number: second)
    #expect(state.memorySize("").bytes == 7)
    #expect(state.wrote(slot, number: second) == true)
    #expect(state.pending(slot)?.number == nil)
  }

  @Test func `the estimate for values of unknown size follows the sizes of encoded values`() {
    var state = CacheState(FutureImage.CacheCapacity(), hasDisk: true)
    #expect(state.typicalBytes == 65_536)
    state.noteEncoded(bytes: 4)
    #expect(state.typicalBytes == 49_153)
  }
}
