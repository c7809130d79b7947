/// The waiters of a job, each once. They are handed out as they are, because iterating over thousands would happen inside a lock.
struct Waiters<Element: Hashable>: Sequence {
  /// Nearly every job has just one waiter, which costs no set. Nil only if there are no others.
  private var first: Element?
  private var others: Set<Element> = []

  init() {}

  init(_ first: Element) { self.first = first }

  var isEmpty: Bool { first == nil }
  var count: Int { isEmpty ? 0 : 1 + others.count }

  /// - Returns: whether the waiter is new.
  mutating func insert(_ new: Element) -> Bool {
    guard let first else {
      first = new
      return true
    }
    return new != first && others.insert(new).inserted
  }

  mutating func remove(_ leaving: Element) {
    if leaving == first { first = others.popFirst() } else { others.remove(leaving) }
  }

  func makeIterator() -> Iterator { Iterator(first: first, others: others.makeIterator()) }

  struct Iterator: IteratorProtocol {
    fileprivate var first: Element?
    fileprivate var others: Set<Element>.Iterator

    mutating func next() -> Element? { first.take() ?? others.next() }

    /// The next few elements, for a caller that takes them inside a lock.
    mutating func next(_ count: Int) -> [Element] {
      var some: [Element] = []
      while some.count < count, let element = next() { some.append(element) }
      return some
    }
  }
}

extension Waiters: Equatable {
  static func == (one: Self, other: Self) -> Bool { Set(one) == Set(other) }
}

extension Waiters: ExpressibleByArrayLiteral {
  init(arrayLiteral elements: Element...) {
    for element in elements { _ = insert(element) }
  }
}

extension Waiters: Sendable where Element: Sendable {}
