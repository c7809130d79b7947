import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Disks that refuse calls, simulated by the faulty file system. ``DiskCacheMountTests`` uses real disks.
@Suite(.tags(.threads), .timeLimit(.minutes(20))) struct DiskCacheFullTests {
  private let cacheFixture: DiskCacheFixture

  init() throws { cacheFixture = try DiskCacheFixture() }

  @Test(arguments: [
    ("no space", FaultyFileSystem.Call.write, ENOSPC), ("no inodes", .openNew, ENOSPC), ("no room for a folder", .makeDirectory, ENOSPC),
    ("read-only", .openNew, EROFS), ("permission denied to write", .openNew, EACCES), ("permission denied to rename", .move, EACCES),
    ("permission denied to make a folder", .makeDirectory, EACCES), ("too many open files", .openNew, EMFILE), ("disk broken", .write, EIO)
  ])
  func `a refused disk call is reported, and images still load`(fault: String, call: FaultyFileSystem.Call, code: Int32) async throws {
    let cache = cacheFixture.cache()
    cacheFixture.files.fail(call, with: code)
    try await expectHarmless("\(fault) (simulated)", cacheFixture.directory, code, cache)
  }

  @Test func `a read without permission counts as missing, and the image loads from its source`() async throws {
    let cache = cacheFixture.cache()
    cacheFixture.files.fail(.open, with: EACCES)
    let fixture = LoaderFixture(disk: cache)
    let future = fixture.future()
    async let value = future.value
    await waitWhile(future.waiterCount == 0)
    await fixture.serve()
    _ = try await value
    #expect(fixture.loader.statistics.cacheFaults == 0)
    FaultTable.note("permission denied to read (simulated)", "a miss, image fetched and shown")
  }

  @Test(arguments: zip([ENOSPC, EIO, EACCES, EIO], [false, false, false, true]))
  func `a single failed file system call leaves neither a torn entry nor a half-written file`(code: Int32, readsAtOnce: Bool) async throws {
    let (old, new) = (entry(fileBytes: 3000, filledWith: 1), entry(fileBytes: 5000, filledWith: 2))
    /// Lets the first `turn` calls of the file system succeed, makes the next call fail, and checks the remaining entries and files.
    /// - Returns: the calls that were made.
    func fail(after turn: Int) async throws -> [FaultyFileSystem.Call] {
      let cacheFixture = try DiskCacheFixture()
      let cache = cacheFixture.cache(maxBytes: 20_000)
      try await cache.store(old, forKey: "k")
      try await cache.store(old, forKey: "gone")
      cacheFixture.files.answerAtOnce(readsAtOnce)
      _ = try await cache.entry(forKey: "gone")
      cacheFixture.clock.advance(hours: 3)
      cacheFixture.files.limitTransfers(to: 2000)
      let before = cacheFixture.files.calls.count
      cacheFixture.files.failOnce(after: turn, with: code)
      var failures = 0
      for call: @Sendable () async throws -> Void in [
        { try await cache.store(new, forKey: "k") }, { _ = try await cache.entry(forKey: "k") },
        { try await cache.store(new, forKey: "first of its folder") }, { try await cache.remove(forKey: "gone") },
        { try await cache.clean() }
      ] {
        do { try await call() } catch { failures += 1 }
      }
      let calls = cacheFixture.files.calls.dropFirst(before)
      #expect(failures <= (cacheFixture.files.takeUnfired() ? 0 : 1))
      let kept = try await cache.entry(forKey: "k")
      #expect([old, new].contains(kept), "turn \(turn)")
      #expect([nil, new].contains(try await cache.entry(forKey: "first of its folder")), "turn \(turn)")
      #expect([nil, old].contains(try await cache.entry(forKey: "gone")), "turn \(turn)")
      #expect(!cacheFixture.temporary.files().contains { $0.contains(".futureimage-new-") }, "turn \(turn)")
      try await cache.clean()
      let sizes = try cacheFixture.temporary.files().map { try POSIXFileSystem().status(at: cacheFixture.temporary.file($0).path).bytes }
      #expect(await cache.totalBytes() == sizes.reduce(0, +), "turn \(turn)")
      return Array(calls)
    }
    let calls = try await fail(after: .max)
    // A cleaning scans 256 similar folders, and so makes many equal calls in succession. Except in a deep run without a sanitizer, only the
    // first three and the last of such calls are made to fail.
    let turns = calls.indices.filter { turn in
      isDeep && !isSanitized || turn < 3 || turn + 1 == calls.count || Set(calls[turn - 3...turn + 1]).count > 1
    }
    for turn in turns { _ = try await fail(after: turn) }
    #expect(turns.count > 30)
    FaultTable.note(
      "one failing call, errno \(code)\(readsAtOnce ? ", files in memory" : "")",
      "\(turns.count) of \(calls.count) calls: reported or harmless, no torn or left-over file")
  }
}
