import Foundation
import FutureImageTesting
import Observation
import Testing

@testable import FutureImage

/// Tests of view bodies that read a future's properties and run again when the properties change.
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

  @Test func `a view body that reads an image requests no pixels, and runs again when other code loads the pixels`() async throws {
    let fixture = LoaderFixture()
    let body = Body(fixture.future())
    body.run()
    await fixture.serve("a", SampleImage.jpeg(200, 150))
    #expect(body.shown == nil && body.runs == 1)
    #expect(fixture.loader.statistics.decodes == 0)
    _ = try await body.future.value
    await waitUntil { body.shown?.cgImage?.width == 200 }
    #expect(body.runs == 2)
  }

  @Test func `a view body runs again only once if the image that it reads is too large for the pool`() async throws {
    let fixture = LoaderFixture(maxPixelBytes: 1_000)
    let body = Body(fixture.future())
    body.run()
    await fixture.serve("a", SampleImage.jpeg(200, 150))
    let shown = try await body.future.value
    for _ in 0..<20 { await fixture.loader.waitForIdle() }
    #expect(body.shown === shown)
    #expect(body.runs == 2)
    #expect(fixture.loader.statistics.decodes == 1)
  }

  @Test func `the old image can be read until its replacement is decoded`() async throws {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let future = fixture.future()
    await fixture.serve()
    // Before a reload replaces the image, the loader decodes the new image once as a trial. If the old image has pixels of only one size,
    // the future gets the pixels of the trial. Here it has pixels of two sizes, so the new image is decoded again after the replacement.
    _ = try? await future.value(fitting: .square(8))
    let old = try await future.value
    await fixture.loader.waitForIdle()
    #expect(future.image === old)
    // The trial passes, and the second decode is held.
    decoder.close(width: 800, passing: 1)
    future.reload()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg(800, 600))
    await waitWhile(future.generation == 0)
    #expect(future.image === old)
    let waiting = Task { try await future.value }
    await decoder.waitForHeld()
    #expect(future.image === old)
    decoder.open()
    _ = try await waiting.value
    await fixture.loader.waitForIdle()
    #expect(future.image?.cgImage?.width == 800)
  }

  @Test func `if two sizes of an image arrive before a turn of the main actor, the larger size becomes visible`() async {
    let fixture = LoaderFixture()
    let future = fixture.future()
    await fixture.held.waitForHeld()
    resolveTwoSizes(of: future, in: fixture)
    await fixture.loader.waitForIdle()
    #expect(future.image?.cgImage?.width == 1200)
  }

  /// Blocks the main actor until the small image and the whole image have arrived.
  private func resolveTwoSizes(of future: FutureImage, in fixture: LoaderFixture) {
    let hasArrived = DispatchSemaphore(value: 0)
    // Reading the phase makes changes of the future wait for the main actor.
    #expect(!future.phase.isFinal)
    for fitting in [FutureImage.Fitting.square(8), .full] { future.wait(fitting) { _ in hasArrived.signal() } }
    fixture.held.resolve(with: SampleImage.jpeg(1200, 900))
    for _ in 0..<2 { hasArrived.wait() }
  }
}
