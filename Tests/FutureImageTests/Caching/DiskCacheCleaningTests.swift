import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DiskCacheCleaningTests {
  private let fixture: DiskCacheFixture

  init() throws { fixture = try DiskCacheFixture() }

  /// Returns a cache that has counted the entries in its directory. Otherwise, its first use would start the count, which would run while
  /// the test sets the clock.
  private func counted(maxBytes: Int = 1 << 30, maxAge: Duration? = nil) async -> FutureImage.DiskCache {
    let cache = fixture.cache(maxBytes: maxBytes, maxAge: maxAge)
    _ = await cache.totalBytes()
    return cache
  }

  @Test func `a cache over its limit removes the least recently used entries down to nine tenths of the limit`() async throws {
    let cache = await counted(maxBytes: 1000)
    for key in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
      try await cache.store(entry(fileBytes: 100), forKey: key)
      fixture.clock.advance(hours: 2)
    }
    #expect(await cache.totalBytes() == 1000)
    #expect(try await cache.entry(forKey: "a") != nil)
    #expect(try await cache.entry(forKey: "c") != nil)
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    #expect(await cache.totalBytes() == 900)
    #expect(await cache.count() == 9)
    for (key, stays) in [("a", true), ("b", false), ("c", true), ("d", false), ("e", true), ("k", true)] {
      #expect(fixture.exists(fixture.file(ofKey: key)) == stays, "\(key)")
    }
  }

  @Test func `a store that exceeds the limit starts a cleaning`() async throws {
    let cache = await counted(maxBytes: 1000)
    for number in 0..<11 {
      try await cache.store(entry(fileBytes: 100), forKey: "\(number)")
      fixture.clock.advance(hours: 1)
    }
    // The wait neither reads nor counts entries, because both would start a cleaning, too.
    try await eventually("at most 10 files are left, not \(fixture.temporary.files().count)") { fixture.temporary.files().count <= 10 }
  }

  /// Returns a cache with ten entries, which fit its limit. Its next `cleanings` cleanings stop when they are about to scan the last of the
  /// 256 folders. Each cleaning then signals `isAtLast` and waits for `mayGoOn`.
  private func full(
    stoppingCleanings cleanings: Int
  ) async throws -> (cache: FutureImage.DiskCache, isAtLast: DispatchSemaphore, mayGoOn: DispatchSemaphore) {
    let earlier = await counted()
    for number in 0..<10 {
      try await earlier.store(entry(fileBytes: 100), forKey: "\(number)")
      fixture.clock.advance(hours: 1)
    }
    _ = await earlier.count()
    let (isAtLast, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let scannedFolders = Lock(0)
    let files = fixture.files
    @Sendable func stopAtLastFolder() {
      let count = scannedFolders.withLock {
        $0 += 1; return $0
      }
      if count < 256 * cleanings { files.before(.names, stopAtLastFolder) }
      guard count % 256 == 0 else { return }
      isAtLast.signal()
      mayGoOn.wait()
    }
    files.before(.names, stopAtLastFolder)
    return (fixture.cache(maxBytes: 1000), isAtLast, mayGoOn)
  }

  /// Waits on a separate thread, because the task that cleans may need the only other thread that runs tasks.
  private func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        semaphore.wait()
        continuation.resume()
      }
    }
  }

  /// Keys whose entries are not in the last folder, because a cleaning that has stopped there holds the lock of this folder.
  private let keys = "abcdefgh".map { String($0) }.filter { DiskCacheName(key: $0).folder != 255 }

  @Test func `if a store exceeds the limit during a cleaning, entries are removed as soon as the cleaning ends`() async throws {
    let (cache, isAtLast, mayGoOn) = try await full(stoppingCleanings: 1)
    _ = try await cache.entry(forKey: "none")
    await wait(for: isAtLast)
    try await cache.store(entry(fileBytes: 100), forKey: keys[0])
    mayGoOn.signal()
    #expect(await cache.totalBytes() == 900)
    #expect(fixture.exists(fixture.file(ofKey: keys[0])))
    #expect(!fixture.exists(fixture.file(ofKey: "0")))
  }

  @Test func `entries stored during two successive cleanings start a third cleaning`() async throws {
    let (cache, isAtLast, mayGoOn) = try await full(stoppingCleanings: 2)
    _ = try await cache.entry(forKey: "none")
    await wait(for: isAtLast)
    try await cache.store(entry(fileBytes: 100), forKey: keys[0])
    mayGoOn.signal()
    await wait(for: isAtLast)
    for key in keys[1...2] { try await cache.store(entry(fileBytes: 100), forKey: key) }
    mayGoOn.signal()
    // The wait neither reads nor counts entries, because both would start a cleaning, too.
    try await eventually("9 files are left, not \(fixture.temporary.files().count)") { fixture.temporary.files().count == 9 }
    for key in keys[0...2] { #expect(fixture.exists(fixture.file(ofKey: key)), "\(key)") }
  }

  @Test func `an entry stored while the app cleans the cache starts another cleaning`() async throws {
    let (cache, isAtLast, mayGoOn) = try await full(stoppingCleanings: 1)
    async let cleaned: Void = cache.clean()
    await wait(for: isAtLast)
    try await cache.store(entry(fileBytes: 100), forKey: keys[0])
    mayGoOn.signal()
    try await cleaned
    try await eventually("9 files are left, not \(fixture.temporary.files().count)") { fixture.temporary.files().count == 9 }
  }

  @Test func `entries of an earlier run are counted and trimmed at the first use`() async throws {
    let earlier = await counted()
    for number in 0..<9 {
      try await earlier.store(entry(fileBytes: 100), forKey: "\(number)")
      fixture.clock.advance(hours: 1)
    }
    #expect(await fixture.cache().totalBytes() == 900)
    #expect(await fixture.cache().count() == 9)
    let smaller = fixture.cache(maxBytes: 500)
    _ = try await smaller.entry(forKey: "nothing")
    #expect(await smaller.totalBytes() == 400)
    #expect(fixture.temporary.files().count == 4)
    for number in 5..<9 { #expect(fixture.exists(fixture.file(ofKey: "\(number)"))) }
  }

  @Test func `a read on a thread of the cache also starts the count of the entries in the directory`() async throws {
    let cache = fixture.cache()
    #expect(try cache.waitForEntry(forKey: "nothing") == nil)
    try await eventually("the directory is counted") { fixture.files.calls.contains(.names) }
  }

  @Test func `reading an entry updates its time of use at most once an hour`() async throws {
    let cache = await counted()
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    fixture.clock.advance(hours: 0.9)
    _ = try await cache.entry(forKey: "k")
    #expect(try fixture.age(ofKey: "k") > 3000)
    fixture.clock.advance(hours: 0.2)
    _ = try await cache.entry(forKey: "k")
    #expect(abs(try fixture.age(ofKey: "k")) < 1)
  }

  @Test func `an entry unused for longer than the maximum age counts as missing and is removed`() async throws {
    let cache = await counted(maxAge: .seconds(10 * 3600))
    for key in ["a", "b", "c"] { try await cache.store(entry(fileBytes: 100), forKey: key) }
    fixture.clock.advance(hours: 6)
    #expect(try await cache.entry(forKey: "a") != nil)
    fixture.clock.advance(hours: 6)
    #expect(try await cache.entry(forKey: "b") == nil)
    #expect(!fixture.exists(fixture.file(ofKey: "b")))
    #expect(fixture.exists(fixture.file(ofKey: "c")))
    try await cache.clean()
    #expect(!fixture.exists(fixture.file(ofKey: "c")))
    #expect(try await cache.entry(forKey: "a") != nil)
    #expect(await cache.count() == 1)
  }

  @Test func `after the clock is set back, entries count as just used, and later expire at the maximum age`() async throws {
    let cache = await counted(maxBytes: 1000, maxAge: .seconds(10 * 3600))
    for key in ["a", "b"] { try await cache.store(entry(fileBytes: 100), forKey: key) }
    fixture.clock.advance(hours: -10_000)
    #expect(try await cache.entry(forKey: "a") != nil)
    #expect(abs(try fixture.age(ofKey: "a")) < 1)
    try await cache.clean()
    #expect(await cache.count() == 2)
    #expect(abs(try fixture.age(ofKey: "b")) < 1)
    fixture.clock.advance(hours: 11)
    try await cache.clean()
    #expect(await cache.count() == 0)
    FaultTable.note("clock set back", "entries count as just used and are revalidated; no entry expires")
  }

  @Test func `if the clock is temporarily set forward by less than the maximum age, no entry expires`() async throws {
    let cache = await counted(maxAge: .seconds(30 * 86_400))
    var stored = entry(fileBytes: 100)
    (stored.receivedAt, stored.freshUntil) = (fixture.clock.now, fixture.clock.now + 3600)
    for number in 0..<10 { try await cache.store(stored, forKey: "\(number)") }
    fixture.clock.advance(hours: 29 * 24)
    #expect(try await cache.entry(forKey: "1")?.standing(at: fixture.clock.now) == .stale)
    try await cache.clean()
    fixture.clock.advance(hours: -29 * 24)
    #expect(try await cache.entry(forKey: "1")?.standing(at: fixture.clock.now) == .fresh)
    try await cache.clean()
    #expect(await cache.count() == 10)
    FaultTable.note("clock set forward and right again", "stale entries stay and are fresh again; no entry expires")
  }

  @Test func `after the clock is set back, an entry stays stale even when the clock reaches the original time again`() async throws {
    let cache = await counted()
    let now = fixture.clock.now
    var stored = entry(fileBytes: 100)
    (stored.receivedAt, stored.freshUntil) = (now, now + 5 * 3600)
    try await cache.store(stored, forKey: "k")
    fixture.clock.advance(hours: -1000)
    for _ in 0..<2 {
      let read = try #require(try await cache.entry(forKey: "k"))
      #expect(read.body == stored.body)
      #expect(read.standing(at: fixture.clock.now) == .stale)
      fixture.clock.advance(hours: 1001)
    }
    #expect(fixture.temporary.files().count == 1)
    #expect(await cache.totalBytes() == 100)
  }

  @Test func `entries are stale after the clock is set back, even if their new times cannot be written to disk`() async throws {
    let cache = await counted()
    var stored = entry(fileBytes: 100)
    (stored.receivedAt, stored.freshUntil) = (fixture.clock.now, fixture.clock.now + 3600)
    try await cache.store(stored, forKey: "k")
    fixture.clock.advance(hours: -1000)
    fixture.files.fail(.openNew, with: EROFS)
    #expect(try await cache.entry(forKey: "k")?.standing(at: fixture.clock.now) == .stale)
    fixture.files.fail(.openNew, with: nil)
    #expect(try await cache.entry(forKey: "k")?.freshUntil == fixture.clock.now)
  }

  @Test func `half-written files are removed if they are dated more than an hour in the past or in the future`() async throws {
    let cache = await counted()
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    let half = fixture.folder(ofKey: "k").appendingPathComponent(DiskCacheName.temporary())
    for (age, stays) in [(0.5, true), (-0.5, true), (1.5, false), (-1.5, false)] {
      try Data("half".utf8).write(to: half)
      try POSIXFileSystem().setModified(half.path, fixture.clock.now - age * 3600)
      try await cache.clean()
      #expect(fixture.exists(half) == stays, "\(age) hours")
    }
    #expect(await cache.totalBytes() == 100)
  }

  @Test func `young half-written files count toward the limit until they are removed`() async throws {
    let cache = await counted(maxBytes: 1000)
    for key in ["a", "b", "c", "d"] {
      try await cache.store(entry(fileBytes: 100), forKey: key)
      fixture.clock.advance(hours: 2)
    }
    // No cleaning is due from here on. Until the date of the new file is set, a cleaning would treat the file as old.
    #expect(await cache.totalBytes() == 400)
    let half = fixture.folder(ofKey: "a").appendingPathComponent(DiskCacheName.temporary())
    try Data(count: 700).write(to: half)
    try POSIXFileSystem().setModified(half.path, fixture.clock.now)
    try await cache.clean()
    #expect(await cache.totalBytes() == 900)
    #expect(await cache.count() == 2)
    #expect(fixture.exists(half))
    try await cache.removeAll()
    #expect(!fixture.exists(half))
    #expect(await cache.totalBytes() == 0)
  }

  @Test func `foreign files are neither counted nor removed`() async throws {
    let cache = await counted(maxBytes: 1000, maxAge: .seconds(60))
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    let name = DiskCacheName(key: "k").file
    for foreign in ["README", name.uppercased(), name + "0", String(name.dropLast()), ".hidden"] {
      try Data(count: 5000).write(to: fixture.folder(ofKey: "k").appendingPathComponent(foreign))
    }
    try Data(count: 5000).write(to: fixture.directory.appendingPathComponent("notes"))
    fixture.clock.advance(hours: 100)
    try await cache.clean()
    #expect(await cache.totalBytes() == 0)
    #expect(fixture.temporary.files().count == 6)
  }

  @Test func `the directory is not scanned again until more than a tenth of the limit has been written`() async throws {
    let cache = await counted(maxBytes: 100_000)
    #expect(await cache.totalBytes() == 0)
    let scans = fixture.files.calls.count { $0 == .names }
    for number in 0..<10 { try await cache.store(entry(fileBytes: 1000), forKey: "\(number)") }
    #expect(await cache.totalBytes() == 10_000)
    #expect(fixture.files.calls.count { $0 == .names } == scans)
    try await cache.store(entry(fileBytes: 1000), forKey: "x")
    #expect(await cache.totalBytes() == 11_000)
    #expect(fixture.files.calls.count { $0 == .names } == scans + 256)
  }
}
