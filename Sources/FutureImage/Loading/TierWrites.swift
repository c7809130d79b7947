/// The changes that wait for disk tiers, of all loaders and caches that share a ``WriteBehind``. Pure.
///
/// A *line* is what must be written in order: one file, or one tier of an app's own. One write of a line runs at a time, in the order in
/// which the writes were added, so that the last one is what stays. A *group* is what may hang together: the files of one folder, or one
/// tier. A few writes of a group run at a time.
///
/// Nobody waits for a write, and what is waited for needs the same processors. So the writes of an owner wait until the owner says that it
/// is quiet, until they hold more bytes than its patience, or until ``release(_:)`` is called, which somebody does after a bounded time.
///
/// Every operation takes constant time, but for as many writes as it hands out.
struct TierWrites {
  struct Write: Sendable {
    let place: TierPlace
    /// The memory that the write holds.
    let bytes: Int
    let owner: any WriteOwner
    /// Starts the write and calls `end` when it has ended. Calls no one at once.
    let begin: @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
    fileprivate(set) var number: UInt64 = 0

    init(
      _ place: TierPlace, bytes: Int, owner: any WriteOwner, begin: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
    ) {
      self.place = place
      self.bytes = bytes
      self.owner = owner
      self.begin = begin
    }
  }

  /// Why a picture is not stored.
  struct Behind: Error, CustomStringConvertible {
    let description = "a disk tier is too far behind; it does not get the picture"
  }

  /// The bytes and entries that wait or are being written, counted over all tiers.
  struct Use {
    var bytes = 0
    var entries = 0
  }

  // Objects, so that a change of one copies no table.
  fileprivate final class Line {
    let group: String
    /// The names under which the table has the line.
    var names: [String] = []
    var waiting = FIFO<Write>()
    var isWriting = false
    /// Whether a queue of its owner, or its group, holds the line.
    var isQueued = false

    init(group: String) { self.group = group }
  }

  private final class Group {
    var use = Use()
    var running = 0
    /// Lines that wait for a write of the group to end.
    var held = FIFO<Line>()
  }

  fileprivate final class Owner {
    let object: any WriteOwner
    /// Whether somebody is going to release its writes.
    var isTimed = false
    var waiting = Use()
    var running = 0
    /// Lines whose next write may begin when the owner is quiet, and those whose next write was released.
    var ready = FIFO<Line>()
    var released = FIFO<Line>()
    /// Writes up to this number may begin.
    var releasedThrough: UInt64 = 0

    init(_ object: any WriteOwner) { self.object = object }
  }

  /// The bytes of all tiers together that may wait; one entry of any size may if there is no other.
  static let byteLimit = 128 << 20
  /// The bytes of an owner that may wait for quiet, at most.
  static let largestPatience = 32 << 20
  /// The entries, removals among them.
  static let entryLimit = 32_768
  /// How many writes of a group run at a time.
  static let groupWidth = 4
  /// How many writes are handed out at a time.
  static let batch = 64

  private var lines: [String: Line] = [:]
  private var groups: [String: Group] = [:]
  private var owners: [ObjectIdentifier: Owner] = [:]
  private(set) var use = Use()
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { use.entries == 0 && lines.isEmpty }

  /// How many writes of the owner have not begun.
  func waitingCount(_ owner: any WriteOwner) -> Int { owners[ObjectIdentifier(owner)]?.waiting.entries ?? 0 }

  // MARK: Room

  /// Takes room, which is given back when a write that was added with it has ended, or by ``free(_:of:)`` if it was for bytes alone.
  ///
  /// A group may take as much as is left of the whole then: one group half of it, a second one half of the rest. So groups that hang never
  /// shut out another one.
  mutating func reserve(_ bytes: Int, entries: Int = 1, of place: TierPlace) -> Bool {
    let taken = groups[place.group]?.use ?? Use()
    let fits = bytes == 0 || use.bytes == 0 || taken.bytes + bytes <= Self.byteLimit - use.bytes - bytes
    guard fits, entries == 0 || taken.entries + entries <= Self.entryLimit - use.entries - entries else { return false }
    count(bytes, entries, place.group)
    return true
  }

  mutating func free(_ bytes: Int, of place: TierPlace) {
    count(-bytes, 0, place.group)
  }

  private mutating func count(_ bytes: Int, _ entries: Int, _ name: String) {
    let group = group(name)
    group.use.bytes += bytes
    group.use.entries += entries
    use.bytes += bytes
    use.entries += entries
    if group.use.entries == 0 { forgetIfEmpty(name) }
  }

  private mutating func group(_ name: String) -> Group {
    if let group = groups[name] { return group }
    let group = Group()
    groups[name] = group
    return group
  }

  private mutating func forgetIfEmpty(_ name: String) {
    if let group = groups[name], group.use.entries == 0, group.use.bytes == 0, group.running == 0, group.held.isEmpty { groups[name] = nil }
  }

