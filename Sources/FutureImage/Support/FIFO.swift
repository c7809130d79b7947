/// A first-in, first-out queue. Both ends take amortized constant time.
struct FIFO<Element> {
  // Each place is emptied when its element is removed, because an element may hold a whole image.
  private var elements: [Element?] = []
  /// The index of the first element: the number of elements removed since the others were last moved.
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

  /// Under steady load the queue is never empty, so the places of removed elements are deleted once they are the greater part.
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
