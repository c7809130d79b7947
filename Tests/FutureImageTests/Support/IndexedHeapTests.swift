import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct IndexedHeapTests {
  private final class Item: IndexedHeapElement {
    var order: Int
    var heapIndex: Int?

    init(_ order: Int) { self.order = order }
  }

  @Test func `the greatest element is first after any insertion, change, or removal`() {
    var random = SeededGenerator(seed: 3)
    var heap = IndexedHeap<Item>()
    let items = (0..<60).map { _ in Item(0) }
    for _ in 0..<5_000 {
      let item = items[Int.random(in: 0..<60, using: &random)]
      if Bool.random(using: &random) {
        item.order = Int.random(in: 0..<1_000, using: &random)
        heap.update(item)
      } else {
        heap.remove(item)
      }
      #expect(heap.first?.order == items.filter { $0.heapIndex != nil }.map(\.order).max())
    }
  }

  @Test func `removing an element that is not in the heap does nothing, and an element that is inserted twice is in the heap once`() {
    var heap = IndexedHeap<Item>()
    let item = Item(1)
    heap.remove(item)
    #expect(heap.first == nil)
    heap.update(item)
    heap.update(item)
    heap.remove(item)
    #expect(heap.first == nil)
    #expect(item.heapIndex == nil)
  }
}
