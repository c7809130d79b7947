import Testing

@testable import FutureImage
@testable import FutureImageCache

@Suite(.timeLimit(.minutes(5))) struct CacheStateTests {
  private final class Value: Sendable {}

  @Test func `if the value of a key changes during a read from disk, the value that was read is not retained`() {
    var state = CacheState(CacheCapacity())
    let key = CacheState.VariantKey(key: "a", variant: "")
    let changes = state.watch.beginReading("a")
    state.watch.noteChange(of: "a")
    _ = state.insertRead(Value(), cost: 1, key, since: changes)
    #expect(state.value(key) == nil)
    _ = state.insertRead(Value(), cost: 1, key, since: state.watch.changes(of: "a"))
    #expect(state.value(key) != nil)
  }

  @Test func `the estimate for values of unknown size follows the sizes of encoded values`() {
    var state = CacheState(CacheCapacity())
    #expect(state.typicalBytes == 65_536)
    state.noteEncoded(bytes: 4)
    // Each encoded size contributes a quarter to the new estimate: (3 * 65_536 + 4) / 4.
    #expect(state.typicalBytes == 49_153)
  }
}