  // MARK: Writes

  /// Adds a write for which room was reserved.
  /// - Returns: Whether the caller has to call ``release(_:)`` after a while.
  @discardableResult
  mutating func add(_ write: Write) -> Bool {
    var write = write
    lastNumber += 1
    write.number = lastNumber
    let line = line(of: write.place)
    let id = ObjectIdentifier(write.owner)
    let owner = owners[id] ?? Owner(write.owner)
    owners[id] = owner
    line.waiting.append(write)
    owner.waiting.bytes += write.bytes
    owner.waiting.entries += 1
    queue(line)
    defer { owner.isTimed = true }
    return !owner.isTimed
  }

  /// Whether the last write that waits in the line is one of the owner's, so that no other comes after it.
  func isLast(_ owner: any WriteOwner, in place: TierPlace) -> Bool {
    (lines[place.name] ?? lines[place.resolvedName])?.waiting.last.map { $0.owner === owner } ?? false
  }

  /// The writes that are to begin now; each is to be followed by ``ended(_:)``. There may be more if there are as many as a batch.
  /// - Parameters:
  ///   - isQuiet: Whether all writes of the owner may begin.
  ///   - patience: The bytes of the owner that may wait until it is quiet.
  mutating func takeDue(_ owner: any WriteOwner, isQuiet: Bool, patience: Int = .max) -> [Write] {
    // Asked whenever something has ended.
    guard let owner = owners[ObjectIdentifier(owner)] else { return [] }
    var due: [Write] = []
    while due.count < Self.batch, let line = owner.next(isQuiet: isQuiet || owner.waiting.bytes > patience) {
      let group = group(line.group)
      guard group.running < Self.groupWidth else {
        group.held.append(line)
        continue
      }
      line.isQueued = false
      guard let write = line.waiting.popFirst() else { continue }
      line.isWriting = true
      group.running += 1
      owner.running += 1
      owner.waiting.bytes -= write.bytes
      owner.waiting.entries -= 1
      due.append(write)
    }
    return due
  }

  /// - Returns: The owners of writes that may be able to begin now.
  mutating func ended(_ write: Write) -> [any WriteOwner] {
    let id = ObjectIdentifier(write.owner)
    if let owner = owners[id] {
      owner.running -= 1
      if owner.running == 0, owner.waiting.entries == 0 { owners[id] = nil }
    }
    var next: [any WriteOwner] = []
    if let line = lines[write.place.name] {
      line.isWriting = false
      if line.waiting.isEmpty { for name in line.names { lines[name] = nil } }
      next += queue(line)
      // That of the line's first write, where paths differ.
      let group = group(line.group)
      group.running -= 1
      for _ in 0..<max(0, Self.groupWidth - group.running) {
        guard let line = group.held.popFirst() else { break }
        line.isQueued = false
        next += queue(line)
      }
      forgetIfEmpty(line.group)
    }
    count(-write.bytes, -1, write.place.group)
    return next
  }

  /// Lets all writes begin that the owner has now, whether it is quiet or not.
  ///
  /// An owner that has no writes is forgotten. Another one may have its identifier by now: its writes begin early then.
  /// - Returns: The owner, if it has any that wait.
  mutating func release(_ id: ObjectIdentifier) -> (any WriteOwner)? {
    guard let owner = owners[id] else { return nil }
    owner.isTimed = false
    owner.releasedThrough = lastNumber
    return owner.waiting.entries > 0 ? owner.object : nil
  }

  /// A tier whose path was resolved after its first write was added goes on in the line of that write.
  private mutating func line(of place: TierPlace) -> Line {
    if let line = lines[place.name], place.name == place.resolvedName { return line }
    let line = lines[place.name] ?? lines[place.resolvedName] ?? Line(group: place.group)
    for name in place.names where lines[name] == nil {
      lines[name] = line
      line.names.append(name)
    }
    return line
  }

  /// - Returns: The owner of the line's next write.
  @discardableResult
  private func queue(_ line: Line) -> [any WriteOwner] {
    guard !line.isWriting, !line.isQueued, let write = line.waiting.first, let owner = owners[ObjectIdentifier(write.owner)] else {
      return []
    }
    line.isQueued = true
    if write.number <= owner.releasedThrough { owner.released.append(line) } else { owner.ready.append(line) }
    return [write.owner]
  }
}

extension TierWrites.Owner {
  /// The lines that became ready after a release come behind all that it has released.
  fileprivate func next(isQuiet: Bool) -> TierWrites.Line? {
    if let line = released.popFirst() { return line }
    // Asked whenever something has ended, and nothing was released in most cases.
    guard isQuiet || releasedThrough > 0 else { return nil }
    guard let number = ready.first?.waiting.first?.number, isQuiet || number <= releasedThrough else { return nil }
    return ready.popFirst()
  }
}
