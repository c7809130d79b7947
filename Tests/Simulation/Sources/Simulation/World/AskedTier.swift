@testable import FutureImage

/// A file tier that the loader asks whether its file is missing, like the disk cache on Linux. This tier never knows the answer.
final class AskedTier: BlockingTier {
  private let file: FutureImage.FileTier

  init(_ file: FutureImage.FileTier) { self.file = file }

  /// Makes the loader call `isKnownMissing(forKey:)`, which returns false, as by default.
  let knowsMissing = true
  var readers: WorkQueue { file.readers }
  var writers: WorkQueue { file.writers }
  var group: String { file.group }
  var fileLocation: TierLocation { file.fileLocation }

  func waitForEntry(forKey key: String) throws -> FutureImage.CacheEntry? { try file.waitForEntry(forKey: key) }
  func waitForStore(_ entry: FutureImage.CacheEntry, forKey key: String) throws { try file.waitForStore(entry, forKey: key) }
  func waitForRemoval(forKey key: String) throws { try file.waitForRemoval(forKey: key) }
}
