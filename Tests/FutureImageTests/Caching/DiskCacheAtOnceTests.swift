import Foundation
import Testing

@testable import FutureImage

/// The calling task itself reads an entry that the system has in memory. A thread of the cache reads all other entries.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DiskCacheAtOnceTests {
  private let fixture: DiskCacheFixture
  private let cache: FutureImage.DiskCache
  private let stored = entry(fileBytes: 1000, filledWith: 3)

  /// Creates a cache whose first read has shown that its disk answers at once.
  init() async throws {
    fixture = try DiskCacheFixture()
    cache = fixture.cache(maxAge: .seconds(10 * 3600))
    try await cache.store(stored, forKey: "k")
    #expect(try await cache.entry(forKey: "k") == stored)
    // The cleaning at the first use has ended, and makes no more calls.
    #expect(await cache.count() == 1)
  }

  /// The number of times that a thread of the cache has opened a file to read it. After the initializer of this suite, it is 1.
  private var opened: Int { fixture.files.calls.count { $0 == .open } }

  /// Returns whether a task made the call, and not a thread of the cache; nil if the call was not made.
  private func isMadeByTask(_ call: FaultyFileSystem.Call, reading cache: FutureImage.DiskCache) async throws -> Bool? {
    let isMadeByTask = LockedValue<Bool>()
    fixture.files.before(call) { isMadeByTask.value = withUnsafeCurrentTask { $0 != nil } }
    #expect(try await cache.entry(forKey: "k") == stored)
    return isMadeByTask.value
  }

  @Test func `the first read runs on a thread of the cache, and the next reads run on the calling task`() async throws {
    let other = fixture.cache()
    #expect(try await isMadeByTask(.read, reading: other) == false)
    let before = opened
    #expect(try await isMadeByTask(.readAtOnce, reading: other) == true)
    #expect(opened == before)
  }

  @Test func `an entry that is stored after the first read is also read on the calling task`() async throws {
    let new = entry(fileBytes: 2000, filledWith: 4)
    try await cache.store(new, forKey: "k")
    #expect(try await cache.entry(forKey: "k") == new)
    #expect(opened == 1)
  }

  @Test func `a disk that does not answer at once is read only on a thread of the cache`() async throws {
    fixture.files.answerAtOnce(false)
    let other = fixture.cache()
    for _ in 0..<2 { #expect(try await other.entry(forKey: "k") == stored) }
    #expect(!fixture.files.calls.contains(.openAtOnce))
  }

  @Test(arguments: [EAGAIN, ENOSYS, EINVAL, EOPNOTSUPP, EPERM, EIO], 0..<3)
  func `if a file system call fails or would block, a thread of the cache reads the entry instead`(code: Int32, turn: Int) async throws {
    fixture.files.failOnce(after: turn, with: code)
    #expect(try await cache.entry(forKey: "k") == stored)
    #expect(!fixture.files.takeUnfired())
    #expect(opened == 2)
    #expect(try await cache.entry(forKey: "k") == stored)
    #expect(opened == 2)
  }

  @Test func `an entry is still returned if its file cannot be closed`() async throws {
    fixture.files.fail(.close, with: EIO)
    #expect(try await cache.entry(forKey: "k") == stored)
    #expect(opened == 1)
  }

  @Test func `the calling task continues after short reads until it has the whole entry`() async throws {
    fixture.files.limitTransfers(to: 7)
    #expect(try await cache.entry(forKey: "k") == stored)
    #expect(fixture.files.calls.count { $0 == .readAtOnce } >= 1000 / 7)
    #expect(opened == 1)
  }

  @Test func `if only the beginning of an entry is in memory, a thread of the cache reads the entry`() async throws {
    fixture.files.limitTransfers(to: 700)
    fixture.files.failOnce(after: 3, with: EAGAIN)
    #expect(try await cache.entry(forKey: "k") == stored)
    #expect(fixture.files.calls.count { $0 == .readAtOnce } == 2)
    #expect(opened == 2)
  }

  @Test func `a read on the calling task finishes even if its entry is evicted during the read`() async throws {
    fixture.files.limitTransfers(to: 100)
    let path = fixture.file(ofKey: "k").path
    fixture.files.before(.readAtOnce) { _ = unlink(path) }
    #expect(try await cache.entry(forKey: "k") == stored)
    #expect(opened == 1)
    #expect(try await cache.entry(forKey: "k") == nil)
  }

  @Test func `a damaged entry counts as missing and is removed`() async throws {
    var file = try Data(contentsOf: fixture.file(ofKey: "k"))
    file[500] ^= 1
    try file.write(to: fixture.file(ofKey: "k"))
    #expect(try await cache.entry(forKey: "k") == nil)
    #expect(!fixture.exists(fixture.file(ofKey: "k")))
    #expect(fixture.files.calls.contains(.readAtOnce))
    #expect(await cache.count() == 0)
  }

  @Test func `an entry that is too old counts as missing and is removed`() async throws {
    fixture.clock.advance(hours: 11)
    #expect(try await cache.entry(forKey: "k") == nil)
    #expect(!fixture.exists(fixture.file(ofKey: "k")))
  }

  @Test(arguments: [2.0, -2])
  func `a read updates an entry's time of use if that time is two hours in the past or in the future`(hours: Double) async throws {
    fixture.clock.advance(hours: hours)
    #expect(try await cache.entry(forKey: "k") == stored)
    #expect(abs(try fixture.age(ofKey: "k")) < 1)
    #expect(opened == 2)
    #expect(try await cache.entry(forKey: "k") == stored)
    #expect(opened == 2)
  }

  @Test func `an entry whose received time is in the future gets the current time when it is read`() async throws {
    let received = fixture.clock.now.addingTimeInterval(5 * 3600)
    try await cache.store(FutureImage.CacheEntry(body: Data([1]), eTag: nil, receivedAt: received), forKey: "k")
    #expect(try await cache.entry(forKey: "k")?.receivedAt == fixture.clock.now)
    #expect(opened == 2)
    #expect(try await cache.entry(forKey: "k")?.receivedAt == fixture.clock.now)
    #expect(opened == 2)
  }

  @Test func `a file that is too large for a read on the calling task is read on a thread of the cache`() async throws {
    for (size, threads) in [(DiskCacheStore.largestAtOnce, 0), (DiskCacheStore.largestAtOnce + 1, 1)] {
      let large = entry(fileBytes: size, filledWith: 5)
      try await cache.store(large, forKey: "l")
      let before = opened
      #expect(try await cache.entry(forKey: "l") == large)
      #expect(opened == before + threads)
    }
  }

  @Test func `if a directory is at an entry's path, a thread of the cache reports the failure`() async throws {
    let path = fixture.file(ofKey: "k")
    try FileManager.default.removeItem(at: path)
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
    await #expect(throws: FutureImage.FileFailure(.notAFile("a directory"), path: path.path)) { try await cache.entry(forKey: "k") }
    #expect(fixture.files.calls.contains(.openAtOnce))
    #expect(!fixture.files.calls.contains(.readAtOnce))
  }
}
