#if DEBUG
import Foundation
import Testing

@testable import FutureImage
@testable import FutureImageCache
@testable import FutureImageTesting

/// Tests that the library releases no object of an app and calls no code of an app while it holds a lock.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SentinelTests {
  /// The part of a future that retains an object of the app.
  enum Part: CaseIterable {
    case headers, data, sized, transform, memoryTier, diskTier

    /// Whether a closure replaces the request. Unlike a request, a closure starts at once, even if the loader's transfers have all slots.
    var isClosure: Bool { self == .data || self == .sized }
  }

  /// The moment at which the futures are released.
  enum Moment: CaseIterable { case waiting, running, decoding, answered, failed }

  private final class Memory: FutureImage.MemoryTier {
    let sentinel: Sentinel
    let watch: LockWatch

    init(_ sentinel: Sentinel, _ watch: LockWatch) { (self.sentinel, self.watch) = (sentinel, watch) }

    func image(forKey key: String) -> UIImage? {
      watch.called("memory tier")
      return nil
    }
    func store(_ image: UIImage, forKey key: String) { watch.called("memory tier") }
    func remove(forKey key: String) { watch.called("memory tier") }
  }

  private final class Disk: FutureImage.DiskTier {
    let sentinel: Sentinel?
    let watch: LockWatch
    let entry: FutureImage.CacheEntry?

    init(_ sentinel: Sentinel?, _ watch: LockWatch, entry: FutureImage.CacheEntry? = nil) {
      (self.sentinel, self.watch, self.entry) = (sentinel, watch, entry)
    }

    func entry(forKey key: String) async throws -> FutureImage.CacheEntry? {
      watch.called("disk tier")
      return entry
    }
    func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws { watch.called("disk tier") }
    func remove(forKey key: String) async throws { watch.called("disk tier") }
  }

  private struct WatchedClock: Clock {
    let watch: LockWatch
    private let clock = ContinuousClock()

    init(_ watch: LockWatch) { self.watch = watch }

    var now: ContinuousClock.Instant {
      watch.called("clock")
      return clock.now
    }
    var minimumResolution: Duration { clock.minimumResolution }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }

  private let watch = LockWatch()
  private let decoder = GatedDecoder()
  /// Whether closures that replace requests fail at once.
  private let fails = Observed(false)

  private func fixture(transfers: Int = 24, _ change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }) -> LoaderFixture {
    let (watch, decoder) = (watch, decoder)
    let fixture = LoaderFixture {
      $0.decoder = decoder
      $0.maxTransfers = transfers
      $0.retry = .never
      $0.onEvent = { _, _ in watch.called("onEvent") }
      $0.now = {
        watch.called("now")
        return Date()
      }
      change(&$0)
    }
    watch.watch(fixture.loader)
    return fixture
  }

  private func source(_ part: Part, _ sentinel: Sentinel, _ held: HeldFetcher) -> FutureImage.Source {
    switch part {
    case .headers:
      .url(LoaderFixture.url(), key: "a") {
        withExtendedLifetime(sentinel) { [:] }
      }
    case .data:
      .data(key: "a") {
        let data = try await body(held)
        return withExtendedLifetime(sentinel) { data }
      }
    case .sized:
      .sized(key: "a", wholeSize: CGSize(width: 64, height: 48)) { _ in
        let data = try await body(held)
        return withExtendedLifetime(sentinel) { .bytes(data) }
      }
    case .transform, .memoryTier, .diskTier: .url(LoaderFixture.url(), key: "a")
    }
  }

  private func body(_ held: HeldFetcher) async throws -> Data {
    if fails.read({ $0 }) { throw FutureImage.Failure(.status(404)) }
    let data = Observed(Data())
    try await held.fetch(FutureImage.Request(url: LoaderFixture.url())) { event in
      if case .response(let response) = event, response.status != 200 { throw FutureImage.Failure(.status(response.status)) }
      if case .bytes(let bytes) = event { data.update { $0.append(bytes) } }
    }
    return data.read { $0 }
  }

  private func future(_ part: Part, _ fixture: LoaderFixture) -> FutureImage {
    let sentinel = Sentinel("\(part)", watch)
    let policy: FutureImage.CachePolicy =
      switch part {
      case .memoryTier: .tiers(memory: Memory(sentinel, watch))
      case .diskTier: .tiers(disk: Disk(sentinel, watch))
      case .headers, .data, .sized, .transform: .modelOnly
      }
    // The transforms have the same name, so the futures share an image. Each transform owns its own sentinel.
    let transform: FutureImage.Transform? =
      part == .transform ? .custom("one") { pixels in withExtendedLifetime(sentinel) { pixels } } : nil
    return FutureImage(source(part, sentinel, fixture.held), cachePolicy: policy, transform: transform, loader: fixture.loader)
  }

  @Test(arguments: Part.allCases, Moment.allCases)
  func `objects that a future retains are released outside of locks, whenever the future is released`(part: Part, moment: Moment) async {
    let fixture = fixture(transfers: moment == .waiting ? 1 : 24)
    let blocker = moment == .waiting && !part.isClosure ? fixture.future("blocker") : nil
    if blocker != nil { await fixture.held.waitForHeld() }
    var (first, second): (FutureImage?, FutureImage?) = (future(part, fixture), future(part, fixture))
    var prefetch: FutureImage.Prefetch? = [first, second].compactMap(\.self).prefetch(\.self, fitting: .full)
    withExtendedLifetime(prefetch) {}
    if moment == .decoding { decoder.close() }
    if moment != .waiting || part.isClosure { await fixture.held.waitForHeld() }
    switch moment {
    case .waiting, .running: break
    case .decoding:
      fixture.held.resolve(with: SampleImage.jpeg())
      await decoder.waitForHeld()
    case .answered:
      fixture.held.resolve(with: SampleImage.jpeg())
      await fixture.loader.waitForIdle()
    case .failed:
      // If one future requests its pixels after the pixels of the other future have failed, the closure is called again. That call must
      // fail, too.
      fails.update { $0 = true }
      fixture.held.answer(nil, FutureImage.Response(status: 404))
      await fixture.loader.waitForIdle()
    }
    // The first future has made the first request, so the job retains the objects of that future.
    prefetch = nil
    if moment == .answered || moment == .failed { await alone(&first) }
    first = nil
    second = nil
    decoder.open()
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    await watch.waitForReleases(2)
    #expect(watch.faults == [])
    withExtendedLifetime(blocker) {}
  }

  @Test func `objects that a transform retains are released outside of locks when the pool evicts the pixels`() async throws {
    let fixture = fixture { $0.maxPixelBytes = 64 * 48 * 4 * 3 / 2 }
    for name in ["a", "b", "c", "d", "e", "f"] {
      let sentinel = Sentinel("transform", watch)
      let future = FutureImage(
        at: LoaderFixture.url(name), transform: .custom("one") { pixels in withExtendedLifetime(sentinel) { pixels } },
        loader: fixture.loader)
      await fixture.held.waitForHeld()
      fixture.held.resolve(with: SampleImage.jpeg())
      _ = try await future.value
    }
    await fixture.loader.waitForIdle()
    await watch.waitForReleases(3)
    #expect(watch.faults == [])
  }

  // MARK: Errors

  private struct Fault: Error {
    let sentinel: Sentinel
  }

  private struct WatchedError: Error, CustomStringConvertible {
    let watch: LockWatch

    var description: String {
      watch.called("description")
      return "watched error"
    }
  }

  @Test func `an app's error is released outside of locks when a reload succeeds`() async {
    let fixture = fixture()
    let fails = Observed(true)
    let source = FutureImage.Source.data(key: "a") { [watch] in
      if fails.read({ $0 }) { throw Fault(sentinel: Sentinel("error", watch)) }
      return SampleImage.jpeg()
    }
    let future = FutureImage(source, loader: fixture.loader)
    await fixture.loader.waitForIdle()
    fails.update { $0 = false }
    future.reload()
    await fixture.loader.waitForIdle()
    await watch.waitForReleases(1)
    #expect(watch.faults == [])
  }

  @Test func `a remembered error of an app is released outside of locks when it is forgotten`() async {
    let fixture = fixture()
    fixture.loader.state.withLock { $0.pictures = Registry(limit: 100) }
    for batch in 0..<4 {
      let futures = (0..<50).map { number in
        FutureImage(.data(key: "\(batch) \(number)") { [watch] in throw Fault(sentinel: Sentinel("error", watch)) }, loader: fixture.loader)
      }
      for future in futures { _ = try? await future.value }
    }
    await fixture.loader.waitForIdle()
    await watch.waitForReleases(100)
    #expect(watch.faults == [])
  }

  @Test func `the description of a tier's error is read outside of locks`() async {
    final class Broken: FutureImage.DiskTier {
      let watch: LockWatch
      init(_ watch: LockWatch) { self.watch = watch }
      func entry(forKey key: String) async throws -> FutureImage.CacheEntry? { throw WatchedError(watch: watch) }
      func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws { throw WatchedError(watch: watch) }
      func remove(forKey key: String) async throws {}
    }
    let fixture = fixture()
    let future = fixture.future(policy: .tiers(disk: Broken(watch)))
    await fixture.serve()
    #expect(fixture.loader.statistics.lastCacheFault == "watched error")
    #expect(watch.calls > 0)
    #expect(watch.faults == [])
    withExtendedLifetime(future) {}
  }

  // MARK: Clocks

  @Test func `the time of day is read outside of locks, even after a failed revalidation`() async {
    let day = Observed(Date())
    let fixture = fixture { [watch] in
      $0.now = {
        watch.called("now")
        return day.read { $0 }
      }
    }
    let future = fixture.future()
    await fixture.serve(headers: ["cache-control": "max-age=60"])
    _ = try? await future.value(fitting: .full)
    day.update { $0 += 100 }
    let other = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.failures == 1)
    #expect(watch.faults == [])
    withExtendedLifetime((future, other)) {}
  }

  @Test func `the clock is read outside of locks when a new future gets a remembered failure`() async {
    let fixture = fixture { [watch] in $0.clock = WatchedClock(watch) }
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    let other = fixture.future()
    await fixture.loader.waitForIdle()
    #expect(other.failure?.reason == .status(404))
    #expect(fixture.held.requests.count == 1)
    #expect(watch.faults == [])
    withExtendedLifetime((future, other)) {}
  }

  // MARK: Closures and bytes

  @Test func `waiters' closures are released outside of locks, whether the waiters are answered or canceled`() async {
    let fixture = fixture()
    let future = fixture.future()
    for _ in 0..<2 {
      let (answered, cancelled) = (Sentinel("waiter", watch), Sentinel("waiter", watch))
      future.whenReady { _ in withExtendedLifetime(answered) {} }
      let task = Task { [cancelled] in
        _ = try? await future.value
        withExtendedLifetime(cancelled) {}
      }
      await fixture.held.waitForHeld()
      // A task that starts to wait after both cancellations would make a new request.
      await waitWhile(future.waiterCount < 2)
      task.cancel()
      future.cancel()
    }
    await fixture.loader.waitForIdle()
    await watch.waitForReleases(4)
    #expect(watch.faults == [])
  }

  @Test func `the closure of a lazy future is released outside of locks`() {
    let fixture = fixture()
    let lazy: FutureImage.LazyFuture
    do {
      let sentinel = Sentinel("make", watch)
      lazy = FutureImage.LazyFuture { withExtendedLifetime(sentinel) { fixture.future() } }
    }
    _ = lazy.future
    #expect(watch.releases == 1)
    #expect(watch.faults == [])
  }

  @Test func `a tier's bytes are released outside of locks`() async throws {
    let jpeg = SampleImage.jpeg()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: jpeg.count, alignment: 1)
    jpeg.copyBytes(to: memory.assumingMemoryBound(to: UInt8.self), count: jpeg.count)
    let fixture = fixture()
    do {
      let sentinel = Sentinel("bytes", watch)
      // Only the deallocator frees the memory, when nothing reads the bytes anymore.
      let body = Data(
        bytesNoCopy: memory, count: jpeg.count,
        deallocator: .custom { memory, _ in
          withExtendedLifetime(sentinel) {}
          memory.deallocate()
        })
      var future: FutureImage? = fixture.future(policy: .tiers(disk: Disk(nil, watch, entry: FutureImage.CacheEntry(body: body))))
      _ = try await future?.value
      await fixture.loader.waitForIdle()
      future = nil
    }
    await watch.waitForReleases(1)
    #expect(watch.faults == [])
  }

  @Test func `the closures of a configuration are released outside of locks when the loader is released`() async {
    do {
      let sentinel = Sentinel("configuration", watch)
      let fixture = fixture {
        $0.onEvent = { _, _ in withExtendedLifetime(sentinel) {} }
      }
      let future = fixture.future()
      await fixture.serve()
      withExtendedLifetime(future) {}
    }
    await watch.waitForReleases(1)
    #expect(watch.faults == [])
  }

  // MARK: Values

  private var coder: CacheCoder<Sentinel> {
    CacheCoder { [watch] _ in
      watch.called("coder")
      return Data()
    } decode: { [watch] _ in
      watch.called("coder")
      return Sentinel("value", watch)
    } cost: { [watch] _ in
      watch.called("coder")
      return 1
    }
  }

  @Test func `a cache's values are released outside of locks when they are replaced, removed, or evicted`() async throws {
    let fixture = fixture()
    let cache = Cache(
      directory: nil, as: coder, capacity: CacheCapacity(memoryCount: 2), fetching: fixture.loader)
    for key in ["a", "a", "b", "c"] { cache.set(Sentinel("value", watch), forKey: key) }
    #expect(watch.releases == 2)
    cache.remove(forKey: "b")
    cache.emptyMemory()
    #expect(watch.releases == 4)
    _ = try await cache.value(from: FutureImage.Source.data(key: "d") { Data([1]) })
    cache.remove(forKey: "d")
    await watch.waitForReleases(5)
    #expect(watch.faults == [])
  }
}
#endif
