import Foundation
import Testing

@testable import FutureImage

/// The ages, to the second, at which a disk cache begins to treat a file differently.
@Suite(.timeLimit(.minutes(5))) struct DiskCacheTimesTests {
  private static let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
  private static let hour: TimeInterval = 3600

  private let temporary: TemporaryDirectory
  private let files = POSIXFileSystem()
  private let store: DiskCacheStore
  private let path: String

  init() throws {
    temporary = try TemporaryDirectory()
    store = DiskCacheStore(
      directory: temporary.file("cache").path, limits: (1 << 20, 2 * Self.hour), files: files, now: { Self.now })
    path = store.path(DiskCacheName(key: "k"))
  }

  /// Stores an entry that was last used this many seconds ago.
  private func storeEntry(usedBefore seconds: TimeInterval) throws {
    try store.store(FutureImage.CacheEntry(body: Data([1])), forKey: "k")
    try files.setModified(path, Self.now - seconds)
  }

  private func ageOnDisk() throws -> TimeInterval { Self.now.timeIntervalSince(try files.status(at: path).modified) }

  @Test(arguments: [(hour, hour), (hour + 1, 0), (-hour, -hour), (-hour - 1, 0)] as [(TimeInterval, TimeInterval)])
  func `the time of use is updated if it is more than an hour before or after now`(age: TimeInterval, after: TimeInterval) throws {
    try storeEntry(usedBefore: age)
    #expect(try store.entry(forKey: "k") != nil)
    #expect(try ageOnDisk() == after)
  }

  @Test func `an entry is expired when it is older than the maximum age`() throws {
    try storeEntry(usedBefore: 2 * Self.hour)
    #expect(try store.entry(forKey: "k") != nil)
    try files.setModified(path, Self.now - 2 * Self.hour - 1)
    #expect(try store.entry(forKey: "k") == nil)
    #expect(try files.statusIfPresent(at: path) == nil)
  }

  @Test(arguments: [(hour, hour), (hour + 1, 0)] as [(TimeInterval, TimeInterval)])
  func `an entry whose time of receipt is more than an hour in the future counts as received now`(ahead: TimeInterval, after: TimeInterval)
    throws
  {
    try store.store(FutureImage.CacheEntry(body: Data([1]), eTag: nil, receivedAt: Self.now + ahead), forKey: "k")
    #expect(try store.entry(forKey: "k")?.receivedAt == Self.now + after)
  }

  @Test(arguments: [(-hour, -hour), (-hour - 1, 0)] as [(TimeInterval, TimeInterval)])
  func `a cleaning corrects a time of use that is more than an hour in the future`(age: TimeInterval, after: TimeInterval) throws {
    try storeEntry(usedBefore: age)
    try store.clean()
    #expect(try ageOnDisk() == after)
  }

  @Test func `a cleaning removes a half-written file that is older than an hour`() throws {
    try storeEntry(usedBefore: 0)
    let half = "\(store.folderPath(DiskCacheName(key: "k").folder))/\(DiskCacheName.temporary())"
    try Data("half".utf8).write(to: URL(fileURLWithPath: half))
    try files.setModified(half, Self.now - Self.hour)
    try store.clean()
    #expect(try files.statusIfPresent(at: half) != nil)
    try files.setModified(half, Self.now - Self.hour - 1)
    try store.clean()
    #expect(try files.statusIfPresent(at: half) == nil)
  }
}
