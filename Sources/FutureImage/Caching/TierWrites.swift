/// The changes that wait for disk tiers, of all loaders and caches that share a ``WriteBehind``. Pure.
///
/// A *line* is a sequence of writes that must run in order: those of one file, or of one tier of an app's own. One write of a line runs at
/// a time, in the order in which the writes were added, so that the last one wins. A *group* is a set of lines that may hang together: the
/// files of one folder, or one tier. A few writes of a group run at a time.
///
/// No request waits for a write, and the work that requests do wait for needs the same processors. So the writes of an owner wait until the
/// owner reports that it is quiet, until they hold more bytes than its patience, or until ``release(_:)`` is called, which happens after a
/// bounded time.
///
/// Every operation takes constant time, plus time for each write that it returns.
struct TierWrites {
  struct Write: Sendable {
    let place: TierPlace
    /// The memory that the write retains, in bytes.
    let bytes: Int
    let owner: any WriteOwner
    /// Starts the write asynchronously and calls `end` when it has ended.
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

  /// The reason why an image is not stored.
  struct Behind: Error, CustomStringConvertible {
    let description = "a disk tier is too far behind; it does not get the picture"
  }

  /// The bytes and entries that wait or are being written, counted over all tiers.
  struct Use {
    var bytes = 0
    var entries = 0
  }

  // Classes, so that changing one copies no table.
  fileprivate final class Line {
    let group: String
    /// The names under which the table has the line.
    var names: [String] = []
    var waiting = FIFO<Write>()
    var isWriting = false
    /// Whether a queue of the line's owner or of its group holds the line.
    var isQueued = false

    init(group: String) { self.group = group }
  }

  private final class Group {
    var use = Use()
    var running = 0
    /// The lines that wait for a write of the group to end.
    var held = FIFO<Line>()
  }

  fileprivate final class Owner {
    let object: any WriteOwner
    /// Whether a release of its writes is scheduled.
    var isTimed = false
    var waiting = Use()
    var running = 0
    /// The lines whose next write may begin when the owner is quiet, and the lines whose next write was released.
    var ready = FIFO<Line>()
    var released = FIFO<Line>()
    /// The number up to which writes may begin.
    var releasedThrough: UInt64 = 0

    init(_ object: any WriteOwner) { self.object = object }
  }

  /// The byte limit of waiting writes over all tiers; one entry of any size may wait if there is no other.
  static let byteLimit = 128 << 20
  /// The most bytes of an owner that may wait for quiet.
  static let largestPatience = 32 << 20
  /// The entry limit, which includes removals.
  static let entryLimit = 32_768
  /// The number of writes of a group that run at a time.
  static let groupWidth = 4
  /// The number of writes that are returned at a time.
  static let batch = 64

  private var lines: [String: Line] = [:]
  private var groups: [String: Group] = [:]
  private var owners: [ObjectIdentifier: Owner] = [:]
  private(set) var use = Use()
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { use.entries == 0 && lines.isEmpty }

  /// The number of the owner's writes that have not begun.
  func waitingCount(_ owner: any WriteOwner) -> Int { owners[ObjectIdentifier(owner)]?.waiting.entries ?? 0 }

  // MARK: Room

  /// Reserves room, which is released when a write that was added with it has ended, or by ``free(_:of:)`` if it was for bytes alone.
  ///
  /// A group may hold at most as much room as it leaves free: one group half of the whole, a second one half of the rest. So groups that
  /// hang never shut out another one.
  mutating func reserve(_ bytes: Int, entries: Int = 1, of place: TierPlace) -> Bool {
    let taken = groups[place.group]?.use ?? Use()
    let fits = bytes == 0 || use.bytes == 0 || taken.bytes + bytes <= Self.byteLimit - use.bytes - bytes
    guard fits, entries == 0 || taken.entries + entries <= Self.entryLimit - use.entries - entries else { return false }
    count(bytes, entries: entries, in: place.group)
    return true
  }

  mutating func free(_ bytes: Int, of place: TierPlace) {
    count(-bytes, entries: 0, in: place.group)
  }

  private mutating func count(_ bytes: Int, entries: Int, in name: String) {
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
  /// - Returns: whether the caller has to call ``release(_:)`` after a while.
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

  /// Whether the last waiting write of the line belongs to the owner, so that no other follows it.
  func isLast(_ owner: any WriteOwner, in place: TierPlace) -> Bool {
    (lines[place.name] ?? lines[place.resolvedName])?.waiting.last.map { $0.owner === owner } ?? false
  }

  /// Takes the writes that begin now. The caller calls ``ended(_:)`` after each. If there are as many as a batch, there may be more.
  /// - Parameters:
  ///   - isQuiet: whether all writes of the owner may begin.
  ///   - patience: the bytes of the owner that may wait until it is quiet.
  mutating func takeDue(_ owner: any WriteOwner, isQuiet: Bool, patience: Int = .max) -> [Write] {
    // Called whenever work has ended.
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

  /// - Returns: the owners of writes that may be able to begin now.
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
      // The group of the line's first write, if the paths differ.
      let group = group(line.group)
      group.running -= 1
      for _ in 0..<max(0, Self.groupWidth - group.running) {
        guard let line = group.held.popFirst() else { break }
        line.isQueued = false
        next += queue(line)
      }
      forgetIfEmpty(line.group)
    }
    count(-write.bytes, entries: -1, in: write.place.group)
    return next
  }

  /// Lets all current writes of the owner begin, whether it is quiet or not.
  ///
  /// An owner without writes is forgotten. Another owner may have its identifier by now; its writes then begin early.
  /// - Returns: the owner, if any of its writes wait.
  mutating func release(_ id: ObjectIdentifier) -> (any WriteOwner)? {
    guard let owner = owners[id] else { return nil }
    owner.isTimed = false
    owner.releasedThrough = lastNumber
    return owner.waiting.entries > 0 ? owner.object : nil
  }

  /// The line of a place. A tier whose path was resolved after its first write was added continues in the line of that write.
  private mutating func line(of place: TierPlace) -> Line {
    if let line = lines[place.name], place.name == place.resolvedName { return line }
    let line = lines[place.name] ?? lines[place.resolvedName] ?? Line(group: place.group)
    for name in place.names where lines[name] == nil {
      lines[name] = line
      line.names.append(name)
    }
    return line
  }

  /// - Returns: the owner of the line's next write.
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
  /// Takes the next line. Lines that became ready after a release follow all lines that it has released.
  fileprivate func next(isQuiet: Bool) -> TierWrites.Line? {
    if let line = released.popFirst() { return line }
    // Called whenever work has ended, and in most cases nothing was released.
    guard isQuiet || releasedThrough > 0 else { return nil }
    guard let number = ready.first?.waiting.first?.number, isQuiet || number <= releasedThrough else { return nil }
    return ready.popFirst()
  }
}
