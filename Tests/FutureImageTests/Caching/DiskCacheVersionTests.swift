import Foundation
import Testing

@testable import FutureImage

/// Two versions of the library that share one folder. Neither version reads or replaces the entries of the other version. A version that
/// cleans or empties the folder removes entries of older versions, too, but no entries of newer versions.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DiskCacheVersionTests {
  private let fixture: DiskCacheFixture
  private let key = "https://shop.test/a.jpg"

  init() throws { fixture = try DiskCacheFixture() }

  private static let stored = FutureImage.CacheEntry(body: Data("ours".utf8))

  /// Returns the name of the key's file in a version. The name begins with the last 62 digits of the key's digest, whose first two digits
  /// are the name of the folder. Since version 4, a period and the version follow.
  private func name(_ version: Int) -> String {
    let digits = DiskCacheName(key: key).file.prefix(62)
    return version < 4 ? String(digits) : "\(digits).\(version)"
  }

  private func file(_ version: Int) -> URL { fixture.folder(ofKey: key).appendingPathComponent(name(version), isDirectory: false) }

  /// Writes a whole file for the key, with another body, as another version would.
  @discardableResult private func write(_ version: Int, body: String = "theirs", hoursAgo: Double = 0) throws -> Data {
    var file = DiskCacheFile.header(for: FutureImage.CacheEntry(body: Data(body.utf8)), key: key) + Data(body.utf8)
    file[8] = UInt8(version)
    var checksum = CRC32()
    file[..<12].withUnsafeBytes { checksum.update($0) }
    file[16...].withUnsafeBytes { checksum.update($0) }
    file.replaceSubrange(12..<16, with: withUnsafeBytes(of: checksum.value.littleEndian) { Data($0) })
    try FileManager.default.createDirectory(at: fixture.folder(ofKey: key), withIntermediateDirectories: true)
    try file.write(to: self.file(version))
    try POSIXFileSystem().setModified(self.file(version).path, fixture.clock.now - hoursAgo * 3600)
    return file
  }

  private func contents(_ version: Int) -> Data? { try? Data(contentsOf: file(version)) }

  @Test(arguments: [1, 3, 5, 12])
  func `another version's entry for the same key is not read, replaced, or removed`(version: Int) async throws {
    let theirs = try write(version)
    let cache = fixture.cache(maxBytes: 1000, maxAge: .seconds(86_400))
    #expect(try await cache.entry(forKey: key) == nil)
    try await cache.store(Self.stored, forKey: key)
    #expect(try await cache.entry(forKey: key) == Self.stored)
    #expect(contents(version) == theirs)
    try await cache.clean()
    try await cache.remove(forKey: key)
    #expect(try await cache.entry(forKey: key) == nil)
    #expect(contents(version) == theirs)
    FaultTable.note("an older or a newer version's file of the same key", "a miss; neither replaced nor removed")
  }

  @Test func `a newer version's files and folders are neither removed nor counted`() async throws {
    let newer = try write(5, body: String(repeating: "b", count: 5000), hoursAgo: 10_000)
    let elsewhere = fixture.directory.appendingPathComponent("v6/entries", isDirectory: true)
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    let inFolder = elsewhere.appendingPathComponent(name(6))
    try newer.write(to: inFolder)
    let cache = fixture.cache(maxBytes: 1000, maxAge: .seconds(3600))
    try await cache.store(Self.stored, forKey: key)
    try await cache.clean()
    #expect(await cache.count() == 1)
    #expect(await cache.totalBytes() < 1000)
    try await cache.removeAll()
    #expect(await cache.totalBytes() == 0)
    #expect(contents(5) == newer)
    #expect(try Data(contentsOf: inFolder) == newer)
  }

  @Test func `an older version's entries are counted, and are removed when unused for the maximum age`() async throws {
    let old = try write(3, hoursAgo: 20)
    let cache = fixture.cache(maxAge: .seconds(30 * 3600))
    try await cache.store(Self.stored, forKey: key)
    try await cache.clean()
    #expect(await cache.count() == 2)
    #expect(contents(3) == old)
    fixture.clock.advance(hours: 20)
    // The program with the older version uses the entry.
    try POSIXFileSystem().setModified(file(3).path, fixture.clock.now)
    try await cache.clean()
    #expect(contents(3) == old)
    fixture.clock.advance(hours: 31)
    try await cache.clean()
    #expect(contents(3) == nil)
  }

  @Test func `if the limit is exceeded, an older version's unused entries are removed first`() async throws {
    try write(3, body: String(repeating: "a", count: 600), hoursAgo: 10)
    let cache = fixture.cache(maxBytes: 1000)
    try await cache.store(FutureImage.CacheEntry(body: Data(count: 400)), forKey: key)
    try await cache.clean()
    #expect(contents(3) == nil)
    #expect(try await cache.entry(forKey: key) != nil)
  }

  @Test func `removing all entries also removes older versions' entries`() async throws {
    try write(2)
    let cache = fixture.cache()
    try await cache.removeAll()
    #expect(contents(2) == nil)
  }

  /// An older version of the library counts and removes only files with its own names, which have no extension.
  @Test func `versions 1 to 3 treat this version's file names as foreign`() {
    let name = DiskCacheName(key: key).file
    #expect(name.utf8.count != 62 && name.contains("."))
  }
}
