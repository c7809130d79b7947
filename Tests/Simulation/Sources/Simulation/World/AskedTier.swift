@testable import FutureImage

/// A file tier that is asked whether its file is missing, as Linux's disk cache is, and never knows.
final class AskedTier: BlockingTier {
  private let file: FutureImage.FileTier

  init(_ file: FutureImage.FileTier) { self.file = file }

  let knowsMissing = true
  var readers: WorkQueue { file.readers }
  var writers: WorkQueue { file.writers }
  var group: String { file.group }
  var fileLocation: TierLocation { file.fileLocation }

  func waitForEntry(forKey key: String) throws -> FutureImage.CacheEntry? { try file.waitForEntry(forKey: key) }
  func waitForStore(_ entry: FutureImage.CacheEntry, forKey key: String) throws { try file.waitForStore(entry, forKey: key) }
  func waitForRemoval(forKey key: String) throws { try file.waitForRemoval(forKey: key) }
}
