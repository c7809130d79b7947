/// One wish of one future. A future that gives up and asks again has another ticket: no answer to the old wish is taken for one to the
/// new, and dropping the old does not drop the new.
struct Ask: Hashable, Sendable {
  let future: ObjectIdentifier
  let ticket: UInt32

  init(_ future: FutureImage, _ ticket: UInt32) {
    self.init(ObjectIdentifier(future), ticket)
  }

  init(_ future: ObjectIdentifier, _ ticket: UInt32) {
    self.future = future
    self.ticket = ticket
  }
}

/// The futures that are alive, by the key of their picture.
///
/// A future must not die inside the loader's lock, for it takes that lock to say good-bye: what is found here has to leave the lock before
/// it is let go.
struct LiveFutures {
  private struct Entry {
    weak var future: FutureImage?
  }

  /// Nearly every picture has one future: it costs no dictionary.
  private enum Group {
    case one(ObjectIdentifier, Entry)
    case many(Many)
  }

  /// An object, because a dictionary inside of the enumeration is copied when it is changed: ten thousand futures of one picture would
  /// take as many copies to go.
  private final class Many {
    var entries: [ObjectIdentifier: Entry]

    init(_ entries: [ObjectIdentifier: Entry]) {
      self.entries = entries
    }
  }

  private var groups: [SourceKey: Group] = [:]

  mutating func insert(_ future: FutureImage, key: SourceKey) {
    let id = ObjectIdentifier(future)
    let entry = Entry(future: future)
    // Put in before it is known who is there: nearly always nobody, and then the key was looked for once.
    switch groups.updateValue(.one(id, entry), forKey: key) {
    case nil: break
    case .one(let otherID, let other)?: groups[key] = .many(Many([otherID: other, id: entry]))
    case .many(let many)?:
      many.entries[id] = entry
      groups[key] = .many(many)
    }
  }

  /// - Returns: whether it was the last of its key.
  mutating func remove(_ id: ObjectIdentifier, key: SourceKey) -> Bool {
    switch groups[key] {
    case .one(id, _):
      groups[key] = nil
      return true
    case .many(let many):
      many.entries[id] = nil
      if many.entries.isEmpty { groups[key] = nil }
      return many.entries.isEmpty
    default: return false
    }
  }

  func future(_ ask: Ask, key: SourceKey) -> FutureImage? {
    switch groups[key] {
    case .one(ask.future, let entry): entry.future
    case .many(let many): many.entries[ask.future]?.future
    default: nil
    }
  }

  func contains(key: SourceKey) -> Bool { groups[key] != nil }

  var all: [FutureImage] { groups.keys.flatMap { futures(key: $0) } }

  /// All of the key, or some.
  func futures(key: SourceKey, atMost limit: Int = .max) -> [FutureImage] {
    switch groups[key] {
    case .one(_, let entry): entry.future.map { [$0] } ?? []
    case .many(let many): many.entries.values.prefix(limit).compactMap(\.future)
    case nil: []
    }
  }
}
