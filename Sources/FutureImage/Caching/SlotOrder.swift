/// An order of slots, which are positions in a caller's array. It is a doubly linked list whose links are in a separate array.
///
/// Appending, removing, and moving a slot take constant time. Removed slots are reused. A list of class instances would allocate memory for
/// each element, and would free a long chain recursively. Each link has eight bytes and is separate from its element. Moving a slot
/// accesses four links. If the links were in large elements, a long list would cause four misses of the processor's cache.
struct SlotOrder {
  private struct Link {
    var previous: Int32
    var next: Int32
  }

  private static var none: Int32 { -1 }

  private var links: [Link] = []
  private var first = none
  private var last = none
  /// The first removed slot. The removed slots form a list of their own, by `next`.
  private var free = none

  var front: Int? { first == Self.none ? nil : Int(first) }

  /// Appends a slot and returns it. It is a removed slot if there is one, and otherwise the slot after the highest slot so far.
  ///
  /// There may be up to 2³¹ slots, but their elements fill the memory before that.
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
    // Unlink and link the slot, but check only once whether the links are uniquely referenced, because this runs on every cache hit.
    links.withUnsafeMutableBufferPointer { links in
      // The slot is not the last slot, so it has a next slot.
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
