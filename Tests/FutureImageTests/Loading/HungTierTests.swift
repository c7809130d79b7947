import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage
@testable import FutureImageCache

/// Tiers that hang, which must not delay other tiers.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HungTierTests {
  private let fixture = LoaderFixture()

  /// Returns the given number of futures whose lookups hang. The number may exceed every limit on lookups.
  private func hang(_ tier: HeldTier, count: Int) async -> [FutureImage] {
    tier.holdReads()
    let futures = (0..<count).map { fixture.future("hung \($0)", policy: .tiers(disk: tier)) }
    // Eight lookups of a tier run at once.
    await tier.waitForReads(8)
    return futures
  }

  @Test(arguments: [8, 300]) func `reads that hang in one tier block no other tier`(count: Int) async throws {
    let (hung, other) = (HeldTier(), HeldTier(TestColor.red.jpeg()))
    let futures = await hang(hung, count: count)
    let future = fixture.future("other", policy: .tiers(disk: other))
    #expect(TestColor.red.isNearly(try await future.value.color))
    withExtendedLifetime(futures) {}
  }

  @Test func `reads that hang in one folder do not block reads of files in another folder`() async throws {
    let temporary = try TemporaryDirectory()
    for folder in ["hung", "other"] {
      try FileManager.default.createDirectory(at: temporary.file(folder), withIntermediateDirectories: false)
      for number in 0..<8 { try TestColor.red.jpeg().write(to: temporary.file("\(folder)/\(number)")) }
    }
    let mayGoOn = DispatchSemaphore(value: 0)
    let hung = (0..<8).map { number in
      let files = FaultyFileSystem()
      files.before(.open) { mayGoOn.wait() }
      return fixture.future("\(number)", policy: .tiers(disk: FutureImage.FileTier(temporary.file("hung/\(number)"), files: files)))
    }
    let tier = FutureImage.FileTier(temporary.file("other/0"))
    let future = fixture.future("other", policy: .tiers(disk: tier))
    #expect(TestColor.red.isNearly(try await future.value.color))
    for _ in hung { mayGoOn.signal() }
    await fixture.loader.waitForIdle()
  }

  @Test func `an older image never overwrites a newer image in the same file, even if two tiers reach the file by different paths`()
    async throws
  {
    let temporary = try TemporaryDirectory()
    try FileManager.default.createDirectory(at: temporary.file("real"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(at: temporary.file("link"), withDestinationURL: temporary.file("real"))
    let files = FaultyFileSystem()
    let (isMoving, mayMove) = (Signal(), DispatchSemaphore(value: 0))
    files.before(.move) {
      isMoving.send()
      mayMove.wait()
    }
    let old = fixture.future("a", policy: .tiers(disk: FutureImage.FileTier(temporary.file("link/f"), files: files)))
    await fixture.held.waitForRequests()
    fixture.held.resolve(LoaderFixture.url("a"), with: TestColor.red.jpeg())
    await isMoving.wait()
    let new = fixture.future("b", policy: .tiers(disk: FutureImage.FileTier(temporary.file("real/f"))))
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(LoaderFixture.url("b"), with: TestColor.blue.jpeg())
    _ = try await new.value
    let settling = Task { await fixture.loader.waitForIdle() }
    // If the two writes were not ordered, the newer image would be written here.
    for _ in 0..<1000 { await Task.yield() }
    mayMove.signal()
    await settling.value
    #expect(try Data(contentsOf: temporary.file("real/f")) == TestColor.blue.jpeg())
    withExtendedLifetime(old) {}
  }

  @Test func `a cached value that is replaced before it is written is released outside of the lock`() async throws {
    final class Value: Sendable {
      let onRelease: @Sendable () -> Void
      init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }
    let coder = CacheCoder<Value>(encode: { _ in Data([1]) }, decode: { _ in Value {} }, cost: { _ in 1 })
    let temporary = try TemporaryDirectory()
    let files = FaultyFileSystem()
    let (isWriting, mayGoOn) = (Signal(), DispatchSemaphore(value: 0))
    files.before(.openNew) {
      isWriting.send()
      mayGoOn.wait()
    }
    let cache = Cache<Value>(
      directory: temporary.file("cache"), as: coder, capacity: CacheCapacity(memoryBytes: 0), variants: [],
      fetching: fixture.loader, files: files, notifications: NotificationCenter(), now: { Date() })
    cache.set(Value {}, forKey: "a")
    await isWriting.wait()
    let released = Signal()
    // The release of this value calls the cache. Inside the cache's lock, this call could not acquire the lock.
    cache.set(
      Value { [weak cache] in
        _ = cache?.valueInMemory(forKey: "a")
        released.send()
      }, forKey: "a")
    cache.set(Value {}, forKey: "a")
    await released.wait()
    mayGoOn.signal()
    await cache.waitUntilIdle()
  }
}
