#if FUTUREIMAGE_SIMULATION
/// Replaces Swift's type in the whole library, so that sets and dictionaries are not ordered by address. Numbers the objects in the order
/// in which the library first identifies them.
struct ObjectIdentifier: Hashable, Sendable {
  private let number: Int

  init(_ object: AnyObject) { number = Numbers.number(of: object) }
}

extension UInt {
  init(bitPattern id: ObjectIdentifier) { self = UInt(bitPattern: id.hashValue) }
}

private enum Numbers {
  private struct Entry {
    let number: Int
    weak var object: AnyObject?
  }

  // Only one thread runs at a time, and the scheduler stops no thread inside this type.
  nonisolated(unsafe) private static var entries: [Swift.ObjectIdentifier: Entry] = [:]
  nonisolated(unsafe) private static var last = 0

  static func number(of object: AnyObject) -> Int {
    let address = Swift.ObjectIdentifier(object)
    let new = Entry(number: last + 1, object: object)
    // If `new.object` is nil, the object is being deinitialized, so it is still the object of the entry. Otherwise, if `entry.object` is
    // not this object, this object has the address of a former object.
    if let entry = entries[address], entry.object === object || new.object == nil { return entry.number }
    last += 1
    entries[address] = new
    return last
  }
}
#endif
