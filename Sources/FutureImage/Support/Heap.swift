/// An element of a ``Heap``, which compares only the ``order`` of elements. The order is cheap to copy, whereas comparing whole elements
/// would retain the objects in them.
protocol HeapElement {
  associatedtype Order: Comparable
  var order: Order { get }
}

/// A priority queue with the greatest element first. Push and pop take O(log n).
///
/// It consists of a binary heap and a sorted run. An element that is greater than all elements of the run is appended to the run, in O(1).
/// So when views are bound one after the other, the cost for each view does not depend on their number. A heap alone would move each new
/// element from its bottom to its top.
struct Heap<Element: HeapElement> {
  /// The binary heap, with the greatest element first. The element at index n is at least as great as the elements at 2n + 1 and 2n + 2.
  private var heap: [Element] = []
  /// The sorted run, with the greatest element last.
  private var run: [Element] = []

  var first: Element? { runIsFirst ? run.last : heap.first }
  var count: Int { heap.count + run.count }

  mutating func push(_ element: Element) {
    if run.isEmpty || run[run.count - 1].order < element.order { return run.append(element) }
    heap.append(element)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[parent].order < heap[child].order else { return }
      heap.swapAt(parent, child)
      child = parent
    }
  }

  mutating func pop() -> Element? {
    if runIsFirst { return run.popLast() }
    guard !heap.isEmpty else { return nil }
    heap.swapAt(0, heap.count - 1)
    let top = heap.removeLast()
    sink(0)
    return top
  }

  /// Removes all elements that do not satisfy the predicate, in place and in O(n).
  mutating func keep(_ stays: (Element) -> Bool) {
    run.removeAll { !stays($0) }
    heap.removeAll { !stays($0) }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  private var runIsFirst: Bool {
    guard !run.isEmpty else { return false }
    return heap.isEmpty || heap[0].order < run[run.count - 1].order
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var greatest = parent
      for child in (2 * parent + 1)...(2 * parent + 2) where child < heap.count && heap[greatest].order < heap[child].order {
        greatest = child
      }
      guard greatest != parent else { return }
      heap.swapAt(parent, greatest)
      parent = greatest
    }
  }
}
