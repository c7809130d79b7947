import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage
@testable import FutureImageCache

/// The queue of a cache's writes, the stored variants, and calls whose fetch fails or that are canceled.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CacheWritingTests {
  private typealias Cache = FutureImageCache.Cache<String>

  private static let shout = Cache.Variant("shout") { $0.uppercased() }

  private let fixture: DiskCacheFixture
  private let held = HeldFetcher()
  // This clock does not advance, so no write starts merely because it has waited long enough.
  private let time = EndingClock()
  private let retries = EndingClock()
  private let writes: WriteBehind

  init() throws {
    fixture = try DiskCacheFixture()
    writes = WriteBehind(clock: time.manual)
  }

  private func cache(
    _ variants: [Cache.Variant] = [], change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  ) -> Cache {
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.writes = writes
    change(&configuration)
    return Cache(
      directory: fixture.directory, as: .string, capacity: CacheCapacity(), variants: variants,
      fetching: FutureImage.Loader(configuration), files: fixture.files, notifications: NotificationCenter(), now: { Date() })
  }

  // MARK: Writes

  @Test func `the write of a value starts as soon as the app sets the value`() async throws {
    let cache = cache()
    cache.set("one", forKey: "a")
    try #require(writes.waitingCount(of: cache) == 0)
    await cache.waitUntilIdle()
    #expect(try await self.cache().value(forKey: "a") == "one")
  }

  @Test func `a write that waits for another cache's write of the same file starts when that write ends`() async throws {
    let (first, second) = (cache(), cache())
    let (isWriting, mayGoOn) = (Signal(), DispatchSemaphore(value: 0))
    fixture.files.before(.openNew) {
      isWriting.send()
      mayGoOn.wait()
    }
    first.set("1", forKey: "a")
    await isWriting.wait()
    second.set("2", forKey: "a")
    #expect(writes.waitingCount(of: second) == 1)
    mayGoOn.signal()
    let end: Void? = try await within(.seconds(60)) { await second.waitUntilIdle() }
    try #require(end != nil)
    #expect(try await cache().value(forKey: "a") == "2")
  }

  @Test func `a call that waits for the writes of a value returns if the value has no writes`() async throws {
    let cache = cache()
    let end: Void? = try await within(.seconds(60)) { await cache.writes.written(TierLocation(name: "none", group: "none")) }
    #expect(end != nil)
  }

  @Test func `the size of an encoded value changes the estimate for values of unknown size`() async throws {
    let cache = FutureImageCache.Cache<[String]>(directory: Scratch.folder(), as: .json)
    let before = cache.state.withLock { $0.typicalBytes }
    cache.set(["a"], forKey: "k")
    await cache.waitUntilIdle()
    // Each encoded size contributes a quarter to the new estimate. The encoded value, `["a"]`, has 5 bytes.
    #expect(cache.state.withLock { $0.typicalBytes } == (3 * before + 5) / 4)
  }

  // MARK: Variants

  @Test func `a value can be set in a variant even if the key has no original value`() async {
    let cache = cache([Self.shout])
    cache.set("LOUD", forKey: "k", as: Self.shout)
    #expect(cache.valueInMemory(forKey: "k", as: Self.shout) == "LOUD")
    #expect(cache.valueInMemory(forKey: "k") == nil)
    await cache.waitUntilIdle()
  }

  @Test func `a fetched value is stored even if the app sets a value in a variant that was not passed to the initializer`() async throws {
    let cache = cache()
    let key = FutureImage.Source.url(LoaderFixture.url()).key
    let task = Task { try await cache.value(from: LoaderFixture.url()) }
    await held.waitForHeld()
    cache.set("other", forKey: key, as: Self.shout)
    held.resolve(with: Data("text".utf8))
    #expect(try await task.value == "text")
    #expect(cache.valueInMemory(forKey: key) == "text")
    await cache.waitUntilIdle()
  }

  @Test func `removing all values of one variant does not remove the values of other variants`() async throws {
    let cache = cache([Self.shout])
    cache.set("text", forKey: "k")
    #expect(try await cache.value(forKey: "k", as: Self.shout) == "TEXT")
    try await cache.removeAll(.original)
    #expect(cache.valueInMemory(forKey: "k") == nil)
    #expect(cache.valueInMemory(forKey: "k", as: Self.shout) == "TEXT")
    try await cache.removeAll(Self.shout)
    #expect(cache.valueInMemory(forKey: "k", as: Self.shout) == nil)
  }

  @Test(arguments: [true, false])
  func `a variant is stored if it is made from a value that the app set, whether that value is read from memory or from disk`(
    isInMemory: Bool
  )
    async throws
  {
    let cache = cache([Self.shout])
    cache.set("text", forKey: "k")
    await cache.waitUntilIdle()
    if !isInMemory { cache.emptyMemory() }
    #expect(try await cache.value(forKey: "k", as: Self.shout) == "TEXT")
    await cache.waitUntilIdle()
    #expect(await cache.sizes(of: Self.shout).diskCount == 1)
  }

  // MARK: Fetches

  @Test func `a fetch whose attempts all fail ends after the number of attempts in its retry policy`() async throws {
    let cache = cache {
      $0.clock = retries.manual
      $0.retry = FutureImage.RetryPolicy(attempts: 2)
      $0.chance = { 1 }
    }
    let task = Task { try await cache.value(from: LoaderFixture.url()) }
    await held.waitForHeld()
    held.fail(nil, .status(503))
    await retries.manual.waitForSleepers()
    retries.manual.advance(by: .seconds(10))
    await held.waitForHeld()
    held.fail(nil, .status(503))
    let end = try await within(.seconds(60)) { await task.result }
    let failure = #expect(throws: FutureImage.Failure.self) { try end?.get() }
    #expect(failure?.reason == .status(503))
    #expect(held.requests.count == 2)
  }

  @Test func `no variant is made for a caller that has been canceled`() async throws {
    let count = Lock(0)
    let form = Cache.Variant("counted") { text in
      count.withLock { $0 += 1 }
      return text
    }
    let cache = cache([form])
    cache.set("text", forKey: "k")
    await cache.waitUntilIdle()
    let (isReading, mayGoOn) = (Signal(), DispatchSemaphore(value: 0))
    fixture.files.before(.open) {
      isReading.send()
      mayGoOn.wait()
    }
    let task = Task { try await cache.value(forKey: "k", as: form) }
    await isReading.wait()
    task.cancel()
    await #expect(throws: FutureImage.Failure.self) { try await task.value }
    mayGoOn.signal()
    // The lookup continues until its read has ended.
    await waitWhile(cache.state.withLock({ !$0.watch.isEmpty }))
    #expect(count.withLock { $0 } == 0)
  }
}
