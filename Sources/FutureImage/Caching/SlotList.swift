/// A doubly linked list whose nodes lie in one array and are named by their place in it.
///
/// Appending, removing and moving a slot take constant time; emptied slots are used again. A list of class instances would allocate
/// for each element and free a long chain recursively.
struct SlotList<Element> {
  private struct Slot {
    var element: Element?
    var previous: Int
    var next: Int
  }

  private static var none: Int { -1 }

  private var slots: [Slot] = []
  private var first = none
  private var last = none
  /// The first empty slot; each empty slot's `next` is another.
  private var free = none

  var front: Int? { first == Self.none ? nil : first }

  /// The element in a slot that `append` returned and `remove` has not yet emptied.
  subscript(slot: Int) -> Element {
    guard let element = slots[slot].element else {
      // A slot that was emptied is the caller's mistake, like an index out of bounds.
      preconditionFailure("slot \(slot) is empty")
    }
    return element
  }

  mutating func append(_ element: Element) -> Int {
    let slot: Int
    if free == Self.none {
      slot = slots.count
      slots.append(Slot(element: element, previous: Self.none, next: Self.none))
    } else {
      slot = free
      free = slots[slot].next
      slots[slot].element = element
    }
    linkLast(slot)
    return slot
  }

  mutating func remove(_ slot: Int) -> Element {
    let element = self[slot]
    unlink(slot)
    slots[slot] = Slot(element: nil, previous: Self.none, next: free)
    free = slot
    return element
  }

  mutating func moveToBack(_ slot: Int) {
    guard slot != last else { return }
    unlink(slot)
    linkLast(slot)
  }

  mutating func moveToFront(_ slot: Int) {
    guard slot != first else { return }
    unlink(slot)
    slots[slot].previous = Self.none
    slots[slot].next = first
    if first == Self.none { last = slot } else { slots[first].previous = slot }
    first = slot
  }

  private mutating func linkLast(_ slot: Int) {
    slots[slot].previous = last
    slots[slot].next = Self.none
    if last == Self.none { first = slot } else { slots[last].next = slot }
    last = slot
  }

  private mutating func unlink(_ slot: Int) {
    let (previous, next) = (slots[slot].previous, slots[slot].next)
    if previous == Self.none { first = next } else { slots[previous].next = next }
    if next == Self.none { last = previous } else { slots[next].previous = previous }
  }
}

extension SlotList: Sequence {
  /// From the front to the back.
  func makeIterator() -> AnyIterator<Element> {
    var slot = first
    return AnyIterator {
      guard slot != Self.none else { return nil }
      defer { slot = slots[slot].next }
      return self[slot]
    }
  }
}
