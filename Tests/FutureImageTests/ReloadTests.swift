import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReloadTests {
  let fixture = LoaderFixture(disk: .temporary())

  @Test func `all views of a key show the old image during a reload, and the new image after the reload`() async {
    let (first, second) = (fixture.future(), fixture.future())
    let views = [imageView(150), imageView(1200), imageView(150)]
    views[0].futureImage = first
    views[1].futureImage = first
    views[2].futureImage = second
    await fixture.serve()
    let old = views.map(\.image)
    #expect(!old.contains { $0 == nil || $0 is FutureImage })
    first.reload()
    await fixture.held.waitForRequests(2)
    #expect(zip(views, old).allSatisfy { $0.image === $1 })
    guard case .ready = first.phase else { return #expect(Bool(false), "\(first.phase)") }
    fixture.held.resolve(with: SampleImage.jpeg(1600, 1200))
    await fixture.loader.waitForIdle()
    #expect(views.allSatisfy { $0.image?.size == CGSize(width: 1600, height: 1200) })
    // An eighth of 1600 pixels is enough for 150 pixels, and six eighths are enough for 1200 pixels.
    #expect(views.map { $0.image?.cgImage?.width } == [200, 1200, 200])
  }

  @Test func `if an image is shown in only one size, a reload decodes the new image once`() async {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture(disk: .temporary()) { $0.decoder = decoder }
    let future = fixture.future()
    let view = imageView(150)
    view.futureImage = future
    await fixture.serve()
    let before = (decoder.count, fixture.loader.statistics.decodes)
    future.reload()
    await fixture.held.waitForRequests(2)
    await fixture.serve("a", SampleImage.jpeg(1600, 1200))
    #expect(view.image?.cgImage?.width == 200)
    #expect((decoder.count - before.0, fixture.loader.statistics.decodes - before.1) == (1, 1))
  }

  @Test func `a view shows a reloaded image of the same size without searching the pool for its pixels`() async {
    let future = fixture.future()
    let view = imageView(16)
    view.futureImage = future
    await fixture.serve("a", TestColor.red.jpeg())
    let hits = fixture.loader.statistics.poolHits
    future.reload()
    await fixture.held.waitForRequests(2)
    await fixture.serve("a", TestColor.blue.jpeg())
    #expect(TestColor.blue.isNearly(view.image?.color))
    #expect(view.futureImage == nil)
    #expect(fixture.loader.statistics.poolHits == hits)
  }

  @Test func `a reloaded image becomes visible to the main actor only together with its decoded pixels`() async {
    let memory = HeldMemory()
    let future = fixture.future(policy: .tiers(memory: memory))
    let view = imageView(16)
    view.futureImage = future
    await fixture.serve("a", TestColor.red.jpeg())
    await memory.hold(.remove)
    let hits = fixture.loader.statistics.poolHits
    future.reload()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: TestColor.blue.jpeg())
    await memory.waitForHeld()
    // If the new image were already visible, the loader would measure the view in this turn of the main actor. It would then find the
    // pixels in the pool, and count a pool hit.
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    memory.release()
    await fixture.loader.waitForIdle()
    #expect(TestColor.blue.isNearly(view.image?.color))
    #expect(fixture.loader.statistics.poolHits == hits)
  }

  @Test func `a 304 response causes no decode and leaves the views unchanged`() async throws {
    let future = fixture.future()
    let view = imageView(150)
    view.futureImage = future
    await fixture.serve(headers: ["etag": "\"1\""])
    let (before, decodes) = (view.image, fixture.loader.statistics.decodes)
    future.reload()
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.headers["If-None-Match"] == "\"1\"")
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    await fixture.loader.waitForIdle()
    #expect(view.image === before)
    #expect(fixture.loader.statistics.decodes == decodes)
    #expect(future.failure == nil)
  }

  @Test func `a reload that receives the same bytes causes no decode`() async {
    let future = fixture.future()
    let view = imageView(150)
    view.futureImage = future
    await fixture.serve()
    let decodes = fixture.loader.statistics.decodes
    future.reload()
    await fixture.held.waitForRequests(2)
    await fixture.serve()
    #expect(fixture.loader.statistics.decodes == decodes)
  }

  @Test func `a failed reload leaves the old image in place`() async {
    let future = fixture.future()
    let view = imageView(150)
    view.futureImage = future
    await fixture.serve()
    let before = view.image
    future.reload()
    await fixture.held.waitForRequests(2)
    fixture.held.answer(nil, FutureImage.Response(status: 403))
    await fixture.loader.waitForIdle()
    #expect(view.image === before)
    let detail = imageView(1200)
    detail.futureImage = future
    await fixture.loader.waitForIdle()
    #expect(detail.image?.cgImage?.width == 1200)
    #expect(fixture.held.requests.count == 2)
  }

  @Test func `a reload after a failure starts a new transfer`() async throws {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    future.reload()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    _ = try await future.value
  }

  @Test func `a reload stores the new image on disk`() async throws {
    let disk = FutureImage.DiskCache.temporary()
    let fixture = LoaderFixture(disk: disk)
    let future = fixture.future()
    await fixture.serve()
    future.reload()
    await fixture.held.waitForRequests(2)
    let new = SampleImage.jpeg(200, 100)
    await fixture.serve("a", new)
    #expect(try await disk.entry(forKey: future.key)?.body == new)
  }

  @Test func `while a reload runs, another future gets the old image from disk, which stays in place if the reload fails`() async {
    let fixture = LoaderFixture(disk: .temporary()) { $0.retry = .never }
    let first = fixture.future()
    await fixture.serve()
    first.reload()
    await fixture.held.waitForRequests(2)
    let view = imageView(150)
    let second = fixture.future()
    view.futureImage = second
    await waitWhile(view.image === second)
    #expect(fixture.held.heldCount == 1)
    fixture.held.fail(nil, .transport(.offline))
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 150)
    #expect(second.failure == nil)
  }

  @Test func `a reload with an undecodable image leaves the old image in place`() async throws {
    let (disk, old) = (FutureImage.DiskCache.temporary(), TestColor.red.jpeg(640, 480))
    let fixture = LoaderFixture(disk: disk)
    let futures = [fixture.future(), fixture.future()]
    let view = imageView(64)
    view.display(futures[0], .init(failureImage: SampleImage.image(30, 30)))
    await fixture.serve("a", old)
    let before = view.image
    futures[1].reload()
    await fixture.held.waitForRequests(2)
    let waiting = Task { try await futures[1].value }
    await waitWhile(futures[1].waiterCount == 0)
    let whole = SampleImage.noise(640, 480)
    await fixture.serve("a", whole.prefix(whole.count / 2))
    #expect(view.image === before)
    #expect(TestColor.red.isNearly(try await waiting.value.color))
    #expect(futures.allSatisfy { $0.failure == nil })
    #expect(try await disk.entry(forKey: futures[0].key)?.body == old)
    fixture.loader.removeCachedPixels()
    let detail = imageView(640)
    detail.futureImage = futures[0]
    await fixture.loader.waitForIdle()
    #expect(TestColor.red.isNearly(detail.image?.color))
    #expect(fixture.held.requests.count == 2)
  }

  @Test func `a stale image stays if its revalidation returns an image that cannot be decoded`() async throws {
    let (first, view) = (fixture.future(), imageView(64))
    view.futureImage = first
    await fixture.serve("a", TestColor.red.jpeg(), headers: ["cache-control": "max-age=0"])
    let second = fixture.future()
    await fixture.held.waitForRequests(2)
    let whole = SampleImage.noise(640, 480)
    await fixture.serve("a", whole.prefix(whole.count / 2))
    #expect(TestColor.red.isNearly(view.image?.color))
    for future in [first, second] { #expect(TestColor.red.isNearly(try await future.value.color)) }
  }

  @Test func `an image that is in no cache remains if the new image of a reload cannot be decoded`() async throws {
    let future = fixture.future(policy: .modelOnly)
    await fixture.serve("a", TestColor.red.jpeg())
    future.reload()
    await fixture.held.waitForRequests(2)
    let whole = SampleImage.noise(640, 480)
    await fixture.serve("a", whole.prefix(whole.count / 2))
    #expect(TestColor.red.isNearly(try await future.value.color))
    #expect(fixture.held.requests.count == 2)
  }

  @Test func `a reload after a failure reports that the new bytes cannot be decoded`() async {
    let future = fixture.future()
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    future.reload()
    let view = imageView(64)
    view.futureImage = future
    await fixture.held.waitForRequests(2)
    let whole = SampleImage.noise(640, 480)
    await fixture.serve("a", whole.prefix(whole.count / 2))
    #expect(future.failure?.reason.isUndecodable == true)
  }

  @Test func `a reload after a failed fetch decodes nothing until pixels are needed`() async {
    let (future, whole) = (fixture.future(), SampleImage.noise(640, 480))
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    future.reload()
    await fixture.held.waitForRequests(2)
    await fixture.serve("a", whole.prefix(whole.count / 2))
    #expect(future.phase.name == "fetched")
  }

  @Test func `the first fetch of a future decodes nothing in advance, even if another future has the image`() async {
    let whole = SampleImage.noise(640, 480)
    let first = fixture.future(policy: .tiers(disk: HeldTier(TestColor.red.jpeg())))
    await fixture.loader.waitForIdle()
    #expect(first.phase.name == "fetched")
    let second = fixture.future(policy: .modelOnly)
    await fixture.serve("a", whole.prefix(whole.count / 2))
    #expect(second.phase.name == "fetched")
    withExtendedLifetime(first) {}
  }

  // Each time that a failure becomes visible, the loader measures the view. If it then requested the missing pixels again, the transform
  // would fail again and again.
  @Test @MainActor func `a transform that has failed runs once more when a reload starts, and once more when that reload ends`()
    async throws
  {
    let (fixture, count) = (LoaderFixture { $0.retry = .never }, Lock(0))
    let failing = FutureImage.Transform.custom("failing") { _ in
      count.withLock { $0 += 1 }
      throw FutureImage.Failure(.transformFailed("no"))
    }
    let (future, view) = (
      FutureImage(.url(LoaderFixture.url()), cachePolicy: .modelOnly, transform: failing, loader: fixture.loader), imageView(64)
    )
    view.futureImage = future
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg(64, 48))
    await fixture.loader.waitForIdle()
    #expect(count.withLock { $0 } == 1)
    future.reload()
    await fixture.held.waitForHeld()
    await waitWhile(fixture.loader.decodeCount > 0 || count.withLock({ $0 }) < 2)
    for _ in 0..<1_000 { await Task.yield() }
    #expect(count.withLock { $0 } == 2)
    fixture.held.fail()
    try await fixture.loader.waitUntilIdle(within: .seconds(30))
    #expect(count.withLock { $0 } == 3)
    guard case .transformFailed = future.failure?.reason else {
      Issue.record("\(future.phase)")
      return
    }
  }
}
