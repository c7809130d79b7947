import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("“Memory grows in long lists”", .tags(.threads), .timeLimit(.minutes(5))) struct LongListTests {
  @Test func `two hundred models, scrolled through twice, retain no more pixels than the limit and no bytes`() async {
    let limit = 20 * 150 * 113 * 4
    let shop = Shop(disk: .temporary(), maxPixelBytes: limit)
    let count = 200
    let futures = (0..<count).map { shop.future("\($0)") }
    let cells = (0..<10).map { _ in imageView(150) }
    let picture = Picture.jpeg(1200, 900)
    // Counts requests, not held ones: more may be held when they are answered than when they were counted.
    while shop.held.requests.count < count {
      await shop.held.waitForHeld()
      shop.held.resolve(with: picture)
    }
    shop.held.resolve(with: picture)
    await shop.loader.waitUntilSettled()
    var most = 0
    for _ in 0..<2 {
      for start in stride(from: 0, to: count, by: cells.count) {
        for (offset, cell) in cells.enumerated() { cell.futureImage = futures[start + offset] }
        await shop.loader.waitUntilSettled()
        #expect(cells.allSatisfy { $0.image?.cgImage?.width == 150 })
        most = max(most, shop.loader.pixelBytes)
      }
    }
    #expect(most <= limit)
    #expect(futures.allSatisfy { $0.retainedBytes == nil })
    #expect(shop.held.requests.count == count)
  }

  @Test func `released futures leave nothing in the loader`() async {
    let shop = Shop(disk: .temporary())
    weak var remembered: FutureImage?
    do {
      let future = shop.future()
      remembered = future
      await shop.serve()
      imageView(150).futureImage = future
      await shop.loader.waitUntilSettled()
    }
    // The thread that decoded the image may retain the future a moment longer.
    await waitWhile(shop.loader.state.withLock({ $0.pictures[SourceKey(Shop.url().absoluteString)] != nil }))
    #expect(remembered == nil)
    shop.loader.state.withLock { state in
      #expect(state.isIdle && state.fetches.runCount == 0)
      #expect(state.pictures.count == 0)
    }
  }
}
