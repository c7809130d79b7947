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
}
