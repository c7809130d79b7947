/// The images of a loader by key: their living futures, and everything else that is known of them.
///
/// A future must not be deallocated inside the loader's lock, because it takes that lock to unregister. So a caller that gets a future here
/// returns it out of the lock before releasing it.
struct Pictures {
  private struct Entry {
    /// Nil if the key has a crowd of futures.
    let id: ObjectIdentifier?
    let future: WeakFuture
  }

  /// The entries by key. Nearly every image has one future and nothing else to record: it costs an entry here, and no ``Picture``.
  ///
  /// The table is split into parts by the key's digest, because the lock is held while a part grows.
  private var parts = [[SourceKey: Entry]](repeating: [:], count: partCount)
  static let partCount = 64
  /// The records of the keys with more to record than one future.
  private(set) var known: [SourceKey: Picture] = [:]
  /// The number of living futures.
  private(set) var count = 0

  /// The number of images that are remembered as replaced.
  private(set) var replacedCount = 0
  /// The rounds over the keys of those images.
  private var rounds = Rounds<SourceKey>()

  /// The number of images ever delivered without a disk tier. A caller that looked before the latest one arrived looks again.
  private(set) var toldCount: UInt64 = 0

  // MARK: Records

  /// The record of the key, or nil if nothing is known beyond one future.
  subscript(key: SourceKey) -> Picture? { known.isEmpty ? nil : known[key] }

  func generation(of key: SourceKey) -> UInt32 { self[key]?.generation ?? 0 }

  /// Changes the record of a key, and drops it if nothing is left to record.
  @discardableResult mutating func change<Result>(_ key: SourceKey, _ body: (Picture) -> Result) -> Result {
    let before = self[key]
    let picture = before ?? Picture()
    let result = body(picture)
    let isOver = picture.saysNothing
    if before == nil, !isOver { known[key] = picture }
    if before != nil, isOver { known[key] = nil }
    return result
  }

  /// Changes the key's record, if there is one; else nil.
  @discardableResult mutating func changeIfKnown<Result>(_ key: SourceKey, _ body: (Picture) -> Result) -> Result? {
    self[key] == nil ? nil : change(key, body)
  }

  // MARK: Futures

  /// - Returns: the image's generation, and another future that was accessed, to be released outside the lock.
  mutating func insert(_ future: FutureImage, _ descriptor: Descriptor) -> (generation: UInt32, other: FutureImage?) {
    let (id, key) = (ObjectIdentifier(future), descriptor.key)
    count += 1
    let picture = self[key]
    let generation = picture?.generation ?? 0
    if let picture, picture.crowd != nil {
      picture.crowd?.insert(WeakFuture(future), id: id, tier: descriptor.disk)
      return (generation, nil)
    }
    // Insert before checking for another entry: nearly always there is none, and then the key is looked up only once.
    guard let before = parts[part(key)].updateValue(Entry(id: id, future: WeakFuture(future)), forKey: key) else {
      return (generation, nil)
    }
    parts[part(key)][key] = Entry(id: nil, future: WeakFuture(nil))
    let other = before.future.future
    change(key) { picture in
      var crowd = Picture.Crowd()
      if let otherID = before.id { crowd.insert(before.future, id: otherID, tier: other?.descriptor?.disk) }
      crowd.insert(WeakFuture(future), id: id, tier: descriptor.disk)
      picture.crowd = crowd
    }
    return (generation, other)
  }

  /// - Returns: whether it was the last future of its key, and a disk tier and a crowd to be released outside the lock.
  mutating func remove(
    _ id: ObjectIdentifier, key: SourceKey
  ) -> (isLast: Bool, tier: (any FutureImage.DiskTier)?, crowd: Picture.Crowd?) {
    let (picture, part) = (self[key], part(key))
    var tier: (any FutureImage.DiskTier)?
    var crowd: Picture.Crowd?
    if let picture, picture.crowd != nil {
      guard let removed = picture.crowd?.remove(id), removed.wasThere else { return (false, nil, nil) }
      tier = removed.tier
      count -= 1
      guard picture.crowd?.count == 0 else { return (false, tier, nil) }
      crowd = picture.crowd.take()
      parts[part][key] = nil
    } else {
      // Removed before its identity is compared: nearly always it is the future's, and then the key is looked up only once.
      guard let entry = parts[part].removeValue(forKey: key) else { return (false, nil, nil) }
      guard entry.id == id else {
        parts[part][key] = entry
        return (false, nil, nil)
      }
      count -= 1
    }
    if picture == nil { return (true, tier, crowd) }
    change(key) { picture in
      picture.hasFailed = false
      picture.hasInterims = false
    }
    return (true, tier, crowd)
  }

  // Avoids copying the entry: copying a weak reference takes longer than the rest.
  func hasFutures(_ key: SourceKey) -> Bool { parts[part(key)].index(forKey: key) != nil }

