import Foundation

@testable import FutureImage

/// A directory, a clock, and a faulty file system for tests of the disk cache.
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

  /// Returns the cache of an app extension for the same directory. It does not enforce the age limit or remove half-written files, because
  /// the app does both.
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

  /// Returns the time in seconds since the entry was last used, by the fixture's clock.
  func age(ofKey key: String) throws -> TimeInterval {
    clock.now.timeIntervalSince(try POSIXFileSystem().status(at: file(ofKey: key).path).modified)
  }
}

/// Returns an entry whose file is `size` bytes long if the key has one byte.
func entry(fileBytes size: Int, filledWith byte: UInt8 = 1) -> FutureImage.CacheEntry {
  FutureImage.CacheEntry(body: Data(repeating: byte, count: size - DiskCacheFile.fixedLength - 1))
}

extension FutureImage.CacheEntry {
  /// Returns a copy of the entry. When the copy is stale, it may be shown only after a revalidation.
  func thatMustBeRevalidated(secondaryKey: String? = nil) -> Self {
    var entry = self
    entry.mustRevalidate = true
    entry.secondaryKey = secondaryKey
    return entry
  }
}
