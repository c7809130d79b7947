import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReloadTests {
  let shop = Shop(disk: .temporary())

  @Test func `reload shows the old image until the new one arrives, then changes all views of all futures of the key`() async {
    let (first, second) = (shop.future(), shop.future())
    let views = [imageView(150), imageView(1200), imageView(150)]
    views[0].futureImage = first
    views[1].futureImage = first
    views[2].futureImage = second
    await shop.serve()
    let old = views.map(\.image)
    #expect(!old.contains { $0 == nil || $0 is FutureImage })
    first.reload()
    await shop.held.waitForRequests(2)
    #expect(zip(views, old).allSatisfy { $0.image === $1 })
    guard case .ready = first.phase else { return #expect(Bool(false), "\(first.phase)") }
    shop.held.resolve(with: Picture.jpeg(1600, 1200))
    await shop.loader.waitUntilSettled()
    #expect(views.allSatisfy { $0.image?.size == CGSize(width: 1600, height: 1200) })
    #expect(views.map { $0.image?.cgImage?.width } == [200, 1200, 200])
  }

  @Test func `a reload of an image that views show in one size decodes the new image once`() async {
    let decoder = GatedDecoder()
    let shop = Shop(disk: .temporary()) { $0.decoder = decoder }
    let future = shop.future()
    let view = imageView(150)
    view.futureImage = future
    await shop.serve()
    let before = (decoder.count, shop.loader.statistics.decodes)
    future.reload()
    await shop.held.waitForRequests(2)
    await shop.serve("a", Picture.jpeg(1600, 1200))
    #expect(view.image?.cgImage?.width == 200)
    #expect((decoder.count - before.0, shop.loader.statistics.decodes - before.1) == (1, 1))
  }

  @Test func `a reloaded image of the old one's size is shown without a search for its pixels`() async {
    let future = shop.future()
    let view = imageView(16)
    view.futureImage = future
    await shop.serve("a", Colour.red.jpeg())
    let hits = shop.loader.statistics.poolHits
    future.reload()
    await shop.held.waitForRequests(2)
    await shop.serve("a", Colour.blue.jpeg())
    #expect(Colour.blue.isNearly(view.image?.colour))
    #expect(view.futureImage == nil)
    #expect(shop.loader.statistics.poolHits == hits)
  }

  @Test func `the main actor never finds a new image without the pixels that were decoded for it`() async {
    let memory = HeldMemory()
    let future = shop.future(policy: .tiers(memory: memory))
    let view = imageView(16)
    view.futureImage = future
    await shop.serve("a", Colour.red.jpeg())
    await memory.hold(.remove)
    let hits = shop.loader.statistics.poolHits
    future.reload()
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Colour.blue.jpeg())
    await memory.waitForHeld()
    // A turn of the main actor, which would measure the view.
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    memory.letGo()
    await shop.loader.waitUntilSettled()
    #expect(Colour.blue.isNearly(view.image?.colour))
    #expect(shop.loader.statistics.poolHits == hits)
  }

  @Test func `a 304 response causes no decode and leaves the views unchanged`() async throws {
    let future = shop.future()
    let view = imageView(150)
    view.futureImage = future
    await shop.serve(headers: ["etag": "\"1\""])
    let (before, decodes) = (view.image, shop.loader.statistics.decodes)
    future.reload()
    await shop.held.waitForRequests(2)
    #expect(shop.held.requests.last?.headers["If-None-Match"] == "\"1\"")
    shop.held.answer(nil, FutureImage.Response(status: 304))
    await shop.loader.waitUntilSettled()
    #expect(view.image === before)
    #expect(shop.loader.statistics.decodes == decodes)
    #expect(future.failure == nil)
  }

  @Test func `receiving the same bytes again causes no decode`() async {
    let future = shop.future()
    let view = imageView(150)
    view.futureImage = future
    await shop.serve()
    let decodes = shop.loader.statistics.decodes
    future.reload()
    await shop.held.waitForRequests(2)
    await shop.serve()
    #expect(shop.loader.statistics.decodes == decodes)
  }

  @Test func `a failed reload leaves the old image in place`() async {
    let future = shop.future()
    let view = imageView(150)
    view.futureImage = future
    await shop.serve()
    let before = view.image
    future.reload()
    await shop.held.waitForRequests(2)
    shop.held.answer(nil, FutureImage.Response(status: 403))
    await shop.loader.waitUntilSettled()
    #expect(view.image === before)
    let detail = imageView(1200)
    detail.futureImage = future
    await shop.loader.waitUntilSettled()
    #expect(detail.image?.cgImage?.width == 1200)
    #expect(shop.held.requests.count == 2)
  }

  @Test func `a reload after a failure starts a new transfer`() async throws {
    let future = shop.future()
    await shop.held.waitForRequests()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.waitUntilSettled()
    future.reload()
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Picture.jpeg())
    await shop.loader.waitUntilSettled()
    _ = try await future.value
  }

  @Test func `a reload stores the new image on disk`() async throws {
    let disk = FutureImage.DiskCache.temporary()
    let shop = Shop(disk: disk)
    let future = shop.future()
    await shop.serve()
    future.reload()
    await shop.held.waitForRequests(2)
    let new = Picture.jpeg(200, 100)
    await shop.serve("a", new)
    #expect(try await disk.entry(forKey: future.key)?.body == new)
  }

  @Test func `a reload in progress hides nothing on disk, and its failure removes nothing`() async {
    let shop = Shop(disk: .temporary()) { $0.retry = .never }
    let first = shop.future()
    await shop.serve()
    first.reload()
    await shop.held.waitForRequests(2)
    let view = imageView(150)
    let second = shop.future()
    view.futureImage = second
    await waitWhile(view.image === second)
    #expect(shop.held.heldCount == 1)
    shop.held.fail(nil, .transport(.offline))
    await shop.loader.waitUntilSettled()
    #expect(view.image?.cgImage?.width == 150)
    #expect(second.failure == nil)
  }

  @Test func `a reload with an undecodable image leaves the old image in place`() async throws {
    let (disk, old) = (FutureImage.DiskCache.temporary(), Colour.red.jpeg(640, 480))
    let shop = Shop(disk: disk)
    let futures = [shop.future(), shop.future()]
    let view = imageView(64)
    view.display(futures[0], .init(failureImage: Picture.image(30, 30)))
    await shop.serve("a", old)
    let before = view.image
    futures[1].reload()
    await shop.held.waitForRequests(2)
    let waiting = Task { try await futures[1].value }
    await waitWhile(futures[1].waiterCount == 0)
    let whole = Picture.noise(640, 480)
    await shop.serve("a", whole.prefix(whole.count / 2))
    #expect(view.image === before)
    #expect(Colour.red.isNearly(try await waiting.value.colour))
    #expect(futures.allSatisfy { $0.failure == nil })
    #expect(try await disk.entry(forKey: futures[0].key)?.body == old)
    shop.loader.emptyPixelPool()
    let detail = imageView(640)
    detail.futureImage = futures[0]
    await shop.loader.waitUntilSettled()
    #expect(Colour.red.isNearly(detail.image?.colour))
    #expect(shop.held.requests.count == 2)
  }

  @Test func `a stale image stays if its replacement cannot be decoded`() async throws {
    let (first, view) = (shop.future(), imageView(64))
    view.futureImage = first
    await shop.serve("a", Colour.red.jpeg(), headers: ["cache-control": "max-age=0"])
    let second = shop.future()
    await shop.held.waitForRequests(2)
    let whole = Picture.noise(640, 480)
    await shop.serve("a", whole.prefix(whole.count / 2))
    #expect(Colour.red.isNearly(view.image?.colour))
    for future in [first, second] { #expect(Colour.red.isNearly(try await future.value.colour)) }
  }

  @Test func `an image that only its future retains stays if its replacement cannot be decoded`() async throws {
    let future = shop.future(policy: .modelOnly)
    await shop.serve("a", Colour.red.jpeg())
    future.reload()
    await shop.held.waitForRequests(2)
    let whole = Picture.noise(640, 480)
    await shop.serve("a", whole.prefix(whole.count / 2))
    #expect(Colour.red.isNearly(try await future.value.colour))
    #expect(shop.held.requests.count == 2)
  }

  @Test func `a reload after a failure reports that the new bytes cannot be decoded`() async {
    let future = shop.future()
    await shop.held.waitForRequests()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.waitUntilSettled()
    future.reload()
    let view = imageView(64)
    view.futureImage = future
    await shop.held.waitForRequests(2)
    let whole = Picture.noise(640, 480)
    await shop.serve("a", whole.prefix(whole.count / 2))
    #expect(future.failure?.reason.isUndecodable == true)
  }

  @Test func `a reload that replaces no image decodes nothing until pixels are needed`() async {
    let (future, whole) = (shop.future(), Picture.noise(640, 480))
    await shop.held.waitForRequests()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.waitUntilSettled()
    future.reload()
    await shop.held.waitForRequests(2)
    await shop.serve("a", whole.prefix(whole.count / 2))
    #expect(future.phase.name == "fetched")
  }

  @Test func `a first fetch decodes nothing until pixels are needed, whatever other futures have`() async {
    let whole = Picture.noise(640, 480)
    let first = shop.future(policy: .tiers(disk: HeldTier(Colour.red.jpeg())))
    await shop.loader.waitUntilSettled()
    #expect(first.phase.name == "fetched")
    let second = shop.future(policy: .modelOnly)
    await shop.serve("a", whole.prefix(whole.count / 2))
    #expect(second.phase.name == "fetched")
    withExtendedLifetime(first) {}
  }

  // Each failure becomes visible, and the view is measured then.
  @Test @MainActor func `a transform that failed is not repeated while a reload is under way`() async throws {
    let (shop, count) = (Shop { $0.retry = .never }, Lock(0))
    let failing = FutureImage.Transform.custom("failing") { _ in
      count.withLock { $0 += 1 }
      throw FutureImage.Failure(.transformFailed("no"))
    }
    let (future, view) = (FutureImage(.url(Shop.url()), cachePolicy: .modelOnly, transform: failing, loader: shop.loader), imageView(64))
    view.futureImage = future
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg(64, 48))
    await shop.loader.waitUntilSettled()
    #expect(count.withLock { $0 } == 1)
    future.reload()
    await shop.held.waitForHeld()
    await waitWhile(shop.loader.decodeCount > 0 || count.withLock({ $0 }) < 2)
    for _ in 0..<1_000 { await Task.yield() }
    #expect(count.withLock { $0 } == 2)
    shop.held.fail()
    try await shop.loader.settled(within: .seconds(30))
    #expect(count.withLock { $0 } == 3)
    guard case .transformFailed = future.failure?.reason else {
      Issue.record("\(future.phase)")
      return
    }
  }
}
