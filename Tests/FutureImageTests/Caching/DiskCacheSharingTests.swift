import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Concurrent calls to one cache, and to several caches over one directory.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DiskCacheSharingTests {
  private let fixture: DiskCacheFixture

  init() throws { fixture = try DiskCacheFixture() }

  /// Returns a body that shows whether it is whole, because one number determines its length and all of its bytes.
  private func body(_ number: Int) -> Data { Data(repeating: UInt8(number % 251), count: 1000 + number * 37) }

  private func isWhole(_ data: Data) -> Bool {
    (data.count - 1000) % 37 == 0 && data == body((data.count - 1000) / 37)
  }

  @Test func `reads during writes of the same key never find a torn or missing entry`() async throws {
    let caches = [fixture.cache(), fixture.cache()]
    try await caches[0].store(FutureImage.CacheEntry(body: body(0)), forKey: "k")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask { [caches] in
          for number in 0..<100 {
            try await caches[writer % 2].store(FutureImage.CacheEntry(body: body(number * 4 + writer)), forKey: "k")
          }
        }
      }
      for reader in 0..<6 {
        group.addTask { [caches] in
          for _ in 0..<200 {
            let read = try await caches[reader % 2].entry(forKey: "k")
            #expect(read.map { isWhole($0.body) } == true)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(fixture.temporary.files().count == 1)
    let size = try #require(try await caches[0].entry(forKey: "k")).body.count + DiskCacheFile.fixedLength + 1
    try await caches[0].clean()
    #expect(await caches[0].totalBytes() == size)
    #expect(await caches[0].count() == 1)
  }

  @Test func `a cache's count and total bytes are exact after any mixture of calls, including calls during a count`() async throws {
    let cache = fixture.cache()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(worker))
          for _ in 0..<80 {
            let key = "\(Int.random(in: 0..<40, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6: try await cache.store(FutureImage.CacheEntry(body: body(Int.random(in: 0..<50, using: &random))), forKey: key)
            case 6..<8: try await cache.remove(forKey: key)
            case 8: #expect(try await cache.entry(forKey: key).map { isWhole($0.body) } != false)
            default: try await cache.clean()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let files = fixture.temporary.files()
    let sizes = try files.map { try POSIXFileSystem().status(at: fixture.temporary.file($0).path).bytes }
    #expect(!files.isEmpty)
    #expect(await cache.totalBytes() == sizes.reduce(0, +))
    #expect(await cache.count() == files.count)
  }

  @Test func `two caches over one directory find each other's entries, and together stay near the limit`() async throws {
    let (one, other) = (fixture.cache(maxBytes: 10_000), fixture.cache(maxBytes: 10_000))
    for number in 0..<200 {
      let writer = number.isMultiple(of: 2) ? one : other
      try await writer.store(entry(fileBytes: 500), forKey: "\(number % 10)-\(number)")
      // Each cache counts again after it has written a tenth of the limit. So the sum exceeds the limit at most by the bytes that the two
      // caches have written since their last counts.
      _ = await writer.totalBytes()
      let sizes = try fixture.temporary.files().map { try POSIXFileSystem().status(at: fixture.temporary.file($0).path).bytes }
      #expect(sizes.reduce(0, +) <= 12_000)
      fixture.clock.advance(hours: 0.01)
    }
    #expect(try await one.entry(forKey: "9-199") != nil)
    #expect(try await other.entry(forKey: "8-198") != nil)
    try await other.removeAll()
    #expect(try await one.entry(forKey: "9-199") == nil)
    try await one.clean()
    #expect(await one.totalBytes() == 0)
  }

  @Test func `stores during a removal of all entries succeed, and an entry stored afterwards is not removed`() async throws {
    let (one, other) = (fixture.cache(), fixture.cache())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 { group.addTask { try await one.store(FutureImage.CacheEntry(body: body(3)), forKey: "\(number)") } }
      group.addTask { for _ in 0..<5 { try await other.removeAll() } }
      try await group.waitForAll()
    }
    try await one.removeAll()
    #expect(fixture.temporary.files().isEmpty)
    try await one.store(FutureImage.CacheEntry(body: body(3)), forKey: "late")
    #expect(fixture.temporary.files().count == 1)
  }

  /// Runs the action before each of the next `count` renames.
  /// - Returns: the number of these renames that are still to come.
  private func beforeMoves(_ count: Int, _ action: @escaping @Sendable () -> Void) -> Lock<Int> {
    let left = Lock(count)
    let files = fixture.files
    @Sendable func act() {
      let isLast = left.withLock { left in
        left -= 1
        return left == 0
      }
      if !isLast { files.beforeMove(act) }
      action()
    }
    files.beforeMove(act)
    return left
  }

  @Test func `a store succeeds without a retry even if another cache in the process removes all entries during the store`() async throws {
    let other = DiskCacheStore(
      directory: fixture.directory.path, limits: (1 << 20, nil), files: POSIXFileSystem(), now: { Date() })
    _ = beforeMoves(10) {
      // The removal runs on another thread, which holds no lock of the first cache.
      let hasEnded = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        #expect(throws: Never.self) { try other.removeAll() }
        hasEnded.signal()
      }
      hasEnded.wait()
    }
    try await fixture.cache().store(entry(fileBytes: 100), forKey: "k")
    #expect(fixture.files.calls.count { $0 == .move } == 1)
    #expect(fixture.temporary.files().count == 1)
    #expect(try await fixture.cache().entry(forKey: "k") == entry(fileBytes: 100))
  }

  @Test(arguments: [false, true])
  func `a store succeeds even if another process repeatedly removes the store's unfinished file or directory`(removesDirectory: Bool)
    async throws
  {
    let directory = fixture.directory
    let left = beforeMoves(10) {
      let paths = removesDirectory ? [""] : (FileManager.default.subpaths(atPath: directory.path) ?? []).filter { $0.contains("-new-") }
      #expect(!paths.isEmpty)
      for path in paths { try? FileManager.default.removeItem(at: directory.appendingPathComponent(path)) }
    }
    let cache = fixture.cache()
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    #expect(left.withLock { $0 } == 0)
    #expect(fixture.temporary.files().count == 1)
    #expect(try await cache.entry(forKey: "k") == entry(fileBytes: 100))
    #expect(await cache.totalBytes() == 100)
  }

  @Test func `a cleaning does not remove an entry that is replaced during the cleaning`() async throws {
    let cache = fixture.cache(maxAge: .seconds(3600))
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    let store = DiskCacheStore(
      directory: fixture.directory.path, limits: (1000, nil), files: POSIXFileSystem(), now: { [clock = fixture.clock] in clock.now })
    let name = DiskCacheName(key: "k")
    let seen = DiskCacheTrim.File(name: name, status: try POSIXFileSystem().status(at: store.path(name)))
    fixture.clock.advance(hours: 2)
    try await cache.store(entry(fileBytes: 100), forKey: "k")
    try store.remove(seen)
    #expect(fixture.exists(fixture.file(ofKey: "k")))
    try store.remove(DiskCacheTrim.File(name: name, status: try POSIXFileSystem().status(at: store.path(name))))
    #expect(!fixture.exists(fixture.file(ofKey: "k")))
  }

  @Test func `correcting an entry's time of receipt does not overwrite an entry that is stored at the same time`() async throws {
    let cache = fixture.cache()
    try await cache.store(FutureImage.CacheEntry(body: body(1), eTag: nil, receivedAt: fixture.clock.now + 5 * 3600), forKey: "k")
    let other = DiskCacheStore(
      directory: fixture.directory.path, limits: (1 << 20, nil), files: POSIXFileSystem(), now: { Date() })
    let new = FutureImage.CacheEntry(body: body(2))
    fixture.files.before(.openNew) { #expect(throws: Never.self) { try other.store(new, forKey: "k") } }
    #expect(try await cache.entry(forKey: "k")?.body == body(1))
    #expect(try await cache.entry(forKey: "k") == new)
    #expect(fixture.temporary.files().count == 1)
  }

  @Test func `a thousand concurrent stores and reads all succeed`() async throws {
    let cache = fixture.cache()
    let hits = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<1000 {
        group.addTask {
          try await cache.store(FutureImage.CacheEntry(body: body(number % 7)), forKey: "\(number)")
          return try await cache.entry(forKey: "\(number)")?.body == body(number % 7)
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(hits == 1000)
  }
}
