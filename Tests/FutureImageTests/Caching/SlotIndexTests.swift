import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct SlotIndexTests {
  @Test(arguments: [1, 2, 16, 1 << 20]) func `the index finds the same slots as a dictionary if all hashes share a factor`(stride: Int) {
    var index = SlotIndex()
    var model: [Int: Int] = [:]
    var random = SeededGenerator(seed: UInt64(stride))
    for step in 0..<20_000 {
      let hash = Int.random(in: 0..<200, using: &random) * stride
      if let slot = model.removeValue(forKey: hash) {
        index.remove(hash, slot)
      } else {
        model[hash] = step
        index.insert(hash, step)
      }
      let other = Int.random(in: 0..<200, using: &random) * stride
      #expect(index.slot(other) { model[other] == $0 } == model[other])
    }
  }

  @Test func `among slots with equal hashes, the index finds the slot that the closure accepts`() {
    var index = SlotIndex()
    for slot in 0..<100 { index.insert(5, slot) }
    #expect(index.slot(5) { $0 == 73 } == 73)
    index.remove(5, 73)
    #expect(index.slot(5) { $0 == 73 } == nil)
    #expect(index.slot(5) { $0 == 99 } == 99)
    #expect(index.slot(6) { _ in true } == nil)
  }
}
