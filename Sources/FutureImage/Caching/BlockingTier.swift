/// A disk tier with threads of its own. What leads to a call of it and what comes of it can be done on them, too: giving either to another
/// thread may cost more than the call.
protocol BlockingTier: FutureImage.DiskTier {
  var readers: WorkQueue { get }
  var writers: WorkQueue { get }
  /// The group that may hang together: a lane of ``readers`` and ``writers``.
  var group: String { get }
  /// The place that it writes to, as far as that is known without asking the disk.
  var filePlace: TierPlace { get }
  /// Whether it has nothing, if it can tell that at once, on any thread; else false.
  func isKnownMissing(forKey key: String) -> Bool
  /// As `entry(forKey:)`, on a thread of the readers.
  func waitForEntry(forKey key: String) throws -> FutureImage.CacheEntry?
  /// As `store(_:forKey:)`, on a thread of the writers.
  func waitForStore(_ entry: FutureImage.CacheEntry, forKey key: String) throws
  /// As `remove(forKey:)`, on a thread of the writers.
  func waitForRemoval(forKey key: String) throws
}

extension BlockingTier {
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
