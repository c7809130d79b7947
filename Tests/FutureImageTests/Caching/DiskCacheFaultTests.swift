import Foundation
import Testing

@testable import FutureImage

/// Tests in which the file system fails, or in which the path of an entry leads to something other than a file.
@Suite(.tags(.threads), .timeLimit(.minutes(20))) struct DiskCacheFaultTests {
  private let fixture: DiskCacheFixture
  private let cache: FutureImage.DiskCache

  init() throws {
    fixture = try DiskCacheFixture()
    cache = fixture.cache()
  }

  @Test(arguments: [FaultyFileSystem.Call.openNew, .write, .close, .statusAt, .move])
  func `a failed store throws, and only the old entry's file is left`(call: FaultyFileSystem.Call) async throws {
    let old = entry(fileBytes: 100, filledWith: 1)
    try await cache.store(old, forKey: "k")
    #expect(await cache.totalBytes() == 100)
    fixture.files.fail(call, with: ENOSPC)
    let failure = await #expect(throws: FutureImage.FileFailure.self) {
      try await cache.store(entry(fileBytes: 200, filledWith: 2), forKey: "k")
    }
    #expect(failure?.reason == .system(call: "\(call)", code: ENOSPC))
    fixture.files.fail(call, with: nil)
    #expect(try await cache.entry(forKey: "k") == old)
    #expect(fixture.temporary.files().count == 1)
    #expect(await cache.totalBytes() == 100)
  }

  @Test func `a store fails if its folder cannot be created`() async throws {
    fixture.files.fail(.makeDirectory, with: EROFS)
    let failure = await #expect(throws: FutureImage.FileFailure.self) { try await cache.store(entry(fileBytes: 100), forKey: "k") }
    #expect(failure?.code == EROFS)
    #expect(failure?.path == fixture.folder(ofKey: "k").path)
    #expect(failure?.description.contains(String(cString: strerror(EROFS))) == true)
  }

  @Test func `a store throws instead of retrying forever if its folder is always missing`() async throws {
    fixture.files.fail(.openNew, with: ENOENT)
    let failure = await #expect(throws: FutureImage.FileFailure.self) { try await cache.store(entry(fileBytes: 100), forKey: "k") }
    #expect(failure?.code == ENOENT)
  }

  @Test(arguments: [FaultyFileSystem.Call.open, .status, .read])
  func `a failed read throws and removes nothing`(call: FaultyFileSystem.Call) async throws {
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    fixture.files.fail(call, with: EIO)
    let failure = await #expect(throws: FutureImage.FileFailure.self) { try await cache.entry(forKey: "k") }
    #expect(failure?.code == EIO)
    fixture.files.fail(call, with: nil)
    #expect(try await cache.entry(forKey: "k") != nil)
  }

  @Test(arguments: [FaultyFileSystem.Call.setModified, .close])
  func `an entry is returned even if its time of use cannot be set or its file cannot be closed`(call: FaultyFileSystem.Call) async throws {
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    fixture.clock.advance(hours: 5)
    fixture.files.fail(call, with: EROFS)
    #expect(try await cache.entry(forKey: "k") != nil)
  }

  @Test func `a read or a write that transfers only some of the bytes is continued`() async throws {
    fixture.files.limitTransfers(to: 7)
    let stored = entry(fileBytes: 1000, filledWith: 9)
    try await cache.store(stored, forKey: "k")
    #expect(try await cache.entry(forKey: "k") == stored)
    #expect(fixture.files.calls.count { $0 == .write } >= 1000 / 7)
  }

  @Test func `a write that transfers no bytes fails instead of looping forever`() async throws {
    fixture.files.limitTransfers(to: 0)
    await #expect(throws: FutureImage.FileFailure.self) { try await cache.store(entry(fileBytes: 100), forKey: "k") }
    #expect(fixture.temporary.files().isEmpty)
  }

  @Test func `a cleaning continues past a folder that cannot be read, and reports the folder`() async throws {
    let expiring = fixture.cache(maxBytes: 1 << 30, maxAge: .seconds(3600))
    for number in 0..<20 { try await expiring.store(entry(fileBytes: 100), forKey: "\(number)") }
    let blocked = fixture.folder(ofKey: "0")
    try FileManager.default.removeItem(at: blocked)
    try Data().write(to: blocked)
    fixture.clock.advance(hours: 2)
    let failure = await #expect(throws: FutureImage.FileFailure.self) { try await expiring.clean() }
    #expect(failure?.path == blocked.path)
    #expect(fixture.temporary.files() == ["cache/" + blocked.lastPathComponent])
  }

  enum Obstacle: CaseIterable { case directory, link, danglingLink, pipe }

  @Test(arguments: Obstacle.allCases)
  func `an object other than a file at an entry's path is reported and not changed`(obstacle: Obstacle) async throws {
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    _ = try await cache.entry(forKey: "k")
    let path = fixture.file(ofKey: "k")
    let elsewhere = fixture.temporary.file("elsewhere")
    try FileManager.default.moveItem(at: path, to: elsewhere)
    switch obstacle {
    case .directory: try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
    case .link: try FileManager.default.createSymbolicLink(at: path, withDestinationURL: elsewhere)
    case .danglingLink: try FileManager.default.createSymbolicLink(at: path, withDestinationURL: fixture.temporary.file("nothing"))
    case .pipe: #expect(mkfifo(path.path, 0o600) == 0)
    }
    let before = try POSIXFileSystem().status(at: path.path)
    func expectReport(_ call: () async throws -> Void) async {
      let failure = await #expect(throws: FutureImage.FileFailure.self) { try await call() }
      #expect(failure?.path == path.path)
      guard case .notAFile = failure?.reason else {
        Issue.record("\(String(describing: failure))")
        return
      }
    }
    await expectReport { _ = try await cache.entry(forKey: "k") }
    await expectReport { try await cache.store(entry(fileBytes: 100), forKey: "k") }
    await expectReport { try await cache.remove(forKey: "k") }
    await expectReport { try await cache.removeAll() }
    try await cache.clean()
    #expect(try POSIXFileSystem().status(at: path.path) == before)
    #expect(fixture.exists(elsewhere))
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder(ofKey: "k").path).count == 1)
    #expect(await cache.totalBytes() == 0)
    FaultTable.note("\(obstacle) at the path of an entry", "reported, not followed, not changed")
  }

  @Test func `a cache whose directory is a file reports the file and stores nothing`() async throws {
    try Data("mine".utf8).write(to: fixture.directory)
    for call: @Sendable () async throws -> Void in [
      { _ = try await cache.entry(forKey: "k") }, { try await cache.store(entry(fileBytes: 100), forKey: "k") },
      { try await cache.clean() }, { try await cache.removeAll() }
    ] {
      let failure = await #expect(throws: FutureImage.FileFailure.self) { try await call() }
      #expect(failure?.code == ENOTDIR)
    }
    #expect(try Data(contentsOf: fixture.directory) == Data("mine".utf8))
    #expect(await cache.totalBytes() == 0)
    FaultTable.note("the cache's directory is a file", "reported, not changed")
  }

  @Test func `a read finishes even if its entry is evicted during the read`() async throws {
    let stored = entry(fileBytes: 100_000, filledWith: 7)
    try await cache.store(stored, forKey: "k")
    fixture.files.limitTransfers(to: 10_000)
    let path = fixture.file(ofKey: "k").path
    fixture.files.before(.read) { _ = unlink(path) }
    #expect(try await cache.entry(forKey: "k") == stored)
    #expect(!fixture.exists(fixture.file(ofKey: "k")))
    #expect(try await cache.entry(forKey: "k") == nil)
    FaultTable.note("eviction while reading", "the read returns the whole entry, the next read is a miss")
  }

  @Test func `if removing all entries fails in one folder, the total bytes exclude the removed half-written files`() async throws {
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    try #require(fixture.folder(ofKey: "k").lastPathComponent != "ff")
    let last = fixture.directory.appendingPathComponent("ff")
    try FileManager.default.createDirectory(at: last, withIntermediateDirectories: true)
    try Data(count: 500).write(to: last.appendingPathComponent(".futureimage-new-left"))
    let later = fixture.cache()
    #expect(await later.totalBytes() == 600)
    try FileManager.default.removeItem(at: fixture.file(ofKey: "k"))
    try FileManager.default.createDirectory(at: fixture.file(ofKey: "k"), withIntermediateDirectories: false)
    await #expect(throws: FutureImage.FileFailure.self) { try await later.removeAll() }
    #expect(await later.totalBytes() == 100)
  }

  @Test func `half-written files that cannot be removed still count toward the total bytes`() async throws {
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    try Data(count: 500).write(to: fixture.folder(ofKey: "k").appendingPathComponent(DiskCacheName.temporary()))
    let later = fixture.cache()
    #expect(await later.totalBytes() == 600)
    fixture.files.fail(.delete, with: EROFS)
    await #expect(throws: FutureImage.FileFailure.self) { try await later.removeAll() }
    #expect(await later.totalBytes() == 600)
    fixture.files.fail(.delete, with: nil)
    for _ in 0..<2 {
      try await later.removeAll()
      #expect(await later.totalBytes() == 0)
    }
  }

  @Test func `a folder that is a symbolic link is not cleaned`() async throws {
    let old = fixture.cache(maxAge: .seconds(3600))
    try await old.store(entry(fileBytes: 100), forKey: "k")
    // When `count()` returns, the cleaning that the cache starts at its first use has ended.
    #expect(await old.count() == 1)
    let folder = fixture.folder(ofKey: "k")
    let elsewhere = fixture.temporary.url.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: folder, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
    fixture.clock.advance(hours: 100)
    await #expect(throws: FutureImage.FileFailure.self) { try await old.clean() }
    await #expect(throws: FutureImage.FileFailure.self) { try await old.removeAll() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).count == 1)
  }
}
