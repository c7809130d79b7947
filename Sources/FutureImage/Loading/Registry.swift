/// The pictures of a loader, by key: the pictures that are in use, and the pictures with remembered facts.
struct Registry {
  /// The table is split by the key's digest. The loader's lock is held while a part grows, so each part must be small.
  private var parts = [Set<Entry>](repeating: [], count: partCount)
  static let partCount = 64
  /// The number of readers whose future still exists.
  private(set) var readerCount = 0
  /// The followers, whose future is gone, that the main actor has not visited yet.
  private var followers: [Reader] = []
  /// The pictures that had remembered facts when they were no longer in use, the least recently used first. Some of them may be in use
  /// again, or may have lost their facts since.
  private var remembered = MemoryCache<ObjectIdentifier, Picture>()
  private let limit: Int

  /// - Parameter limit: the number of pictures that may be remembered without being in use.
  init(limit: Int = 10_000) { self.limit = limit }

  /// A picture that is found by its key. A dictionary would store each key twice.
  private struct Entry: Hashable {
    let picture: Picture

    static func == (one: Entry, other: Entry) -> Bool { one.picture === other.picture || one.picture.key == other.picture.key }

    func hash(into hasher: inout Hasher) { hasher.combine(picture.key) }
  }

  subscript(key: SourceKey) -> Picture? {
    let part = parts[part(key)]
    return part.firstIndex(of: Entry(picture: Picture(key: key))).map { part[$0].picture }
  }

  /// Returns the picture of the key, and creates it if there is none.
  mutating func picture(_ key: SourceKey) -> Picture {
    parts[part(key)].insert(Entry(picture: Picture(key: key))).memberAfterInsert.picture
  }

  /// Returns the pictures of one part, for a caller that visits all pictures, a part at a time.
  func pictures(inPart part: Int) -> [Picture] { parts[part].map(\.picture) }

  private func part(_ key: SourceKey) -> Int { key.digest & (Self.partCount - 1) }

  mutating func insert(_ reader: Reader) {
    let picture = picture(reader.current.key)
    (reader.picture, reader.generation) = (picture, picture.generation)
    picture.readers.insert(reader)
    readerCount += 1
  }

  /// - Returns: whether the reader was the last one of its picture.
  mutating func remove(_ reader: Reader) -> Bool {
    guard let picture = reader.picture, reader.index >= 0 else { return false }
    picture.readers.remove(reader)
    if reader.isFollower { picture.followerCount -= 1 } else { readerCount -= 1 }
    guard picture.readers.isEmpty else { return false }
    // The check avoids allocating notes, which nearly no picture has.
    if picture.notes.hasFailed { picture.notes.hasFailed = false }
    dropIfUnused(picture)
    return true
  }

  /// Makes the reader a follower, because its future is gone, and views may still show its image.
  /// - Returns: whether the reader is the only follower that the main actor has not visited.
  mutating func beginFollowing(_ reader: Reader) -> Bool {
    guard let picture = reader.picture, reader.index >= 0 else { return false }
    picture.readers.remove(reader)
    reader.isFollower = true
    picture.readers.insert(reader)
    picture.followerCount += 1
    readerCount -= 1
    followers.append(reader)
    return followers.count == 1
  }

  /// Removes a few of the followers that the main actor has not visited yet.
  /// - Returns: those followers, and whether no others are left.
  mutating func takeFollowers() -> (readers: [Reader], areAll: Bool) {
    let batch = Array(followers.suffix(8))
    followers.removeLast(batch.count)
    return (batch, followers.isEmpty)
  }

  /// Drops a picture that is not in use, unless facts about it are remembered. Called whenever a picture may have ceased to be in use.
  mutating func dropIfUnused(_ picture: Picture) {
    if picture.isInUse { return }
    guard picture.isRemembered else { return drop(picture) }
    // The cache has no limits, so nothing is evicted yet.
    _ = remembered.insert(picture, forKey: ObjectIdentifier(picture))
  }

  private mutating func drop(_ picture: Picture) {
    _ = remembered.removeValue(forKey: ObjectIdentifier(picture))
    parts[part(picture.key)].remove(Entry(picture: picture))
  }

  /// Drops the pictures beyond the limit, the least recently used first.
  /// - Returns: the dropped pictures, with all of their facts.
  mutating func dropOldest() -> [Picture] {
    if remembered.count <= limit { return [] }
    let oldest = remembered.trim(toCost: .max, count: limit).filter { !$0.isInUse }
    for picture in oldest { drop(picture) }
    return oldest
  }
}
