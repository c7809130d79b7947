/// A first-in, first-out queue. Operations at both ends take amortized constant time.
struct FIFO<Element> {
  // When an element is removed, the value at its index becomes nil, because the element may retain a whole image.
  private var elements: [Element?] = []
  /// The index of the first element. It is also the number of elements removed since the other elements were last moved.
  private(set) var next = 0

  var isEmpty: Bool { next == elements.count }
  var first: Element? { next < elements.count ? elements[next] : nil }
  var count: Int { elements.count - next }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard next < elements.count else { return nil }
    defer { forgetTaken() }
    let element = elements[next]
    elements[next] = nil
    next += 1
    return element
  }

  /// Frees the space of removed elements. Under steady load, the queue is never empty, so the space is also freed when it is more than half
  /// of the array.
  private mutating func forgetTaken() {
    if next == elements.count {
      elements.removeAll(keepingCapacity: next < 1024)
      next = 0
    } else if next >= 256, next * 2 > elements.count {
      elements.removeFirst(next)
      next = 0
    }
  }
}
