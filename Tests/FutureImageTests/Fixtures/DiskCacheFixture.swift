import Foundation

@testable import FutureImage

/// A directory, a clock, and the file of each key, for tests of the disk cache.
struct DiskCacheFixture {
  let temporary: TemporaryDirectory
  let directory: URL
  let clock = SettableDate()
  let files = FaultyFileSystem()

  init() throws {
    temporary = try TemporaryDirectory()
    directory = temporary.url.appendingPathComponent("cache", isDirectory: true)
  }

  func cache(maxBytes: Int = 1 << 30, maxAge: Duration? = nil) -> FutureImage.DiskCache {
    FutureImage.DiskCache(directory: directory, limits: (maxBytes, maxAge), files: files, now: { [clock] in clock.now })
  }

  /// The cache of an app extension over the same directory, which leaves age and half-written files to the app.
  func extensionCache(maxBytes: Int = 1 << 30, maxAge: Duration? = nil) -> FutureImage.DiskCache {
    FutureImage.DiskCache(
      directory: directory, limits: (maxBytes, maxAge), housekeeping: .limit, files: files, now: { [clock] in clock.now })
  }

  func folder(ofKey key: String) -> URL {
    let name = DiskCacheName.folderName(DiskCacheName(key: key).folder)
    return directory.appendingPathComponent(name, isDirectory: true)
  }

  func file(ofKey key: String) -> URL {
    folder(ofKey: key).appendingPathComponent(DiskCacheName(key: key).file, isDirectory: false)
  }

  func exists(_ url: URL) -> Bool { (try? POSIXFileSystem().status(at: url.path)) != nil }

  /// The time since the entry was last used, by the bench's clock, in seconds.
  func age(ofKey key: String) throws -> TimeInterval {
    clock.now.timeIntervalSince(try POSIXFileSystem().status(at: file(ofKey: key).path).modified)
  }
}

/// An entry whose file is `size` bytes long under a key of one byte.
func entry(fileBytes size: Int, filledWith byte: UInt8 = 1) -> FutureImage.CacheEntry {
  FutureImage.CacheEntry(body: Data(repeating: byte, count: size - DiskCacheFile.fixedLength - 1))
}

extension FutureImage.CacheEntry {
  /// Returns the entry, which its server permits to show only after a revalidation once it is stale.
  func thatMustBeRevalidated(secondaryKey: String? = nil) -> Self {
    var entry = self
    entry.mustRevalidate = true
    entry.secondaryKey = secondaryKey
    return entry
  }
}
