import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DiskCacheTests {
  private typealias Entry = FutureImage.CacheEntry

  @Test(arguments: [
    Entry(body: Data("body".utf8)),
    Entry(body: Data()),
    Entry(body: Data([0]), eTag: "", lastModified: ""),
    Entry(
      body: Data(repeating: 7, count: 300_000), eTag: "W/\"é\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
      receivedAt: Date(timeIntervalSinceReferenceDate: 12.5), freshUntil: Date(timeIntervalSinceReferenceDate: 123_456_789.123)),
    Entry(body: Data("b".utf8), eTag: nil, lastModified: "x", freshUntil: .distantPast).thatMustBeRevalidated()
  ])
  private func `a stored entry is returned by its cache and by another cache of the same directory`(entry: Entry) async throws {
    let fixture = try DiskCacheFixture()
    let cache = fixture.cache()
    try await cache.store(entry, forKey: "key")
    #expect(try await cache.entry(forKey: "key") == entry)
    #expect(try await fixture.cache().entry(forKey: "key") == entry)
    #expect(try await cache.entry(forKey: "other") == nil)
  }

  @Test func `an entry with an empty key, an empty body, and no metadata is stored`() async throws {
    let fixture = try DiskCacheFixture()
    let cache = fixture.cache()
    try await cache.store(Entry(body: Data()), forKey: "")
    #expect(fixture.temporary.files().count == 1)
    #expect(try await cache.entry(forKey: "") == Entry(body: Data()))
  }

  @Test(arguments: [true, false]) func `an entry records whether Cache-Control states its lifetime`(isBound: Bool) async throws {
    let fixture = try DiskCacheFixture()
    let cache = fixture.cache()
    var entry = Entry(body: Data([1]), eTag: nil, freshUntil: .distantFuture)
    entry.isBoundByCacheControl = isBound
    try await cache.store(entry, forKey: "key")
    #expect(try await cache.entry(forKey: "key")?.isBoundByCacheControl == isBound)
  }

  @Test func `a returned body begins at index 0 and can be changed`() async throws {
    let fixture = try DiskCacheFixture()
    let cache = fixture.cache()
    let body = Data((0..<100).map { UInt8($0) })
    try await cache.store(Entry(body: body), forKey: "key")
    var read = try #require(try await cache.entry(forKey: "key")).body
    #expect(read.startIndex == 0)
    let copy = read
    read[3] = 200
    read.append(contentsOf: body)
    #expect(copy == body)
    #expect(read.count == 200)
    #expect(read[3] == 200)
  }

  @Test func `any string is a valid key and has its own entry`() async throws {
    let fixture = try DiskCacheFixture()
    let cache = fixture.cache()
    let keys = [
      "", ".", "..", "/", "../../etc/passwd", "a", "A", "a\0b", "a\0", "\0", String(repeating: "k", count: 10_000), "é", "e\u{301}", "🖼",
      "a/b",
      "https://example.com/?q=1&r=%2F"
    ]
    for (number, key) in keys.enumerated() { try await cache.store(Entry(body: Data("\(number)".utf8)), forKey: key) }
    for (number, key) in keys.enumerated() {
      #expect(try await cache.entry(forKey: key)?.body == Data("\(number)".utf8), "\(key.prefix(20).debugDescription)")
    }
    #expect(await cache.count() == keys.count)
    #expect(fixture.temporary.files().count == keys.count)
    #expect(fixture.temporary.files().allSatisfy { $0.hasPrefix("cache/") })
    FaultTable.note("keys: empty, \"..\", \"/\", NUL, 10 KB and more", "\(keys.count) keys, \(keys.count) entries, no others")
  }

  @Test func `the count and the total bytes are correct after an entry is stored, replaced, and removed`() async throws {
    let fixture = try DiskCacheFixture()
    let cache = fixture.cache()
    #expect(await cache.totalBytes() == 0)
    try await cache.store(entry(fileBytes: 500), forKey: "a")
    try await cache.store(entry(fileBytes: 300), forKey: "b")
    #expect(await cache.totalBytes() == 800)
    try await cache.store(entry(fileBytes: 100), forKey: "a")
    #expect(await cache.totalBytes() == 400)
    #expect(await cache.count() == 2)
    try await cache.remove(forKey: "a")
    try await cache.remove(forKey: "a")
    #expect(try await cache.entry(forKey: "a") == nil)
    #expect(await cache.totalBytes() == 300)
    #expect(await cache.count() == 1)
  }

  @Test func `removing all entries leaves only foreign files`() async throws {
    let fixture = try DiskCacheFixture()
    let cache = fixture.cache()
    for number in 0..<50 { try await cache.store(entry(fileBytes: 100), forKey: "\(number)") }
    let foreign = fixture.folder(ofKey: "1").appendingPathComponent("README")
    try Data("mine".utf8).write(to: foreign)
    try Data("half".utf8).write(to: fixture.folder(ofKey: "2").appendingPathComponent(DiskCacheName.temporary()))
    try await cache.removeAll()
    #expect(fixture.temporary.files().count == 1)
    #expect(fixture.exists(foreign))
    #expect(await cache.totalBytes() == 0)
    #expect(await cache.count() == 0)
    #expect(try await cache.entry(forKey: "1") == nil)
  }

  @Test func `creating a disk cache accesses no files`() throws {
    let fixture = try DiskCacheFixture()
    _ = fixture.cache()
    #expect(fixture.files.calls.isEmpty)
    #expect(!fixture.exists(fixture.directory))
  }

  @Test func `the first calls to a new cache do not wait for the scan of the directory`() async throws {
    let fixture = try DiskCacheFixture()
    // Below, the test stops a scan in the first folder, whose lock the scan holds. So the entry is in another folder.
    let key = try #require((0..<20).map { "\($0)" }.first { DiskCacheName(key: $0).folder != 0 })
    let earlier = fixture.cache()
    try await earlier.store(entry(fileBytes: 100), forKey: key)
    // This returns when the count of the earlier cache has ended.
    _ = await earlier.count()
    let cache = fixture.cache()
    let (isCounting, mayCount) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    fixture.files.before(.names) {
      isCounting.signal()
      mayCount.wait()
    }
    // The count waits at the first folder until all these calls have returned.
    #expect(try await cache.entry(forKey: key) != nil)
    try await cache.store(entry(fileBytes: 100), forKey: key)
    #expect(try await cache.entry(forKey: "none") == nil)
    isCounting.wait()
    mayCount.signal()
    #expect(await cache.count() == 1)
  }

  @Test func `an entry larger than the whole limit is refused, and the older entry of its key is removed`() async throws {
    let fixture = try DiskCacheFixture()
    let cache = fixture.cache(maxBytes: 1000)
    try await cache.store(entry(fileBytes: 1000), forKey: "k")
    #expect(try await cache.entry(forKey: "k") != nil)
    await #expect(throws: FutureImage.FileFailure(.tooLarge(bytes: 1001, limit: 1000), path: fixture.file(ofKey: "k").path)) {
      try await cache.store(entry(fileBytes: 1001), forKey: "k")
    }
    #expect(try await cache.entry(forKey: "k") == nil)
    #expect(fixture.temporary.files().isEmpty)
  }

  @Test func `a directory that is removed while in use is created again`() async throws {
    let fixture = try DiskCacheFixture()
    let cache = fixture.cache()
    try await cache.store(entry(fileBytes: 100), forKey: "a")
    #expect(await cache.totalBytes() == 100)
    try FileManager.default.removeItem(at: fixture.directory)
    #expect(try await cache.entry(forKey: "a") == nil)
    try await cache.store(entry(fileBytes: 100), forKey: "a")
    #expect(try await cache.entry(forKey: "a") != nil)
    #expect(await cache.totalBytes() == 100)
    #expect(await cache.count() == 1)
    FaultTable.note("directory removed while in use", "a miss, then created again")
  }

  @Test func `a folder that is removed between the write and the rename is created again`() async throws {
    let fixture = try DiskCacheFixture()
    let cache = fixture.cache()
    fixture.files.beforeMove { [directory = fixture.directory] in try? FileManager.default.removeItem(at: directory) }
    try await cache.store(entry(fileBytes: 100), forKey: "a")
    #expect(try await cache.entry(forKey: "a") != nil)
    #expect(await cache.totalBytes() == 100)
  }

  @Test func `files and folders are accessible only to their owner`() async throws {
    let fixture = try DiskCacheFixture()
    try await fixture.cache().store(entry(fileBytes: 100), forKey: "a")
    for (url, permissions) in [(fixture.file(ofKey: "a"), 0o600), (fixture.folder(ofKey: "a"), 0o700), (fixture.directory, 0o700)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      #expect(attributes[.posixPermissions] as? Int == permissions)
    }
  }

  @Test func `the default directory belongs to the program, inside the user's caches directory`() throws {
    let caches = try #require(FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
    let directory = FutureImage.DiskCache.defaultDirectory(named: "Covers")
    #expect(directory.path.hasPrefix(caches.path + "/"))
    #expect(directory.pathComponents.count == caches.pathComponents.count + 2)
    #expect(directory.lastPathComponent == "Covers")
    #expect(directory.hasDirectoryPath)
    #expect(FutureImage.DiskCache.standard.directory == FutureImage.DiskCache.defaultDirectory())
  }
}
