#if FUTUREIMAGE_SIMULATION
/// In place of Swift's in the whole library, so that sets and dictionaries have no order by address: objects are known by numbers, in the
/// order in which the library met them.
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

  // One thread at a time runs, and none is stopped in here.
  nonisolated(unsafe) private static var entries: [Swift.ObjectIdentifier: Entry] = [:]
  nonisolated(unsafe) private static var last = 0

  static func number(of object: AnyObject) -> Int {
    let address = Swift.ObjectIdentifier(object)
    let new = Entry(number: last + 1, object: object)
    // Nobody can hold one weakly that is at its end: it is the same one still. Else another has its address.
    if let entry = entries[address], entry.object === object || new.object == nil { return entry.number }
    last += 1
    entries[address] = new
    return last
  }
}
#endif
