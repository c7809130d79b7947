import Foundation
import FutureImageTesting
import Observation
import Testing

@testable import FutureImage

/// Tests of bodies that read a future's properties and run again when those change.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ObservingTests {
  @MainActor final class Body {
    let future: FutureImage
    var shown: UIImage?
    var runs = 0

    init(_ future: FutureImage) { self.future = future }

    func run() {
      runs += 1
      shown = withObservationTracking {
        future.image
      } onChange: {
        // The main dispatch queue is the main actor's executor.
        DispatchQueue.main.async { MainActor.assumeIsolated { if self.runs < 100 { self.run() } } }
      }
    }
  }

  @Test func `a body that shows an image too large for the pool settles on it`() async {
    let shop = Shop(maxPixelBytes: 1_000)
    let body = Body(shop.future())
    await shop.serve("a", Picture.jpeg(200, 150))
    body.run()
    for _ in 0..<20 { await shop.loader.waitUntilSettled() }
    #expect(body.shown?.cgImage?.width == 200)
    #expect(body.runs < 20)
    #expect(shop.loader.statistics.decodes < 5)
  }

  @Test func `the old image can be read until its replacement is decoded`() async {
    let decoder = GatedDecoder()
    let shop = Shop { $0.decoder = decoder }
    let future = shop.future()
    await shop.serve()
    // A second size, so that the trial of the new image leaves no pixels.
    _ = try? await future.value(fitting: .square(8))
    _ = future.image
    await shop.loader.waitUntilSettled()
    let old = future.image
    #expect(old != nil)
    decoder.close(width: 800, passing: 1)
    future.reload()
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Picture.jpeg(800, 600))
    await waitWhile(future.generation == 0)
    #expect(future.image === old)
    await decoder.waitForHeld()
    #expect(future.image === old)
    decoder.open()
    await shop.loader.waitUntilSettled()
    #expect(future.image?.cgImage?.width == 800)
  }

  @Test func `reading the image between its decode and its commit requests nothing again`() async {
    let tier = HeldTier(Picture.jpeg(600, 450))
    let shop = Shop()
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.loader.waitUntilSettled()
    #expect(tier.reads == 1)
    readTwice(future)
    await shop.loader.waitUntilSettled()
    #expect(future.image?.cgImage?.width == 600)
    await shop.loader.waitUntilSettled()
    #expect(tier.reads == 2)
    #expect(shop.loader.statistics.decodes == 1)
  }

  @Test func `of several images that arrive before a turn of the main actor, the largest becomes visible`() async {
    let shop = Shop()
    let future = shop.future()
    await shop.held.waitForHeld()
    resolveTwoSizes(of: future, in: shop)
    await shop.loader.waitUntilSettled()
    #expect(future.image?.cgImage?.width == 1200)
  }

  /// Blocks the main actor until a small image and the whole one have arrived.
  private func resolveTwoSizes(of future: FutureImage, in shop: Shop) {
    let isThere = DispatchSemaphore(value: 0)
    // Reading the phase makes changes of the future wait for the main actor.
    #expect(!future.phase.isFinal)
    for fitting in [FutureImage.Fitting.square(8), .full] { future.wait(fitting) { _ in isThere.signal() } }
    shop.held.resolve(with: Picture.jpeg(1200, 900))
    for _ in 0..<2 { isThere.wait() }
  }

  /// Reads the image twice, and blocks the main actor in between, so that nothing becomes visible.
  private func readTwice(_ future: FutureImage) {
    let isThere = DispatchSemaphore(value: 0)
    #expect(future.image == nil)
    future.wait(.full) { _ in isThere.signal() }
    isThere.wait()
    #expect(future.image == nil)
  }
}
