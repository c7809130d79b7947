/// The folders of file tiers that were looked through lately for half-written files without a writer. Pure.
///
/// A file that is too young at one time goes at a later one, so a folder is due again after the age at which such files go.
struct FolderSweeps {
  /// Of more folders the ones that were swept longest ago are forgotten, and swept again when they are met.
  static let limit = 1024
  private static let interval = Duration.seconds(DiskCacheStore.orphanAge)

  private var sweptAt = MemoryCache<String, ContinuousClock.Instant>(countLimit: limit)

  var count: Int { sweptAt.count }

  /// Whether the folder is to be swept now, by the caller.
  mutating func isDue(_ folder: String, at now: ContinuousClock.Instant) -> Bool {
    if let last = sweptAt.peek(folder), now - last < Self.interval { return false }
    // What leaves the cache are times.
    _ = sweptAt.insert(now, forKey: folder)
    return true
  }
}
