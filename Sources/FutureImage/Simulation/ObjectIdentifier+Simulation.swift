#if FUTUREIMAGE_SIMULATION
/// Replaces Swift's type in the whole library, so that the order of sets and dictionaries does not depend on addresses, and a seed always
/// results in the same run. Numbers the objects in the order in which the library first identifies them.
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
    // The entry of an address may belong to `object`, or to a former object that had the same address. It belongs to `object` if its weak
    // reference is to `object`. It also does if `new.object` is nil, because then `object` is being deinitialized, so no other object has
    // had its address since it was identified.
    if let entry = entries[address], entry.object === object || new.object == nil { return entry.number }
    last += 1
    entries[address] = new
    return last
  }
}
#endif
