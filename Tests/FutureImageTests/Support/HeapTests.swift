import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("Heap", .timeLimit(.minutes(5))) struct HeapTests {
  private func drained<Element>(_ heap: Heap<Element>) -> [Element] {
    var heap = heap
    var elements: [Element] = []
    while let element = heap.pop() { elements.append(element) }
    return elements
  }

  @Test func `an empty heap returns no element`() {
    var heap = Heap<Int>()
    #expect(heap.first == nil)
    #expect(heap.pop() == nil)
    #expect(heap.count == 0)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 7, 8, 100])
  func `elements are popped from the greatest to the least, whatever the order of insertion`(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    for _ in 0..<20 {
      let elements = (0..<count).map { _ in Int.random(in: 0..<50, using: &random) }
      #expect(drained(Heap(elements)) == elements.sorted(by: >))
    }
  }

  @Test func `the first element is the next to be popped, and reading it removes nothing`() {
    var heap = Heap([3, 9, 4])
    #expect(heap.first == 9)
    #expect(heap.count == 3)
    #expect(heap.pop() == 9)
    #expect(heap.first == 4)
    #expect(heap.count == 2)
  }

  @Test func `a pop always returns the greatest element, whatever the order of pushes and pops`() {
    var random = SeededGenerator(seed: 1)
    var heap = Heap<Int>()
    var model: [Int] = []
    for operation in 0..<3_000 {
      if Int.random(in: 0..<5, using: &random) < 3 {
        let element = Int.random(in: 0..<1_000, using: &random)
        heap.push(element)
        model.append(element)
        model.sort()
      } else if heap.pop() != model.popLast() {
        Issue.record("the popped element is wrong at operation \(operation)")
        return
      }
    }
    #expect(heap.count == model.count)
    #expect(drained(heap) == model.reversed())
  }

  @Test(arguments: [0, 1, 2, 7, 100])
  func `filtering a heap leaves the matching elements, and they are popped from the greatest to the least`(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let elements = (0..<count).map { _ in Int.random(in: 0..<50, using: &random) }
    var heap = Heap(elements)
    heap.keep { $0.isMultiple(of: 3) }
    #expect(drained(heap) == elements.filter { $0.isMultiple(of: 3) }.sorted(by: >))
  }

  @Test func `elements that are pushed in rising or falling order are popped from the greatest to the least`() {
    var heap = Heap<Int>()
    var model: [Int] = []
    for round in 0..<60 {
      let run = (0..<20).map { $0 * 7 + round * 3 }
      for element in round.isMultiple(of: 3) ? run.reversed() : run {
        heap.push(element)
        model.append(element)
      }
      model.sort()
      for _ in 0..<(round % 5) * 6 where heap.pop() != model.popLast() { Issue.record("the popped element is wrong in round \(round)") }
      if round.isMultiple(of: 7) {
        heap.keep { !$0.isMultiple(of: 5) }
        model.removeAll { $0.isMultiple(of: 5) }
      }
      #expect(heap.count == model.count)
      #expect(heap.first == model.last)
    }
    #expect(drained(heap) == model.reversed())
  }
}

extension Int: HeapElement {
  public var order: Int { self }
}

extension Heap {
  fileprivate init(_ elements: [Element]) {
    self.init()
    for element in elements { push(element) }
  }
}
