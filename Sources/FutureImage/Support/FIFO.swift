/// First in, first out; both ends in amortized constant time.
struct FIFO<Element> {
  // Emptied as they are taken: an element may hold a whole picture.
  private var elements: [Element?] = []
  /// Where the first one is: so many were taken since the others were last moved.
  private(set) var next = 0

  var isEmpty: Bool { next == elements.count }
  var first: Element? { next < elements.count ? elements[next] : nil }
  var last: Element? { isEmpty ? nil : elements.last ?? nil }
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

  /// Moves the first element to the end.
  mutating func rotate() {
    if count > 1, let first = popFirst() { append(first) }
  }

  /// Under steady load it is never empty; what was taken goes once it is the greater part.
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
