import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The pixels that a view finds when it is bound.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct OfferingTests {
  @Test func `a larger image that a view finds in the pool is also delivered to waiters that requested fewer pixels`() async throws {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let (first, second) = (fixture.future(), fixture.future())
    await fixture.serve()
    let small = try await first.value(fitting: .square(150))
    decoder.close(width: 600)
    let deliveries = Lock(0)
    // The decode for this waiter does not end before the decoder is opened.
    first.wait(.square(600)) { _ in deliveries.withLock { $0 += 1 } }
    await decoder.waitForHeld()
    let whole = try await second.value
    let view = imageView(1200)
    let hits = fixture.loader.statistics.poolHits
    view.futureImage = first
    #expect(view.image === whole)
    #expect(fixture.loader.statistics.poolHits == hits + 1)
    #expect(deliveries.withLock { $0 } == 1)
    decoder.open()
    await fixture.loader.waitForIdle()
    #expect(deliveries.withLock { $0 } == 1)
    withExtendedLifetime(small) {}
  }

  @Test func `an image that a view finds in the pool ends a stream of phases`() async throws {
    let fixture = LoaderFixture()
    let (first, second) = (fixture.future(), fixture.future())
    await fixture.serve()
    _ = try await first.value(fitting: .square(150))
    await fixture.forgetPixels(of: first)
    let whole = try await second.value
    let phases = first.phases(fitting: .square(1200))
    let view = imageView(1200)
    view.futureImage = first
    #expect(view.image === whole)
    await fixture.loader.waitForIdle()
    try #require(!first.hasPhaseStreams)
    var names: [String] = []
    for await phase in phases { names.append(phase.name) }
    #expect(names == ["fetched", "ready"])
  }

  @Test func `a second view can reuse the pixels that a waiting view shows, even after the pool has been emptied`() async throws {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let future = fixture.future()
    await fixture.serve()
    _ = try await future.value(fitting: .square(150))
    decoder.close(width: 1200)
    let detail = imageView(1200)
    detail.futureImage = future
    // While the view waits, its image is a private future with the pixels that are available.
    #expect(detail.futureImage === future && detail.image !== future)
    await decoder.waitForHeld()
    fixture.loader.removeCachedPixels()
    #expect(future.phase.name == "ready")
    let cell = imageView(150)
    cell.futureImage = future
    #expect(cell.image !== future)
    decoder.open()
    await fixture.loader.waitForIdle()
    #expect(detail.image?.cgImage?.width == 1200)
  }
}
