import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("Memory stays within its limit in long lists", .tags(.threads), .timeLimit(.minutes(5))) struct LongListTests {
  @Test func `scrolling twice through 200 models retains pixels only up to the limit, and retains no bytes`() async {
    // The limit has room for 20 images of 150 × 113 pixels.
    let limit = 20 * 150 * 113 * 4
    let fixture = LoaderFixture(disk: .temporary(), maxPixelBytes: limit)
    let count = 200
    let futures = (0..<count).map { fixture.future("\($0)") }
    let cells = (0..<10).map { _ in imageView(150) }
    let encoded = SampleImage.jpeg(1200, 900)
    // The loop counts all requests. A count of the held requests would be wrong, because `resolve` also answers requests that arrive after
    // the count.
    while fixture.held.requests.count < count {
      await fixture.held.waitForHeld()
      fixture.held.resolve(with: encoded)
    }
    fixture.held.resolve(with: encoded)
    await fixture.loader.waitForIdle()
    var maximum = 0
    for _ in 0..<2 {
      for start in stride(from: 0, to: count, by: cells.count) {
        for (offset, cell) in cells.enumerated() { cell.futureImage = futures[start + offset] }
        await fixture.loader.waitForIdle()
        #expect(cells.allSatisfy { $0.image?.cgImage?.width == 150 })
        maximum = max(maximum, fixture.loader.pixelBytes)
      }
    }
    #expect(maximum <= limit)
    #expect(futures.allSatisfy { $0.retainedBytes == nil })
    #expect(fixture.held.requests.count == count)
  }

  @Test func `a loader has no records of a future after the future is released`() async {
    let fixture = LoaderFixture(disk: .temporary())
    weak var weakFuture: FutureImage?
    do {
      let future = fixture.future()
      weakFuture = future
      await fixture.serve()
      imageView(150).futureImage = future
      await fixture.loader.waitForIdle()
    }
    // The thread that decoded the image may retain the future a moment longer.
    await waitWhile(fixture.loader.state.withLock({ $0.pictures[SourceKey(LoaderFixture.url().absoluteString)] != nil }))
    #expect(weakFuture == nil)
    fixture.loader.state.withLock { state in
      #expect(state.isIdle && state.fetches.runCount == 0)
      #expect(state.pictures.count == 0)
    }
  }
}
