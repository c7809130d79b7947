/// A disk tier with its own threads. The work before and after a call can also run on them, because moving it to another thread may cost
/// more than the call.
protocol BlockingTier: FutureImage.DiskTier {
  var readers: WorkQueue { get }
  var writers: WorkQueue { get }
  /// The group that may hang together, which is a lane of ``readers`` and ``writers``.
  var group: String { get }
  /// The place of its writes, as far as it is known without accessing the disk.
  var fileLocation: TierLocation { get }
  /// Whether ``isKnownMissing(forKey:)`` can return true. If so, each new future calls it, which costs a digest of the key and a second
  /// change of the loader. Read inside the loader's lock.
  var knowsMissing: Bool { get }
  /// Whether the tier knows at once, on any thread, that it has no entry.
  func isKnownMissing(forKey key: String) -> Bool
  /// The blocking form of `entry(forKey:)`, on a thread of ``readers``.
  func waitForEntry(forKey key: String) throws -> FutureImage.CacheEntry?
  /// The blocking form of `store(_:forKey:)`, on a thread of ``writers``.
  func waitForStore(_ entry: FutureImage.CacheEntry, forKey key: String) throws
  /// The blocking form of `remove(forKey:)`, on a thread of ``writers``.
  func waitForRemoval(forKey key: String) throws
}

extension BlockingTier {
  var knowsMissing: Bool { false }
  func isKnownMissing(forKey key: String) -> Bool { false }

  func entry(forKey key: String) async throws -> FutureImage.CacheEntry? {
    try await readers.run(lane: group) { [self] in try waitForEntry(forKey: key) }
  }

  func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws {
    try await writers.run(lane: group) { [self] in try waitForStore(entry, forKey: key) }
  }

  func remove(forKey key: String) async throws {
    try await writers.run(lane: group) { [self] in try waitForRemoval(forKey: key) }
  }
}
