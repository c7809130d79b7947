/// An order of slots, which are positions in a caller's array: a doubly linked list whose links are in an array of their own.
///
/// Appending, removing, and moving a slot take constant time; removed slots are reused. A list of class instances would allocate for each
/// element and free a long chain recursively. The links are separate from the elements, eight bytes each: moving a slot touches four
/// others, which would be four misses of the processor's cache in a long list of large elements.
struct SlotOrder {
  private struct Link {
    var previous: Int32
    var next: Int32
  }

  private static var none: Int32 { -1 }

  private var links: [Link] = []
  private var first = none
  private var last = none
  /// The first removed slot; each removed slot's `next` is another.
  private var free = none

  var front: Int? { first == Self.none ? nil : Int(first) }

  /// Returns a new last slot: a removed one, or else the one after the highest so far.
  ///
  /// There may be 2³¹ slots; their elements fill the memory before that.
  mutating func append() -> Int {
    let slot: Int32
    if free == Self.none {
      slot = Int32(links.count)
      links.append(Link(previous: Self.none, next: Self.none))
    } else {
      slot = free
      free = links[Int(slot)].next
    }
    linkLast(slot)
    return Int(slot)
  }

  mutating func remove(_ slot: Int) {
    unlink(Int32(slot))
    links[slot].next = free
    free = Int32(slot)
  }

  mutating func moveToBack(_ slot: Int) {
    let (slot, formerLast) = (Int32(slot), last)
    guard slot != formerLast else { return }
    // Unlinks and links, but checks only once whether the links are uniquely referenced: every hit of a cache does this.
    links.withUnsafeMutableBufferPointer { links in
      // The slot is not the last, so there is one behind it.
      let link = links[Int(slot)]
      if link.previous == Self.none { first = link.next } else { links[Int(link.previous)].next = link.next }
      links[Int(link.next)].previous = link.previous
      links[Int(formerLast)].next = slot
      links[Int(slot)] = Link(previous: formerLast, next: Self.none)
    }
    last = slot
  }

  mutating func moveToFront(_ slot: Int) {
    guard slot != first else { return }
    unlink(Int32(slot))
    links[slot] = Link(previous: Self.none, next: first)
    if first == Self.none { last = Int32(slot) } else { links[Int(first)].previous = Int32(slot) }
    first = Int32(slot)
  }

  private mutating func linkLast(_ slot: Int32) {
    links[Int(slot)] = Link(previous: last, next: Self.none)
    if last == Self.none { first = slot } else { links[Int(last)].next = slot }
    last = slot
  }

  private mutating func unlink(_ slot: Int32) {
    let link = links[Int(slot)]
    if link.previous == Self.none { first = link.next } else { links[Int(link.previous)].next = link.next }
    if link.next == Self.none { last = link.previous } else { links[Int(link.next)].previous = link.previous }
  }
}

extension SlotOrder: Sequence {
  /// Iterates from the front to the back.
  func makeIterator() -> AnyIterator<Int> {
    var slot = first
    return AnyIterator {
      guard slot != Self.none else { return nil }
      defer { slot = links[Int(slot)].next }
      return Int(slot)
    }
  }
}
