/// A binary heap: the greatest element first; push and pop in O(log n).
struct Heap<Element: Comparable> {
  private(set) var elements: [Element] = []

  var first: Element? { elements.first }
  var count: Int { elements.count }

  init() {}

  init(_ elements: [Element]) {
    self.elements = elements
    order()
  }

  mutating func push(_ element: Element) {
    elements.append(element)
    elements.withUnsafeMutableBufferPointer { elements in
      var child = elements.count - 1
      while child > 0 {
        let parent = (child - 1) / 2
        guard elements[parent] < elements[child] else { return }
        elements.swapAt(parent, child)
        child = parent
      }
    }
  }

  mutating func pop() -> Element? {
    guard let top = elements.first else { return nil }
    let last = elements.removeLast()
    if !elements.isEmpty {
      elements[0] = last
      sink(0)
    }
    return top
  }

  /// Takes out all that are not to stay, where they lie: O(n).
  mutating func keep(_ stays: (Element) -> Bool) {
    elements.removeAll { !stays($0) }
    order()
  }

  private mutating func order() {
    for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var greatest = parent
      for child in (2 * parent + 1)...(2 * parent + 2) where child < elements.count && elements[greatest] < elements[child] {
        greatest = child
      }
      guard greatest != parent else { return }
      elements.swapAt(parent, greatest)
      parent = greatest
    }
  }
}
