import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage
@testable import FutureImageCache

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CacheFetchTests {
  private typealias Cache = FutureImageCache.Cache<String>

  private let held = HeldFetcher()
  private let directory = Scratch.folder()
  private let cache: Cache

  init() {
    cache = Cache(directory: directory, as: .string, variants: [Self.shout], fetching: FutureImage.Loader(.held(by: held)))
  }

  private static let shout = Cache.Variant("shout") { $0.uppercased() }

  private func reopenedCache() -> Cache {
    Cache(directory: directory, as: .string, variants: [Self.shout], fetching: FutureImage.Loader(.held(by: held)))
  }

  /// Returns when this many calls wait for the URL's value. If a test ended their shared job before all of them had joined it, the other
  /// calls would start another job.
  private func waitForCallers(_ count: Int) async {
    let job = Cache.Job(key: FutureImage.Source.url(LoaderFixture.url()).key, changes: 0)
    await waitWhile(cache.finding.state.withLock({ $0.jobs[job]?.waiters.count ?? 0 }) < count)
  }

  @Test func `many callers share one transfer, whose body and ETag are stored`() async throws {
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 { group.addTask { try await cache.value(from: LoaderFixture.url()) } }
      await held.waitForHeld()
      held.resolve(with: Data("text".utf8), headers: ["etag": "\"e\""])
      for try await value in group { #expect(value == "text") }
    }
    #expect(held.requests.count == 1)
    #expect(try await cache.value(from: LoaderFixture.url()) == "text")
    await cache.waitUntilIdle()
    #expect(try await reopenedCache().value(from: LoaderFixture.url()) == "text")
    #expect(held.requests.count == 1)
    let key = FutureImage.Source.url(LoaderFixture.url()).key
    #expect(try await cache.disks[""]?.entry(forKey: key)?.eTag == "\"e\"")
  }

  @Test func `a no-store response and its variants are stored only in memory`() async throws {
    let key = FutureImage.Source.url(LoaderFixture.url()).key
    let value = Task { try await cache.value(from: LoaderFixture.url(), as: Self.shout) }
    await held.waitForHeld()
    held.resolve(with: Data("secret".utf8), headers: ["cache-control": "no-store"])
    #expect(try await value.value == "SECRET")
    await cache.waitUntilIdle()
    #expect(cache.valueInMemory(forKey: key) == "secret")
    #expect(cache.valueInMemory(forKey: key, as: Self.shout) == "SECRET")
    let later = reopenedCache()
    #expect(try await later.value(forKey: key) == nil)
    #expect(try await later.value(forKey: key, as: Self.shout) == nil)
  }

  @Test func `a transfer is canceled only when its last waiter is canceled`() async throws {
    let (first, second) = (
      Task { try await cache.value(from: LoaderFixture.url()) }, Task { try await cache.value(from: LoaderFixture.url()) }
    )
    await waitForCallers(2)
    await held.waitForHeld()
    first.cancel()
    await #expect(throws: FutureImage.Failure(.cancelled, key: FutureImage.Source.url(LoaderFixture.url()).key)) { try await first.value }
    #expect(held.cancelledCount == 0)
    second.cancel()
    await held.waitForCancellations()
    await #expect(throws: FutureImage.Failure.self) { try await second.value }
    // Nothing remains of the canceled transfer, so the next call starts a new transfer.
    let third = Task { try await cache.value(from: LoaderFixture.url()) }
    await held.waitForRequests(2)
    held.resolve(with: Data("late".utf8))
    #expect(try await third.value == "late")
  }

  @Test func `a task that is already canceled throws without waiting`() async throws {
    let task = Task {
      await waitWhile(!Task.isCancelled)
      return try await cache.value(from: LoaderFixture.url())
    }
    task.cancel()
    await #expect(throws: FutureImage.Failure.self) { try await task.value }
  }

  @Test func `all waiters get the same failure, and the next call fetches again`() async throws {
    let tasks = (0..<5).map { _ in Task { try await cache.value(from: LoaderFixture.url()) } }
    await waitForCallers(5)
    await held.waitForHeld()
    held.fail(nil, .refused("no"))
    for task in tasks {
      let failure = await #expect(throws: FutureImage.Failure.self) { try await task.value }
      #expect(failure?.reason == .refused("no"))
      #expect(failure?.key == FutureImage.Source.url(LoaderFixture.url()).key)
    }
    let next = Task { try await cache.value(from: LoaderFixture.url()) }
    await held.waitForHeld()
    held.resolve(with: Data("now".utf8))
    #expect(try await next.value == "now")
  }

  @Test func `while a fetch waits for its next attempt, it does not count toward the maximum number of transfers`() async throws {
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.maxTransfersPerHost = 1
    let clock = ManualClock()
    configuration.clock = clock
    let cache = Cache(directory: directory, as: .string, fetching: FutureImage.Loader(configuration))
    let first = Task { try await cache.value(from: LoaderFixture.url("first")) }
    await held.waitForHeld()
    held.fail(nil, .status(503))
    await clock.waitForSleepers()
    let second = Task { try await cache.value(from: LoaderFixture.url("second")) }
    await held.waitForHeld()
    held.resolve(with: Data("second".utf8))
    #expect(try await second.value == "second")
    clock.advance(by: .seconds(10))
    await held.waitForHeld()
    held.resolve(with: Data("first".utf8))
    #expect(try await first.value == "first")
    #expect(held.requests.count == 3)
  }

  @Test func `if the coder cannot decode a fetched body, the fetch fails and nothing is stored`() async throws {
    let task = Task { try await cache.value(from: LoaderFixture.url()) }
    await held.waitForHeld()
    held.resolve(with: Data([0xFF]))
    let failure = await #expect(throws: FutureImage.Failure.self) { try await task.value }
    #expect(failure?.reason == .undecodable("it is not UTF-8"))
    await cache.waitUntilIdle()
    #expect(await cache.sizes() == CacheSizes())
  }

  @Test func `a source may be a closure, and a data URL needs no fetcher`() async throws {
    #expect(try await cache.value(from: .data(key: "made") { Data("made".utf8) }) == "made")
    #expect(try await cache.value(forKey: "made") == "made")
    #expect(try await cache.value(from: #require(URL(string: "data:,plain"))) == "plain")
    #expect(held.requests.isEmpty)
  }

  @Test func `a value that is set during a fetch is not replaced, and a call after a removal starts a new fetch`() async throws {
    let key = FutureImage.Source.url(LoaderFixture.url()).key
    let task = Task { try await cache.value(from: LoaderFixture.url()) }
    await held.waitForHeld()
    cache.set("mine", forKey: key)
    held.resolve(with: Data("theirs".utf8))
    #expect(try await task.value == "theirs")
    #expect(cache.valueInMemory(forKey: key) == "mine")
    cache.remove(forKey: key)
    let second = Task { try await cache.value(from: LoaderFixture.url()) }
    await held.waitForHeld()
    cache.remove(forKey: key)
    // A call made after the removal does not join a call made before the removal.
    let third = Task { try await cache.value(from: LoaderFixture.url()) }
    await held.waitForHeld(2)
    held.resolve(with: Data("new".utf8))
    #expect(try await [second.value, third.value] == ["new", "new"])
    #expect(held.requests.count == 3)
    #expect(cache.valueInMemory(forKey: key) == "new")
  }

  @Test func `a call after a removal does not join a lookup that has read the removed value`() async throws {
    cache.set("old", forKey: "k")
    let gate = Signal()
    // A lookup that has found its value and is about to return the value.
    let search = Task {
      try await cache.finding.value(of: Cache.Job(key: "k", fetches: false, changes: 0)) {
        await gate.wait()
        return CacheBox("old")
      }
    }
    await waitForSearchers(1)
    cache.emptyMemory()
    await cache.waitUntilIdle()
    let early = Task { try await cache.value(forKey: "k") }
    await waitForSearchers(2)
    cache.remove(forKey: "k")
    let late = Task { try await cache.value(forKey: "k") }
    // Waits until the late call has joined the lookup, which would be wrong, or has its own result.
    let answer = LockedValue<String?>()
    let recording = Task { answer.value = .some(try await late.value) }
    await waitWhile(answer.value == nil && searchers < 3)
    gate.send()
    try await recording.value
    #expect(try await late.value == nil)
    #expect(try await early.value == "old")
    _ = try await search.value
  }

  private var searchers: Int {
    cache.finding.state.withLock { $0.jobs[Cache.Job(key: "k", fetches: false, changes: 0)]?.waiters.count ?? 0 }
  }

  private func waitForSearchers(_ count: Int) async {
    await waitWhile(searchers < count)
  }

  @Test func `transfers do not exceed the configured maximum, and reads of stored values do not wait for transfers`() async throws {
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.maxTransfersPerHost = 2
    let cache = Cache(directory: directory, as: .string, fetching: FutureImage.Loader(configuration))
    cache.set("kept", forKey: FutureImage.Source.url(LoaderFixture.url("kept")).key)
    await cache.waitUntilIdle()
    cache.emptyMemory()
    let tasks = (0..<6).map { number in Task { try await cache.value(from: LoaderFixture.url("\(number)")) } }
    await held.waitForHeld(2)
    #expect(try await cache.value(from: LoaderFixture.url("kept")) == "kept")
    for number in 1...6 {
      await held.waitForRequests(min(6, number + 1))
      #expect(held.heldCount <= 2)
      held.resolve(with: Data("x".utf8))
    }
    for task in tasks { #expect(try await task.value == "x") }
  }

  // MARK: Variants

  @Test func `the original and its variants share one transfer, and each is stored separately`() async throws {
    async let original = cache.value(from: LoaderFixture.url())
    async let shouted = cache.value(from: LoaderFixture.url(), as: Self.shout)
    await held.waitForHeld()
    held.resolve(with: Data("text".utf8))
    #expect(try await [original, shouted] == ["text", "TEXT"])
    await cache.waitUntilIdle()
    #expect(held.requests.count == 1)
    #expect(await cache.sizes(of: .original).diskCount == 1)
    #expect(await cache.sizes(of: Self.shout).memoryBytes == 4)
    #expect(await cache.sizes().diskCount == 2)
    try await cache.removeAll(.original)
    #expect(try await reopenedCache().value(from: LoaderFixture.url(), as: Self.shout) == "TEXT")
    try await cache.removeAll(Self.shout)
    #expect(await cache.sizes() == CacheSizes())
  }

  @Test func `simultaneous callers of a variant cause only one run of its transform`() async throws {
    let count = Lock(0)
    let form = Cache.Variant("counted") { text in
      count.withLock { $0 += 1 }
      return text + "!"
    }
    let cache = Cache(directory: directory, as: .string, variants: [form])
    cache.set("a", forKey: "k")
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<20 { group.addTask { try await cache.value(forKey: "k", as: form) } }
      for try await value in group { #expect(value == "a!") }
    }
    #expect(count.withLock { $0 } == 1)
    #expect(try await cache.value(forKey: "other", as: form) == nil)
  }

  @Test func `a new original removes its variants from memory and disk`() async throws {
    cache.set("old", forKey: "k")
    #expect(try await cache.value(forKey: "k", as: Self.shout) == "OLD")
    await cache.waitUntilIdle()
    let second = reopenedCache()
    second.set("new", forKey: "k")
    #expect(try await second.value(forKey: "k", as: Self.shout) == "NEW")
    await second.waitUntilIdle()
    #expect(try await reopenedCache().value(forKey: "k", as: Self.shout) == "NEW")
    second.remove(forKey: "k")
    #expect(try await second.value(forKey: "k", as: Self.shout) == nil)
  }

  @Test func `a variant has its own capacity`() async throws {
    let small = Cache.Variant("small", CacheCapacity(memoryCount: 2, diskBytes: 0)) { $0 + "." }
    let cache = Cache(directory: directory, as: .string, variants: [small])
    for number in 0..<5 {
      cache.set("\(number)", forKey: "\(number)")
      #expect(try await cache.value(forKey: "\(number)", as: small) == "\(number).")
    }
    #expect(await cache.sizes(of: small).memoryCount == 2)
    #expect(await cache.sizes(of: .original).memoryCount == 5)
    await cache.waitUntilIdle()
    #expect(await cache.sizes(of: small).diskCount == 0)
  }

  @Test func `a variant that was not passed to the cache's initializer is made but not stored`() async throws {
    let other = Cache.Variant("other") { $0 + "?" }
    cache.set("a", forKey: "k")
    #expect(try await cache.value(forKey: "k", as: other) == "a?")
    #expect(cache.valueInMemory(forKey: "k", as: other) == nil)
  }

  @Test func `if the transform of a variant throws, the call fails, and the original value is not removed`() async throws {
    struct Broken: Error {}
    let broken = Cache.Variant("broken") { _ in throw Broken() }
    let cache = Cache(directory: directory, as: .string, variants: [broken])
    cache.set("a", forKey: "k")
    let failure = await #expect(throws: FutureImage.Failure.self) { try await cache.value(forKey: "k", as: broken) }
    #expect(failure?.reason == .transformFailed("the variant “broken” failed; check its transform (Broken())"))
    #expect(failure?.underlying is Broken)
    #expect(try await cache.value(forKey: "k") == "a")
  }
}
