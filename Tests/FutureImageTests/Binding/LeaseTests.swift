import Foundation
import FutureImageTesting
import Observation
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct LeaseTests {
  private let shop = Shop(disk: .temporary())
  private let box = FutureImage.Fitting.fit(width: 160, height: 160)
  private let large = FutureImage.Fitting.fit(width: 640, height: 640)

  /// Returns when the main thread has done its earlier work.
  private func mainTurn() async {
    await withCheckedContinuation { continuation in Scheduling.onMain { continuation.resume() } }
  }

  private final class Captured: Sendable {
    let isOnMain: Lock<Bool?>

    init(_ isOnMain: Lock<Bool?>) { self.isOnMain = isOnMain }

    deinit { isOnMain.withLock { $0 = MainQueue.isCurrent } }
  }

  @Test func `nothing is decoded for a lease without a size`() async {
    let future = shop.future()
    let lease = FutureImage.Lease(of: future)
    await shop.serve("a", Picture.jpeg(1280, 960))
    #expect(lease.image == nil)
    #expect(shop.loader.statistics.decodes == 0)
    lease.fitting = box
    await shop.loader.waitUntilSettled()
    #expect(lease.image?.cgImage?.width == 160)
    #expect(shop.loader.statistics.decodes == 1)
    #expect(shop.held.requests.count == 1)
  }

  @Test func `a lease measured before its bytes arrive gets its pixels with them`() async {
    let future = shop.future()
    var widths: [Int?] = []
    let lease = FutureImage.Lease(of: future, fitting: box) { widths.append($0.image?.cgImage?.width) }
    #expect(lease.image == nil)
    await shop.serve("a", Picture.jpeg(1280, 960))
    #expect(lease.image?.cgImage?.width == 160)
    #expect(widths == [160])
  }

  @Test func `a lease that grows retains its pixels until larger ones arrive`() async {
    let future = shop.future()
    let lease = FutureImage.Lease(of: future, fitting: box)
    await shop.serve("a", Picture.jpeg(1280, 960))
    lease.fitting = large
    #expect(lease.image?.cgImage?.width == 160)
    await shop.loader.waitUntilSettled()
    #expect(lease.image?.cgImage?.width == 640)
    lease.fitting = box
    await shop.loader.waitUntilSettled()
    #expect(lease.image?.cgImage?.width == 640)
    #expect(shop.loader.statistics.decodes == 2)
  }

  @Test func `available pixels appear at once, without a size or a request`() async {
    let future = shop.future()
    let view = imageView(160)
    view.futureImage = future
    await shop.serve("a", Picture.jpeg(1280, 960))
    var changes = 0
    let lease = FutureImage.Lease(of: future) { _ in changes += 1 }
    #expect(lease.image === view.image)
    #expect(changes == 0)
    #expect(shop.loader.statistics.decodes == 1)
  }

  @Test func `the bytes of a leased image are as urgent as those of a bound one`() async {
    let futures = (0..<40).map { shop.future("\($0)") }
    let lease = FutureImage.Lease(of: futures[30])
    #expect(futures[30].urgency == .bound)
    #expect(futures[31].urgency == .created)
    lease.end()
    #expect(futures[30].urgency == .created)
  }

  @Test func `pixels that a lease retains are found again even after the pool evicted them`() async {
    let future = shop.future()
    let lease = FutureImage.Lease(of: future, fitting: box)
    await shop.serve("a", Picture.jpeg(1280, 960))
    shop.loader.pool.removeUnshown()
    let other = shop.future()
    let view = imageView(160)
    view.futureImage = other
    await shop.loader.waitUntilSettled()
    #expect(view.image === lease.image)
    #expect(shop.loader.statistics.decodes == 1)
  }

  @Test func `a replaced image changes in its leases`() async throws {
    let future = shop.future()
    let lease = FutureImage.Lease(of: future, fitting: box)
    await shop.serve("a", Picture.jpeg(1280, 960))
    let former = lease.image
    try await shop.loader.set(Picture.image(640, 640), forKey: future.key)
    await shop.loader.waitUntilSettled()
    #expect(lease.image !== former)
    #expect(lease.image?.cgImage?.height == 160)
  }

  @Test func `an ended lease has no image and gets none`() async {
    let future = shop.future()
    var changes = 0
    let lease = FutureImage.Lease(of: future, fitting: box) { _ in changes += 1 }
    lease.end()
    await shop.serve("a", Picture.jpeg(1280, 960))
    lease.fitting = large
    await shop.loader.waitUntilSettled()
    #expect(lease.image == nil)
    #expect(changes == 0)
    #expect(shop.loader.statistics.decodes == 0)
    #expect(future.bindings.isEmpty)
  }

  @Test func `the end of a lease releases its image and is reported`() async {
    let future = shop.future()
    var changes = 0
    let lease = FutureImage.Lease(of: future, fitting: box) { _ in changes += 1 }
    await shop.serve("a", Picture.jpeg(1280, 960))
    #expect(lease.image != nil && changes == 1)
    lease.end()
    #expect(lease.image == nil && changes == 2)
  }

  @Test func `a lease that grows after a temporary failure makes another attempt`() async {
    let (shop, darkroom) = (Shop { $0.retry = .never }, Darkroom())
    let future = FutureImage(darkroom.source(), loader: shop.loader)
    darkroom.fail(FutureImage.Failure(.status(503)))
    let lease = FutureImage.Lease(of: future, fitting: box)
    await shop.loader.waitUntilSettled()
    #expect(darkroom.asked.count == 1 && lease.image == nil)
    lease.fitting = large
    await shop.loader.waitUntilSettled()
    #expect(darkroom.asked.count == 2 && lease.image != nil)
  }

  @Test func `ending the only lease cancels its decode, but ending one of two does not`() async {
    let decoder = GatedDecoder()
    decoder.close()
    let shop = Shop { $0.decoder = decoder }
    let futures = [shop.future("a"), shop.future("b")]
    let leases = [futures[0], futures[0], futures[1]].map { FutureImage.Lease(of: $0, fitting: box) }
    for name in ["a", "b"] {
      await shop.held.waitForHeld()
      shop.held.resolve(Shop.url(name), with: Picture.jpeg(1280, 960))
    }
    for future in futures { await waitWhile(!future.requestsPixels) }
    leases[1].end()
    leases[2].end()
    #expect(futures.map { $0.withReader(\.decodes.count) } == [1, 0])
    decoder.open()
    await shop.loader.waitUntilSettled()
    #expect(leases[0].image?.cgImage?.width == 160)
  }

  @Test func `a lease retains its future, and the future does not retain the lease`() async {
    var future: FutureImage? = shop.future()
    weak let knownFuture = future
    var lease = future.map { FutureImage.Lease(of: $0, fitting: box) }
    weak let knownLease = lease
    future = nil
    #expect(knownFuture != nil)
    withExtendedLifetime(lease) {}
    lease = nil
    #expect(knownLease == nil)
    await mainTurn()
    #expect(knownFuture == nil)
  }

  @Test func `a lease released on another thread frees its pixels, and its closure is destroyed on the main thread`() async {
    let future = shop.future()
    let diedOnMain = Lock<Bool?>(nil)
    func lease() -> Lock<FutureImage.Lease?> {
      let captured = Captured(diedOnMain)
      return Lock(FutureImage.Lease(of: future, fitting: box) { _ in withExtendedLifetime(captured) {} })
    }
    let held = lease()
    #expect(future.bindings.count == 1)
    await Task.detached {
      let last = held.withLock { $0.take() }
      withExtendedLifetime(last) {}
    }.value
    await mainTurn()
    #expect(future.bindings.isEmpty)
    #expect(!future.isBound)
    #expect(diedOnMain.withLock { $0 } == true)
  }

  @Test func `an observer of the image is notified of each change`() async {
    let future = shop.future()
    let lease = FutureImage.Lease(of: future, fitting: box)
    let isTold = Lock(false)
    withObservationTracking {
      #expect(lease.image == nil)
    } onChange: {
      isTold.withLock { $0 = true }
    }
    await shop.serve("a", Picture.jpeg(1280, 960))
    #expect(isTold.withLock { $0 })
  }

  @Test func `a future with pixels and no source lends them`() throws {
    let inert = FutureImage(cgImage: try #require(Picture.image(4, 4).cgImage))
    #expect(FutureImage.Lease(of: inert).image === inert)
    #expect(FutureImage.Lease(of: FutureImage()).image == nil)
  }
}
