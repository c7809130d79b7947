/// An object that stores its index in an ``IndexedHeap``.
protocol IndexedHeapElement: AnyObject {
  associatedtype Order: Comparable
  var order: Order { get }
  /// The index; nil while the object is in no heap. Only the heap sets it.
  var heapIndex: Int? { get set }
}

/// A heap of objects that finds the greatest object at once, and moves an object whose order has changed in O(log n). Unlike in a ``Heap``
/// to which the object is added again, no entry remains at the old position.
struct IndexedHeap<Element: IndexedHeapElement> {
  private var elements: [Element] = []

  var first: Element? { elements.first }

  /// Inserts the element, or moves it to the position of its order.
  mutating func update(_ element: Element) {
    let index = element.heapIndex ?? elements.count
    if index == elements.count {
      elements.append(element)
      element.heapIndex = index
    }
    sink(rise(index))
  }

  mutating func remove(_ element: Element) {
    guard let index = element.heapIndex else { return }
    element.heapIndex = nil
    let last = elements.removeLast()
    guard last !== element else { return }
    put(last, index)
    sink(rise(index))
  }

  private mutating func put(_ element: Element, _ index: Int) {
    elements[index] = element
    element.heapIndex = index
  }

  /// - Returns: the new index.
  private mutating func rise(_ start: Int) -> Int {
    var child = start
    while child > 0, elements[(child - 1) / 2].order < elements[child].order {
      exchange(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
    return child
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var greatest = parent
      for child in (2 * parent + 1)...(2 * parent + 2)
      where child < elements.count && elements[greatest].order < elements[child].order { greatest = child }
      guard greatest != parent else { return }
      exchange(parent, greatest)
      parent = greatest
    }
  }

  private mutating func exchange(_ one: Int, _ other: Int) {
    let (first, second) = (elements[one], elements[other])
    put(first, other)
    put(second, one)
  }
}
