import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage
@testable import FutureImageCache

/// Setting, getting, and removing values. The tests of fetches and variants are in `CacheFetchTests` and `CacheWritingTests`.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CacheTests {
  private let fixture: DiskCacheFixture
  private let notifications = NotificationCenter()

  init() throws { fixture = try DiskCacheFixture() }

  private func cache(_ capacity: CacheCapacity = CacheCapacity()) -> Cache<String> {
    Cache(
      directory: fixture.directory, as: .string, capacity: capacity, variants: [], fetching: FutureImage.Loader(.held(by: HeldFetcher())),
      files: fixture.files,
      notifications: notifications, now: { Date() })
  }

  @Test func `a value that the app sets can be read at once and after a restart`() async throws {
    let first = cache()
    first.set("one", forKey: "a")
    #expect(first.valueInMemory(forKey: "a") == "one")
    #expect(try await first.value(forKey: "a") == "one")
    await first.waitUntilIdle()
    let second = cache()
    #expect(second.valueInMemory(forKey: "a") == nil)
    #expect(try await second.value(forKey: "a") == "one")
    #expect(second.valueInMemory(forKey: "a") == "one")
    #expect(try await second.value(forKey: "b") == nil)
  }

  @Test func `creating a cache does not access the disk`() async throws {
    _ = cache()
    #expect(fixture.files.calls.isEmpty)
  }

  @Test func `if many values are set for one key, the last value remains in memory and on disk`() async throws {
    let first = cache()
    for number in 0..<200 { first.set("\(number)", forKey: "a") }
    await first.waitUntilIdle()
    #expect(first.valueInMemory(forKey: "a") == "199")
    #expect(try await cache().value(forKey: "a") == "199")
  }

  @Test func `a value that exceeds the memory limit is found during and after its write to disk`() async throws {
    let small = cache(CacheCapacity(memoryBytes: 0))
    for number in 0..<50 {
      small.set("\(number)", forKey: "\(number)")
      #expect(try await small.value(forKey: "\(number)") == "\(number)")
    }
    await small.waitUntilIdle()
    #expect(try await small.value(forKey: "7") == "7")
    #expect(await small.sizes().memoryCount == 0)
  }

  @Test func `a value that is read from disk during a removal of all values is removed, too`() async throws {
    let first = cache()
    first.set("one", forKey: "a")
    await first.waitUntilIdle()
    let second = cache()
    let (isRemoving, mayGoOn) = (Signal(), DispatchSemaphore(value: 0))
    fixture.files.before(.names) {
      isRemoving.send()
      mayGoOn.wait()
    }
    async let removal: Void = second.removeAll()
    await isRemoving.wait()
    _ = try await second.value(forKey: "a")
    mayGoOn.signal()
    try await removal
    #expect(second.valueInMemory(forKey: "a") == nil)
    #expect(try await second.value(forKey: "a") == nil)
    second.set("two", forKey: "a")
    #expect(try await second.value(forKey: "a") == "two")
  }

  @Test func `a removed value is not found, even if its write was pending`() async throws {
    let first = cache()
    first.set("one", forKey: "a")
    first.set("two", forKey: "b")
    first.remove(forKey: "a")
    #expect(first.valueInMemory(forKey: "a") == nil)
    #expect(try await first.value(forKey: "a") == nil)
    await first.waitUntilIdle()
    #expect(try await cache().value(forKey: "a") == nil)
    #expect(try await cache().value(forKey: "b") == "two")
  }

  @Test func `removing all values also removes values whose writes are pending`() async throws {
    let first = cache()
    for number in 0..<100 { first.set("\(number)", forKey: "\(number)") }
    try await first.removeAll()
    #expect(await first.sizes() == CacheSizes())
    #expect(fixture.temporary.files().isEmpty)
    for number in 0..<100 { #expect(try await first.value(forKey: "\(number)") == nil) }
    first.set("new", forKey: "1")
    #expect(try await first.value(forKey: "1") == "new")
  }

  @Test func `sizes() returns the bytes and the number of values in memory and on disk`() async throws {
    let first = cache()
    first.set("four", forKey: "a")
    first.set("eleven char", forKey: "b")
    await first.waitUntilIdle()
    let sizes = await first.sizes()
    #expect(sizes.memoryBytes == 15)
    #expect(sizes.memoryCount == 2)
    #expect(sizes.diskBytes == 15 + 2 * (DiskCacheFile.fixedLength + 1))
    #expect(sizes.diskCount == 2)
    first.emptyMemory()
    #expect(await first.sizes().memoryBytes == 0)
    #expect(try await first.value(forKey: "a") == "four")
  }

  @Test func `a cache without a directory or disk capacity uses memory only`() async throws {
    let memory = Cache<String>(directory: nil, as: .string)
    memory.set("a", forKey: "k")
    #expect(try await memory.value(forKey: "k") == "a")
    memory.emptyMemory()
    #expect(try await memory.value(forKey: "k") == nil)
    let none = cache(CacheCapacity(diskBytes: 0))
    none.set("a", forKey: "k")
    await none.waitUntilIdle()
    #expect(fixture.files.calls.isEmpty)
  }

  @Test func `a full disk counts as a fault, and the new value stays in memory`() async throws {
    let first = cache()
    first.set("old", forKey: "a")
    await first.waitUntilIdle()
    fixture.files.fail(.write, with: ENOSPC)
    first.set("new", forKey: "a")
    await first.waitUntilIdle()
    #expect(first.faultCount == 1)
    #expect((first.lastFault as? FutureImage.FileFailure)?.code == ENOSPC)
    #expect(first.valueInMemory(forKey: "a") == "new")
    fixture.files.fail(.write, with: nil)
    // The old value has been removed from the disk, because it is outdated.
    #expect(try await cache().value(forKey: "a") == nil)
  }

  /// Returns a cache with its own queue of writes. Its disk does not answer until the semaphore is signaled.
  private func cacheOnBlockedDisk() -> (cache: Cache<Data>, writes: WriteBehind, mayGoOn: DispatchSemaphore) {
    let mayGoOn = DispatchSemaphore(value: 0)
    fixture.files.before(.openNew) { mayGoOn.wait() }
    let writes = WriteBehind()
    var configuration = FutureImage.Loader.Configuration.held(by: HeldFetcher())
    configuration.writes = writes
    let cache = Cache(
      directory: fixture.directory, as: .data, capacity: CacheCapacity(memoryBytes: 8 << 20), variants: [],
      fetching: FutureImage.Loader(configuration), files: fixture.files, notifications: notifications, now: { Date() })
    return (cache, writes, mayGoOn)
  }

  @Test(.timeLimit(.minutes(5)))
  func `if the write queue of a blocked disk is full, further values are not written, and each one counts as a fault`() async throws {
    let (cache, writes, mayGoOn) = cacheOnBlockedDisk()
    for number in 0..<300 { cache.set(Data(count: 1 << 20), forKey: "\(number)") }
    #expect(writes.use.bytes <= WriteRoom.byteLimit / 2)
    #expect(cache.valueInMemory(forKey: "299") != nil)
    mayGoOn.signal()
    await cache.waitUntilIdle()
    // The queue releases the room of a value a moment after the value is on disk.
    await waitWhile(writes.use.entries > 0)
    #expect(writes.use.bytes == 0)
    // The queue accepts 64 values of 1 MB, which is half of its byte limit.
    await waitWhile(cache.faultCount < 300 - 64)
    #expect(cache.lastFault is TierWrites.Behind)
    #expect(try await cache.value(forKey: "0") != nil)
    cache.emptyMemory()
    #expect(try await cache.value(forKey: "299") == nil)
  }

  @Test(.timeLimit(.minutes(5))) func `a disk with too many pending changes is no longer read`() async throws {
    let before = self.cache()
    before.set("old", forKey: "old")
    await before.waitUntilIdle()
    let (cache, writes, mayGoOn) = cacheOnBlockedDisk()
    let hangs = Signal()
    fixture.files.before(.openNew) {
      hangs.send()
      mayGoOn.wait()
    }
    cache.set(Data([1]), forKey: "hangs")
    await hangs.wait()
    var number = 0
    while !writes.isMissing("another", in: try #require(cache.disks[""])) {
      cache.remove(forKey: "\(number)")
      number += 1
    }
    #expect(number <= WriteRoom.entryLimit)
    cache.emptyMemory()
    #expect(try await cache.value(forKey: "old") == nil)
    mayGoOn.signal()
    await cache.waitUntilIdle()
    await waitWhile(writes.use.entries > 0)
  }

  @Test(.timeLimit(.minutes(5))) func `if two caches share a directory, the disk contains the value that was set last`() async throws {
    let (first, second) = (cache(), cache())
    for round in 0..<50 {
      first.set("1", forKey: "a")
      second.set("2", forKey: "a")
      first.set("\(round)", forKey: "a")
      await first.waitUntilIdle()
      await second.waitUntilIdle()
      #expect(try await cache().value(forKey: "a") == "\(round)")
    }
  }

  @Test func `a value whose disk read fails counts as missing, and the failure counts as a fault`() async throws {
    let first = cache()
    first.set("a", forKey: "k")
    await first.waitUntilIdle()
    first.emptyMemory()
    fixture.files.fail(.read, with: EIO)
    #expect(try await first.value(forKey: "k") == nil)
    #expect(first.faultCount == 1)
    fixture.files.fail(.read, with: nil)
    #expect(try await first.value(forKey: "k") == "a")
  }

  @Test func `a stored value that the coder cannot decode counts as missing and is removed`() async throws {
    let data = Cache<Data>(directory: fixture.directory, as: .data)
    data.set(Data([0xFF, 0xFE]), forKey: "k")
    await data.waitUntilIdle()
    let text = cache()
    #expect(try await text.value(forKey: "k") == nil)
    await text.waitUntilIdle()
    #expect(fixture.temporary.files().isEmpty)
  }

  @Test func `if a value is set during a disk read, the read does not restore the old value, even after a later removal`() async throws {
    let first = cache()
    first.set("old", forKey: "a")
    await first.waitUntilIdle()
    for round in 0..<50 {
      first.emptyMemory()
      async let read = first.value(forKey: "a")
      first.set("\(round)", forKey: "a")
      _ = try await read
      #expect(first.valueInMemory(forKey: "a") == "\(round)")
      first.remove(forKey: "a")
      #expect(try await first.value(forKey: "a") == nil)
      first.set("old", forKey: "a")
      await first.waitUntilIdle()
    }
  }

  @Test func `calls from many threads leave a consistent state`() async throws {
    let first = cache(CacheCapacity(memoryBytes: 40))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(worker))
          for _ in 0..<100 {
            let key = "\(Int.random(in: 0..<10, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: first.set(key + key, forKey: key)
            case 5..<9:
              let value = try await first.value(forKey: key)
              #expect(value == nil || value == key + key)
            default: first.remove(forKey: key)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    await first.waitUntilIdle()
    #expect(first.state.withLock { $0.watch.isEmpty } && first.writes.count(of: first) == 0)
    let (sizes, second) = (await first.sizes(), cache())
    #expect(sizes.diskCount == fixture.temporary.files().count)
    #expect(first.faultCount == 0)
    for number in 0..<10 {
      let storedValue = try await second.value(forKey: "\(number)")
      #expect(try await first.value(forKey: "\(number)") == storedValue)
    }
  }

  @Test func `values are written even if the cache is released`() async throws {
    do { cache().set("one", forKey: "a") }
    var found: String?
    try await eventually("the value is on disk") {
      found = try await cache().value(forKey: "a")
      return found != nil
    }
    #expect(found == "one")
  }

  @Test func `every cache name has a valid directory name of its own`() {
    let names = ["feeds", "Feeds", "", "..", ".", "/", "a/b", "0", String(repeating: "n", count: 300), "é", "e\u{301}", "a\0", "a"]
    let directoryNames = names.map { CacheDirectory.name(for: $0) }
    #expect(Set(directoryNames.map { $0.lowercased() }).count == names.count)
    #expect(directoryNames.allSatisfy { !$0.contains("/") && !$0.contains("\0") && $0.utf8.count < 200 && !$0.hasPrefix(".") })
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension CacheTests {
  @Test func `memory shrinks to an eighth of the limit in the background, and becomes empty on a memory warning`() async throws {
    let cache = cache(CacheCapacity(memoryBytes: 80))
    for number in 0..<8 { cache.set("\(number)234567890", forKey: "\(number)") }
    #expect(await cache.sizes().memoryBytes == 80)
    await cache.waitUntilIdle()
    notifications.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
    #expect(await cache.sizes().memoryBytes == 10)
    #expect(cache.valueInMemory(forKey: "7") == "7234567890")
    notifications.post(name: UIApplication.didReceiveMemoryWarningNotification, object: nil)
    #expect(await cache.sizes().memoryCount == 0)
    #expect(try await cache.value(forKey: "7") == "7234567890")
  }
}
#endif
