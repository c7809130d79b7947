/// The folders of file tiers that were recently searched for half-written files without a writer. A pure value.
///
/// A file that is too new for one sweep is removed by a later sweep. So a folder is due again after the age at which such files are
/// removed.
struct FolderSweeps {
  /// The maximum number of folders. If it is exceeded, the least recently swept folders are removed here, and are swept again at their next
  /// use.
  static let limit = 1024
  private static let interval = Duration.seconds(DiskCacheStore.orphanAge)

  private var sweptAt = MemoryCache<String, ContinuousClock.Instant>(countLimit: limit)

  var count: Int { sweptAt.count }

  /// Returns whether the caller has to sweep the folder now.
  mutating func isDue(_ folder: String, at now: ContinuousClock.Instant) -> Bool {
    if let last = sweptAt.peek(folder), now - last < Self.interval { return false }
    // The values that leave the cache are only times, which may be released inside a lock.
    _ = sweptAt.insert(now, forKey: folder)
    return true
  }
}