  func contains(_ id: ObjectIdentifier, key: SourceKey) -> Bool {
    guard let entry = parts[part(key)][key] else { return false }
    return entry.id == nil ? self[key]?.crowd?.contains(id) ?? false : entry.id == id
  }

  /// Whether more than one future has the key.
  func isShared(_ key: SourceKey) -> Bool { self[key]?.crowd != nil }

  /// The key's living futures, a few at a time.
  /// - Parameter first: the place to begin at: 0 at first, then the `next` of the previous call.
  func futures(key: SourceKey, from first: Int = 0, atMost limit: Int = slice) -> (futures: [FutureImage], next: Int?) {
    guard let entry = parts[part(key)][key] else { return ([], nil) }
    if entry.id == nil { return self[key]?.crowd?.futures(from: first, count: limit) ?? ([], nil) }
    return (entry.future.future.map { [$0] } ?? [], nil)
  }

  /// The number of futures that are read while the lock is held once.
  static let slice = 256

  func keys(inPart part: Int) -> [SourceKey] { Array(parts[part].keys) }

  private func part(_ key: SourceKey) -> Int { key.digest & (Self.partCount - 1) }

  // MARK: Replacing

  /// Notes that another image replaces the current one.
  /// - Returns: the generation of the new image.
  mutating func replace(_ key: SourceKey) -> UInt32 {
    let generation = change(key) { picture in
      picture.generation += 1
      picture.isOfApp = false
      return picture.generation
    }
    if generation == 1 {
      rounds.add(key)
      replacedCount += 1
    }
    return generation
  }

  /// Forgets replaced images that have no futures any more, a few at a time and only while there are many.
  /// - Returns: their keys. The caller removes their pixels under the same lock, because new futures count generations from the start.
  mutating func forgetReplaced(besides new: SourceKey) -> [SourceKey] {
    guard replacedCount > 256 else { return [] }
    var forgotten: [SourceKey] = []
    var rounds = rounds
    self.rounds = Rounds()
    rounds.look { key in
      if key == new || hasFutures(key) || self[key]?.staged != nil || !hasSettledMemory(key) { return true }
      forgotten.append(key)
      return false
    }
    self.rounds = rounds
    for key in forgotten { changeIfKnown(key) { $0.generation = 0 } }
    replacedCount -= forgotten.count
    return forgotten
  }

  // MARK: Memory tiers

  /// Whether the memory tiers have the newest image, or none.
  func hasSettledMemory(_ key: SourceKey) -> Bool { self[key].map { $0.memoryChanges == 0 } ?? true }

  mutating func beginMemoryChange(_ key: SourceKey) { change(key) { $0.memoryChanges += 1 } }

  mutating func endMemoryChange(_ key: SourceKey) { changeIfKnown(key) { $0.memoryChanges -= 1 } }

  // MARK: Bytes without a disk tier

  /// Retains bytes until they are delivered to their futures: see ``Picture/untold``.
  /// - Returns: the number to pass to ``endTelling(_:_:)``, and the bytes that were retained before.
  mutating func beginTelling(of encoded: Encoded, _ key: SourceKey) -> (turn: UInt64, former: Encoded?) {
    toldCount += 1
    let turn = toldCount
    return change(key) { picture in
      let former = picture.untold?.encoded
      picture.untold = (turn, encoded)
      return (turn, former)
    }
  }

  /// - Returns: the bytes, to be released outside the lock; nil if other bytes have arrived since.
  mutating func endTelling(_ key: SourceKey, _ turn: UInt64) -> Encoded? {
    changeIfKnown(key) { picture -> Encoded? in
      guard picture.untold?.turn == turn else { return nil }
      return picture.untold.take()?.encoded
    } ?? nil
  }
}

extension FutureImage.Loader.State {
  mutating func register(_ future: FutureImage, _ descriptor: Descriptor) -> UInt32 {
    let (generation, other) = pictures.insert(future, descriptor)
    if let other { departed.add(object: other) }
    statistics.futures += 1
    return generation
  }

  /// The disk tiers of a key's living futures. It does not iterate over the futures, however many there are.
  mutating func tiers(of key: SourceKey) -> [any FutureImage.DiskTier] {
    if let crowd = pictures[key]?.crowd { return crowd.tiers }
    let only = pictures.futures(key: key).futures
    for future in only { departed.add(object: future) }
    return only.compactMap { $0.descriptor?.disk }
  }

  /// Retains bytes that no disk tier stores until they are delivered to their futures: see ``Picture/untold``.
  /// - Returns: nil if the bytes wait for a disk tier, where every request finds them.
  mutating func beginTelling(of encoded: Encoded, _ key: SourceKey) -> UInt64? {
    if pictures[key]?.stagedBytes != nil { return nil }
    let (turn, former) = pictures.beginTelling(of: encoded, key)
    if let former { departed.add(former) }
    return turn
  }

  mutating func endTelling(_ key: SourceKey, _ turn: UInt64?) {
    if let turn, let told = pictures.endTelling(key, turn) { departed.add(told) }
  }
}
