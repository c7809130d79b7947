/// A disk tier that reads on threads of its own. What is to be done with an entry can be done there, too: giving it to another thread
/// costs more than finding that it is not there.
protocol BlockingTier: FutureImage.DiskTier {
  var readers: WorkQueue { get }
  /// As `entry(forKey:)`, on one of the readers' threads.
  func waitForEntry(forKey key: String) throws -> FutureImage.CacheEntry?
}
