/// The changes of all loaders and caches that share a ``WriteBehind``. Decides which of them begin, and accesses no disk.
///
/// A *line* is a sequence of changes that must be made in order: the changes of one file, or of one tier that an app implements. Only one
/// change of a line is made at a time. A later change of the same key replaces a waiting change, so that only the last change is made. A
/// *group* is a set of lines whose changes may all hang at the same time: the files of one folder, or one tier. A few changes of a group
/// are made at a time.
///
/// No request waits for a write. But requests wait for other work, which needs the same processors as the writes. So the changes of an
/// owner wait until the owner reports that it is quiet, until their bytes exceed a limit, which is called the owner's patience, or until
/// ``release(_:)`` is called, which happens after a bounded time.
///
/// | state of the key in its tier | result of a read |
/// | --- | --- |
/// | a value is being stored, or waits to be stored | the value |
/// | the entry is being removed, or waits to be removed | nothing |
/// | an older entry could be neither replaced nor removed | nothing |
/// | the tier is so far behind that there is no room for a removal | nothing, whatever the key |
/// | otherwise | the tier's entry |
///
/// Every operation except `keys(of:in:)` takes constant time, plus time for each write that it returns.
package struct TierWrites {
  /// A change of one key in one tier.
  package struct Write: Sendable {
    let tier: any FutureImage.DiskTier
    package let location: TierLocation
    package let key: String
    let owner: any WriteOwner
    package fileprivate(set) var change: TierChange
    fileprivate(set) var number: UInt64 = 0

    package init(
      _ change: TierChange, of key: String, in tier: any FutureImage.DiskTier, _ location: TierLocation, by owner: any WriteOwner
    ) {
      self.tier = tier
      self.location = location
      self.key = key
      self.owner = owner
      self.change = change
    }
  }

  // Entries, lines, groups, and owners are classes, so that changing one of them copies no table.
  fileprivate final class Entry {
    var write: Write
    var hasBegun = false

    init(_ write: Write) { self.write = write }
  }

  fileprivate final class Line {
    let group: String
    /// The names of the line in `lines`.
    var names: [String] = []
    var waiting = FIFO<Entry>()
    /// For each key, the last change that waits or is being made.
    var newest: [String: Entry] = [:]
    var running: Entry?
    /// Whether the line is in a queue of its owner or of its group.
    var isQueued = false
    var waiters: [CheckedContinuation<Void, Never>] = []

    init(group: String) { self.group = group }
  }

  private final class Group {
    var running = 0
    /// The lines that wait for a write of the group to end.
    var held = FIFO<Line>()
  }

  fileprivate final class Owner {
    let object: any WriteOwner
    /// Whether a release of the owner's writes is scheduled.
    var isTimed = false
    var waiting = WriteRoom.Use()
    var running = 0
    /// The lines whose next write may begin when the owner is quiet.
    var ready = FIFO<Line>()
    /// The lines whose next write may begin at once, because a release permits it.
    var released = FIFO<Line>()
    /// The number of the last write that a release permits to begin.
    var releasedThrough: UInt64 = 0
    var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ object: any WriteOwner) { self.object = object }
  }

  private struct Doubt: Hashable {
    let key: String
    let location: String
  }

  /// The greatest patience of an owner: the bytes of its writes that may wait until it is quiet.
  static let largestPatience = 32 << 20
  /// The maximum number of writes of a group that run at a time. So a group that hangs occupies few threads.
  static let groupWidth = 4
  /// The maximum number of writes that are returned at a time.
  static let batch = 64
  /// The maximum numbers of elements in `doubts` and in `distrusted`.
  static let doubtLimit = 1_024
  static let distrustLimit = 256

  private var lines: [String: Line] = [:]
  private var groups: [String: Group] = [:]
  private var owners: [ObjectIdentifier: Owner] = [:]
  private var room = WriteRoom()
  /// The number of removals that wait or are being made.
  private var removals = 0
  private var lastNumber: UInt64 = 0
  /// The older entries that could be neither replaced nor removed.
  private var doubts: Set<Doubt> = []
  /// The groups of tiers that are so far behind that there is no room for removals. If `distrustsAll` is true, all groups count.
  private var distrusted: Set<String> = []
  private var distrustsAll = false

  var use: WriteRoom.Use { room.use }
  var isEmpty: Bool { use.entries == 0 && lines.isEmpty }
  /// Whether the entries of all tiers may be read.
  var hidesNothing: Bool { removals == 0 && doubts.isEmpty && distrusted.isEmpty && !distrustsAll }

  /// Returns the number of the owner's writes that have not ended. `waitingCount(of:)` returns the number of writes that have not begun.
  func count(of owner: any WriteOwner) -> Int { owners[ObjectIdentifier(owner)].map { $0.waiting.entries + $0.running } ?? 0 }
  func waitingCount(of owner: any WriteOwner) -> Int { owners[ObjectIdentifier(owner)]?.waiting.entries ?? 0 }

  // MARK: Reading

  func known(_ key: String, in location: TierLocation) -> Known {
    if case .store(let value) = existingLine(of: location)?.newest[key]?.write.change { return .value(value) }
    return isMissing(key, in: location) ? .missing : .unknown
  }

  /// Whether it is known, without reading the tier, that the tier has no entry for the key, or only an entry that must not be read.
  func isMissing(_ key: String, in location: TierLocation) -> Bool {
    if hidesNothing { return false }
    if let entry = existingLine(of: location)?.newest[key] { return entry.write.change.isRemoval }
    if distrustsAll || distrusted.contains(location.group) { return true }
    return !doubts.isEmpty && location.names.contains { doubts.contains(Doubt(key: key, location: $0)) }
  }

  /// Returns the keys in the group for which the owner has changes.
  func keys(of owner: any WriteOwner, in group: String) -> Set<String> {
    var keys: Set<String> = []
    for line in lines.values where line.group == group {
      for (key, entry) in line.newest where entry.write.owner === owner { keys.insert(key) }
    }
    return keys
  }

  // MARK: Adding

  /// Adds a change. If there is no room for a value, the entry that the value was to replace is removed. If there is no room for a removal,
  /// nothing is read from the group anymore.
  mutating func add(_ write: Write) -> Added {
    var write = write
    let latest = existingLine(of: write.location)?.newest[write.key]
    if case .removeBytes(let bytes) = write.change, let latest {
      switch latest.write.change {
      // The value replaces the bytes, or has replaced them already.
      case .store(let value) where value.entry?.body != bytes: return Added()
      case .store, .remove: write.change = .remove
      case .removeBytes, .nothing: break
      }
    }
    if let added = put(&write, after: latest) { return added }
    if write.change.isStore {
      guard write.change.replaces else { return Added(isAccepted: false) }
      write.change = .remove
      if var added = put(&write, after: latest) {
        added.isAccepted = false
        return added
      }
    }
    distrust(write.location.group)
    return Added(isAccepted: false)
  }

  /// Removes a value of the owner that waits for its tier or is being stored there.
  /// - Parameter name: one of the names of the tier's location.
  mutating func withdraw(_ key: String, in name: String, by owner: any WriteOwner) -> Added {
    guard let latest = lines[name]?.newest[key], latest.write.owner === owner, latest.write.change.isStore else { return Added() }
    let write = latest.write
    return add(Write(.remove, of: key, in: write.tier, write.location, by: owner))
  }

  /// Adds the change. If `latest` has not begun, the change replaces it.
  /// - Parameter latest: the last change of the key that waits or is being made.
  /// - Returns: nil if there is no room.
  private mutating func put(_ write: inout Write, after latest: Entry?) -> Added? {
    let change = write.change
    guard let latest, !latest.hasBegun else {
      guard room.reserve(change.bytes, entries: 1, of: write.location.group) else { return nil }
      return Added(mustTime: append(write))
    }
    let replaced = latest.write.change
    if case .store(var value) = change, replaced.replaces, !value.replaces {
      value.replaces = true
      write.change = .store(value)
    }
    let isOwn = latest.write.owner === write.owner
    room.count(-replaced.bytes, entries: 0, of: latest.write.location.group)
    guard room.reserve(change.bytes, entries: isOwn ? 0 : 1, of: write.location.group) else {
      room.count(replaced.bytes, entries: 0, of: latest.write.location.group)
      return nil
    }
    owners[ObjectIdentifier(latest.write.owner)]?.waiting.bytes -= replaced.bytes
    if replaced.isRemoval { removals -= 1 }
    if isOwn {
      owners[ObjectIdentifier(write.owner)]?.waiting.bytes += change.bytes
      latest.write.change = write.change
      if change.isRemoval { removals += 1 }
      return Added(replaced: replaced, replacesOwn: true)
    }
    // An entry without a change remains, so that the owner of the replaced change is notified of the end of that change.
    latest.write.change = .nothing(isStore: replaced.isStore)
    return Added(mustTime: append(write), replaced: replaced)
  }

  private mutating func append(_ write: Write) -> Bool {
    var write = write
    lastNumber += 1
    write.number = lastNumber
    let line = line(of: write.location)
    let id = ObjectIdentifier(write.owner)
    let owner = owners[id] ?? Owner(write.owner)
    owners[id] = owner
    let entry = Entry(write)
    line.waiting.append(entry)
    line.newest[write.key] = entry
    owner.waiting.bytes += write.change.bytes
    owner.waiting.entries += 1
    if write.change.isRemoval { removals += 1 }
    queue(line)
    defer { owner.isTimed = true }
    return !owner.isTimed
  }

  private mutating func distrust(_ group: String) {
    distrusted.insert(group)
    guard distrusted.count > Self.distrustLimit else { return }
    distrustsAll = true
    distrusted = []
  }

  // MARK: Making

  /// Removes and returns the writes that begin now. The caller calls ``ended(_:isDone:)`` after each write.
  /// - Parameters:
  ///   - isQuiet: whether all writes of the owner may begin.
  ///   - patience: the number of bytes of the owner's writes that may wait until the owner is quiet.
  mutating func takeDue(_ owner: any WriteOwner, isQuiet: Bool, patience: Int = .max) -> [Write] {
    // This method is called whenever work has ended, often for an owner without writes.
    guard let owner = owners[ObjectIdentifier(owner)] else { return [] }
    var due: [Write] = []
    while due.count < Self.batch, let line = owner.next(isQuiet: isQuiet || owner.waiting.bytes > patience) {
      let group = group(line.group)
      guard group.running < Self.groupWidth else {
        group.held.append(line)
        continue
      }
      line.isQueued = false
      guard let entry = line.waiting.popFirst() else { continue }
      entry.hasBegun = true
      line.running = entry
      group.running += 1
      owner.running += 1
      owner.waiting.bytes -= entry.write.change.bytes
      owner.waiting.entries -= 1
      due.append(entry.write)
    }
    return due
  }

  /// Records the end of a write, and queues the lines that can continue.
  /// - Parameter isDone: whether the tier now has the result of the change, or no entry. Otherwise, it still has its earlier entry.
  mutating func ended(_ write: Write, isDone: Bool) -> Ended {
    var ended = Ended()
    note(isDone: isDone || !write.change.replaces, write.key, in: write.location)
    let id = ObjectIdentifier(write.owner)
    if let owner = owners[id] {
      owner.running -= 1
      if owner.running == 0, owner.waiting.entries == 0 {
        ended.waiters += owner.waiters
        owners[id] = nil
      }
    }
    if let line = lines[write.location.name] {
      // Race: a value that is lost while an older value of its key is written.
      if let entry = line.running.take(), line.newest[write.key] === entry { line.newest[write.key] = nil }
      if line.waiting.isEmpty {
        ended.waiters += line.waiters
        for name in line.names { lines[name] = nil }
      }
      ended.owners += queue(line)
      // The line's group is that of its first write. The write that ended may have another group if its path differs.
      let group = group(line.group)
      group.running -= 1
      for _ in 0..<max(0, Self.groupWidth - group.running) {
        guard let line = group.held.popFirst() else { break }
        line.isQueued = false
        ended.owners += queue(line)
      }
      if group.running == 0, group.held.isEmpty { groups[line.group] = nil }
    }
    room.count(-write.change.bytes, entries: -1, of: write.location.group)
    if write.change.isRemoval { removals -= 1 }
    return ended
  }

  private mutating func note(isDone: Bool, _ key: String, in location: TierLocation) {
    if isDone && doubts.isEmpty { return }
    let names = location.names.map { Doubt(key: key, location: $0) }
    if isDone {
      doubts.subtract(names)
    } else if doubts.count < Self.doubtLimit {
      doubts.formUnion(names)
    } else {
      distrust(location.group)
    }
  }

  /// Permits all current writes of the owner to begin, whether the owner is quiet or not.
  ///
  /// A timer calls this method with the identifier of an owner. By then, the owner may have no writes left, and may no longer exist. If
  /// another owner has got the same identifier meanwhile, the writes of that owner begin early.
  /// - Returns: the owner, if any of its writes wait.
  mutating func release(_ id: ObjectIdentifier) -> (any WriteOwner)? {
    guard let owner = owners[id] else { return nil }
    owner.isTimed = false
    owner.releasedThrough = lastNumber
    return owner.waiting.entries > 0 ? owner.object : nil
  }

  // MARK: Waiting

  /// Adds a waiter for the end of the location's writes.
  /// - Returns: false if there are no such writes.
  func await(_ location: TierLocation, _ waiter: CheckedContinuation<Void, Never>) -> Bool {
    guard let line = existingLine(of: location) else { return false }
    line.waiters.append(waiter)
    return true
  }

  /// Adds a waiter for the end of the owner's writes.
  /// - Returns: false if there are no such writes.
  func await(_ owner: any WriteOwner, _ waiter: CheckedContinuation<Void, Never>) -> Bool {
    guard let owner = owners[ObjectIdentifier(owner)] else { return false }
    owner.waiters.append(waiter)
    return true
  }

  // MARK: Lines

  private mutating func group(_ name: String) -> Group {
    if let group = groups[name] { return group }
    let group = Group()
    groups[name] = group
    return group
  }

  private func existingLine(of location: TierLocation) -> Line? {
    if lines.isEmpty { return nil }
    // Race: two tiers that write one file at the same time.
    return lines[location.name] ?? lines[location.resolvedName]
  }

  /// Returns the line of a location. If the path of a tier was resolved after its first write was added, its later writes use the line of
  /// that write.
  private mutating func line(of location: TierLocation) -> Line {
    let existing = existingLine(of: location)
    if let existing, location.name == location.resolvedName { return existing }
    let line = existing ?? Line(group: location.group)
    for name in location.names where lines[name] == nil {
      lines[name] = line
      line.names.append(name)
    }
    return line
  }

  /// Adds the line to a queue of the owner of its next write, unless the line is in a queue already, or one of its writes is being made.
  /// - Returns: the owner, if the line was added.
  @discardableResult
  private func queue(_ line: Line) -> [any WriteOwner] {
    guard line.running == nil, !line.isQueued, let write = line.waiting.first?.write else { return [] }
    guard let owner = owners[ObjectIdentifier(write.owner)] else { return [] }
    line.isQueued = true
    if write.number <= owner.releasedThrough { owner.released.append(line) } else { owner.ready.append(line) }
    return [write.owner]
  }
}

extension TierWrites.Owner {
  /// Removes and returns the next line. Lines that became ready after a release follow all lines that were released.
  fileprivate func next(isQuiet: Bool) -> TierWrites.Line? {
    if let line = released.popFirst() { return line }
    // This method is called whenever work has ended, and in most cases nothing was released.
    guard isQuiet || releasedThrough > 0 else { return nil }
    guard let number = ready.first?.waiting.first?.write.number, isQuiet || number <= releasedThrough else { return nil }
    return ready.popFirst()
  }
}
