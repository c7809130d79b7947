/// A disk tier with its own threads. The library can run its work before and after a call of the tier on the same thread as the call,
/// because switching threads may cost more than the call.
protocol BlockingTier: FutureImage.DiskTier {
  var readers: WorkQueue { get }
  var writers: WorkQueue { get }
  /// The name of the tier's group. The operations of all tiers in a group may hang at the same time, for example because they use the same
  /// disk. The name is also the lane of the group's jobs in ``readers`` and ``writers``, which limit the jobs of each lane.
  var group: String { get }
  /// The location of the tier's writes, as far as it is known without accessing the disk.
  var fileLocation: TierLocation { get }
  /// Whether ``isKnownMissing(forKey:)`` can return true. If so, the loader calls that method for new futures, which costs a digest of the
  /// key and a second change of the loader's state. The loader reads this property inside its lock.
  var knowsMissing: Bool { get }
  /// Whether the tier knows, without waiting, that it has no entry for the key. This method may be called on any thread.
  func isKnownMissing(forKey key: String) -> Bool
  /// The blocking form of `entry(forKey:)`, called on a thread of ``readers``.
  func waitForEntry(forKey key: String) throws -> FutureImage.CacheEntry?
  /// The blocking form of `store(_:forKey:)`, called on a thread of ``writers``.
  func waitForStore(_ entry: FutureImage.CacheEntry, forKey key: String) throws
  /// The blocking form of `remove(forKey:)`, called on a thread of ``writers``.
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
