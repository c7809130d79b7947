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
  /// Copied without a look at the future.
  private struct Entry {
    /// Nil in place of the many futures of a key.
    let id: ObjectIdentifier?
    weak var future: FutureImage?
  }

  /// An object, because a dictionary inside of another is copied when it is changed: ten thousand futures of one picture would take as many
  /// copies to go.
  private final class Many {
    var entries: [ObjectIdentifier: Entry] = [:]
  }

  /// Nearly every picture has one future: it costs no dictionary of its own.
  ///
  /// In parts by the key's digest, since the lock is held while one is walked through or grows.
  private var parts = [[SourceKey: Entry]](repeating: [:], count: partCount)
  static let partCount = 64
  /// Of the keys that have, or had, more than one.
  private var crowds: [SourceKey: Many] = [:]
  /// Of all keys together.
  private(set) var count = 0

  private subscript(key: SourceKey) -> Entry? {
    get { parts[part(key)][key] }
    _modify { yield &parts[part(key)][key] }
  }

  private func part(_ key: SourceKey) -> Int { key.digest & (Self.partCount - 1) }

  mutating func insert(_ future: FutureImage, key: SourceKey) {
    let id = ObjectIdentifier(future)
    count += 1
    if !crowds.isEmpty, let many = crowds[key] {
      many.entries[id] = Entry(id: id, future: future)
      return
    }
    // Put in before it is known who is there: nearly always nobody, and then the key was looked for once.
    guard let before = parts[part(key)].updateValue(Entry(id: id, future: future), forKey: key) else { return }
    self[key] = Entry(id: nil, future: nil)
    let many = Many()
    crowds[key] = many
    if let otherID = before.id { many.entries[otherID] = before }
    many.entries[id] = Entry(id: id, future: future)
  }

  /// - Returns: whether it was the last of its key.
  mutating func remove(_ id: ObjectIdentifier, key: SourceKey) -> Bool {
    guard let entry = self[key], entry.id ?? id == id else { return false }
    if entry.id == nil, let many = crowds[key] {
      guard many.entries.removeValue(forKey: id) != nil else { return false }
      count -= 1
      guard many.entries.isEmpty else { return false }
      crowds[key] = nil
    } else {
      count -= 1
    }
    self[key] = nil
    return true
  }

  // Nothing is changed by it. But a value is read where it is then, and a copy of a weak reference takes longer than the rest.
  mutating func future(_ ask: Ask, key: SourceKey) -> FutureImage? {
    let part = part(key)
    guard let index = parts[part].index(forKey: key) else { return nil }
    func read(_ entry: inout Entry) -> (isCrowd: Bool, FutureImage?) {
      (entry.id == nil, entry.id == ask.future ? Scheduling.read(entry.future) : nil)
    }
    let (isCrowd, future) = read(&parts[part].values[index])
    return isCrowd ? Scheduling.read(crowds[key]?.entries[ask.future]?.future) : future
  }

  /// Those who still live of the wishes' futures.
  mutating func askers(_ asks: [Ask], key: SourceKey) -> [FutureImage.Loader.Asker] {
    asks.compactMap { ask in future(ask, key: key).map { ($0, ask.ticket) } }
  }

  // An entry is not copied for it: that of a weak reference takes longer than the rest.
  func contains(key: SourceKey) -> Bool { parts[part(key)].index(forKey: key) != nil }

  func contains(_ id: ObjectIdentifier, key: SourceKey) -> Bool {
    guard let entry = self[key] else { return false }
    return entry.id == nil ? crowds[key]?.entries[id] != nil : entry.id == id
  }

  func futures(inPart part: Int) -> [FutureImage] { parts[part].keys.flatMap { futures(key: $0) } }

  func futures(key: SourceKey) -> [FutureImage] {
    guard let entry = self[key] else { return [] }
    return entry.id == nil ? crowd(key: key, atMost: .max) : Scheduling.read(entry.future).map { [$0] } ?? []
  }

  /// Some of the key's futures, if it has more than one.
  func crowd(key: SourceKey, atMost limit: Int) -> [FutureImage] {
    crowds[key]?.entries.values.prefix(limit).compactMap { Scheduling.read($0.future) } ?? []
  }
}
