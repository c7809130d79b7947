#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Other processes that use the cache, or are killed while they write. The first test kills a hundred processes, or a thousand with
/// `FUTUREIMAGE_DEEP`. Under a sanitizer, it always kills a hundred, because processes start so slowly that a thousand would occupy the
/// processors for minutes.
@Suite(.tags(.threads), .timeLimit(.minutes(30))) struct DiskCacheProcessTests {
  private let fixture: DiskCacheFixture

  init() throws { fixture = try DiskCacheFixture() }

  private static let keys = (0..<20).map { "\($0)" }

  /// Runs three tasks, each of which stores `count` whole bodies under random keys.
  static func write(_ directory: String, seed: UInt64, count: Int) async throws {
    let cache = FutureImage.DiskCache(directory: URL(fileURLWithPath: directory, isDirectory: true))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 3 &+ UInt64(writer))
          for _ in 0..<count {
            let number = Int.random(in: 0..<8000, using: &random)
            try await cache.store(
              FutureImage.CacheEntry(body: WholeBody.make(number)), forKey: keys[Int.random(in: 0..<keys.count, using: &random)])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Returns the number of entries, each of which must be whole.
  private func readAll(_ cache: FutureImage.DiskCache) async throws -> Int {
    var count = 0
    for key in Self.keys {
      guard let entry = try await cache.entry(forKey: key) else { continue }
      #expect(WholeBody.isWhole(entry.body), "torn: \(key), \(entry.body.count) bytes")
      count += 1
    }
    return count
  }

  private var orphans: Int { fixture.temporary.files().count { DiskCacheName.isTemporary(($0 as NSString).lastPathComponent) } }

  @Test func `a writer killed at any moment leaves no torn entry, and a cleaning removes its half-written files`() async throws {
    let rounds = isDeep && !isSanitized ? 1000 : 100
    let found = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<2 {
        group.addTask {
          var found = 0
          for round in 0..<rounds / 2 {
            let path = fixture.directory.path
            let seed = UInt64(round * 2 + worker)
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, seed = seed as UInt64] in
              // Half of the processes store entries before they are killed, even on a slow machine.
              if seed % 4 < 2 { try await DiskCacheProcessTests.write(path, seed: seed, count: 1) }
              Thread.detachNewThread {
                // The range is long enough for the process to create its first folders, and for a kill at any moment after that.
                usleep(UInt32.random(in: 0..<20_000))
                kill(getpid(), SIGKILL)
              }
              try await DiskCacheProcessTests.write(path, seed: seed, count: .max)
            }
            found += try await readAll(FutureImage.DiskCache(directory: fixture.directory))
          }
          return found
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(found > rounds / 2)
    let left = orphans
    fixture.clock.advance(hours: 2)
    let cache = fixture.cache()
    try await cache.clean()
    #expect(orphans == 0)
    let sizes = try fixture.temporary.files().map { try POSIXFileSystem().status(at: fixture.temporary.file($0).path).bytes }
    #expect(await cache.totalBytes() == sizes.reduce(0, +))
    FaultTable.note(
      "kill -9 while writing, \(rounds) rounds", "\(found) entries read, none torn; \(left) half-written files left, all removed later")
  }

  @Test func `a process that reads while two processes write never reads a torn entry`() async throws {
    let (path, hasEnded) = (fixture.directory.path, Lock(0))
    let reads = try await withThrowingTaskGroup(of: Int.self) { group in
      for seed: UInt64 in [101, 102] {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String, seed = seed as UInt64] in
            try await DiskCacheProcessTests.write(path, seed: seed, count: 100)
          }
          hasEnded.withLock { $0 += 1 }
          return 0
        }
      }
      group.addTask {
        let cache = fixture.cache()
        var reads = 0
        while hasEnded.withLock({ $0 }) < 2 { reads += try await readAll(cache) }
        return reads + (try await readAll(cache))
      }
      return try await group.reduce(0, +)
    }
    #expect(reads >= Self.keys.count)
    #expect(orphans == 0)
    FaultTable.note("two processes that write, and one that reads", "\(reads) reads, none torn")
  }
}
#endif
