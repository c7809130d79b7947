import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage
@testable import FutureImageCache

/// Files that cannot be accessed for some time, as on a locked device. The faulty file system simulates them.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct LockedDeviceTests {
  private let cacheFixture: DiskCacheFixture

  init() throws { cacheFixture = try DiskCacheFixture() }

  /// Makes opening, creating, and writing files fail with this error code, as on a locked device, which still permits removals. If the code
  /// is nil, permits everything again.
  private func lock(_ code: Int32?) {
    for call in [FaultyFileSystem.Call.open, .openAtOnce, .openNew, .write] { cacheFixture.files.fail(call, with: code) }
  }

  private func key(_ name: String) -> String { FutureImage.Source.url(LoaderFixture.url(name)).key }

  @Test(arguments: [FaultyFileSystem.Call.open, .status, .read], [EPERM, EACCES])
  func `an entry without read permission counts as missing and is not removed`(call: FaultyFileSystem.Call, code: Int32) async throws {
    let cache = cacheFixture.cache()
    let entry = entry(fileBytes: 3000)
    try await cache.store(entry, forKey: "k")
    cacheFixture.files.fail(call, with: code)
    #expect(try await cache.entry(forKey: "k") == nil)
    cacheFixture.files.fail(call, with: nil)
    #expect(try await cache.entry(forKey: "k") == entry)
    // The same applies after the first hit, when a read may first try to get the file from the system's memory (`openAtOnce`).
    for call in [FaultyFileSystem.Call.openAtOnce, call] { cacheFixture.files.fail(call, with: code) }
    #expect(try await cache.entry(forKey: "k") == nil)
    for call in [FaultyFileSystem.Call.openAtOnce, call] { cacheFixture.files.fail(call, with: nil) }
    #expect(try await cache.entry(forKey: "k") == entry)
    #expect(await cache.count() == 1)
  }

  @Test(arguments: [FaultyFileSystem.Call.open, .status, .read], [EPERM, EACCES])
  func `an app's file without read permission counts as missing and is not removed`(call: FaultyFileSystem.Call, code: Int32) async throws {
    let file = cacheFixture.temporary.file("cover.jpg")
    try Data("put".utf8).write(to: file)
    let tier = FutureImage.FileTier(file, files: cacheFixture.files)
    cacheFixture.files.fail(call, with: code)
    #expect(try await tier.entry(forKey: "k") == nil)
    cacheFixture.files.fail(call, with: nil)
    #expect(try await tier.entry(forKey: "k")?.body == Data("put".utf8))
  }

  @Test func `file errors other than missing permissions are thrown`() async throws {
    let cache = cacheFixture.cache()
    try await cache.store(entry(fileBytes: 3000), forKey: "k")
    cacheFixture.files.fail(.read, with: EIO)
    await #expect(throws: FutureImage.FileFailure.self) { try await cache.entry(forKey: "k") }
  }

  @Test(arguments: [EPERM, EACCES])
  func `on a locked device, images load from their sources, no entry is removed, and one fault is reported`(code: Int32) async throws {
    let names = (0..<5).map { "\($0)" }
    let before = LoaderFixture(disk: cacheFixture.cache())
    for name in names {
      let future = before.future(name)
      future.reload()
      await before.serve(name)
    }
    lock(code)
    let during = LoaderFixture(disk: cacheFixture.cache())
    for name in names {
      async let value = during.future(name).value
      await during.serve(name)
      _ = try await value
    }
    await during.loader.waitForIdle()
    #expect(during.held.requests.count == 5)
    #expect(during.loader.statistics.cacheFaults == 1)
    for name in names { #expect(cacheFixture.exists(cacheFixture.file(ofKey: key(name)))) }
    lock(nil)
    let after = LoaderFixture(disk: cacheFixture.cache())
    for name in names { _ = try await after.future(name).value }
    #expect(after.held.requests.count == 0)
    #expect(after.loader.statistics.diskHits >= 5)
    #expect(after.loader.statistics.cacheFaults == 0)
  }

  @Test func `a fault is reported again when a device is locked again`() async throws {
    let fixture = LoaderFixture(disk: cacheFixture.cache())
    func load(_ name: String) async throws -> Int {
      async let value = fixture.future(name).value
      await fixture.serve(name)
      _ = try await value
      await fixture.loader.waitForIdle()
      return fixture.loader.statistics.cacheFaults
    }
    lock(EPERM)
    #expect(try await load("a") == 1)
    #expect(try await load("b") == 1)
    lock(nil)
    #expect(try await load("d") == 1)
    lock(EPERM)
    #expect(try await load("e") == 2)
    #expect(try await load("f") == 2)
  }

  @Test func `an entry whose image is replaced on a locked device is removed`() async throws {
    let fixture = LoaderFixture(disk: cacheFixture.cache())
    let future = fixture.future()
    future.reload()
    await fixture.serve("a", TestColor.red.jpeg(8, 6))
    #expect(cacheFixture.exists(cacheFixture.file(ofKey: key("a"))))
    lock(EPERM)
    future.reload()
    await fixture.serve("a", TestColor.blue.jpeg(8, 6))
    #expect(TestColor.blue.isNearly(try await future.value.color))
    #expect(!cacheFixture.exists(cacheFixture.file(ofKey: key("a"))))
  }

  // MARK: - Values

  private func valueCache(_ fixture: LoaderFixture) -> Cache<String> {
    Cache(
      directory: cacheFixture.directory, as: .string, capacity: CacheCapacity(), variants: [], fetching: fixture.loader,
      files: cacheFixture.files, notifications: NotificationCenter(), now: { Date() })
  }

  @Test func `on a locked device, setting a value removes the stored value, but fetching a value does not`() async throws {
    let fixture = LoaderFixture()
    let before = valueCache(fixture)
    for name in ["a", "b", "c"] { before.set("old", forKey: key(name)) }
    await before.waitUntilIdle()
    lock(EPERM)
    let during = valueCache(fixture)
    async let fetched = during.value(from: LoaderFixture.url("a"))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: Data("new".utf8))
    #expect(try await fetched == "new")
    during.set("set", forKey: key("b"))
    await during.waitUntilIdle()
    // A locked device permits this removal, so the removal does not show that the device has been unlocked.
    during.remove(forKey: "missing")
    await during.waitUntilIdle()
    during.set("set", forKey: key("c"))
    await during.waitUntilIdle()
    #expect(during.faultCount == 1)
    lock(nil)
    during.set("set", forKey: key("d"))
    await during.waitUntilIdle()
    lock(EPERM)
    for name in ["e", "f"] { during.set("set", forKey: key(name)) }
    await during.waitUntilIdle()
    #expect(during.faultCount == 2, "A device that is locked again is reported again.")
    lock(nil)
    let after = valueCache(fixture)
    #expect(try await after.value(forKey: key("a")) == "old")
    #expect(try await after.value(forKey: key("b")) == nil)
    #expect(try await after.value(forKey: key("c")) == nil)
  }
}
