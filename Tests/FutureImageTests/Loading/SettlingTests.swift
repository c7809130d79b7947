import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// When `settled()` returns.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SettlingTests {
  @Test func `it waits for the tier that is given the picture`() async {
    let shop = Shop()
    let memory = HeldMemory()
    await memory.hold(.store)
    let view = imageView(150)
    let future = shop.future(policy: .tiers(memory: memory))
    view.futureImage = future
    await shop.held.waitForRequests()
    shop.held.resolve(with: Picture.jpeg(1200, 900))
    await memory.waitForHeld()
    #expect(shop.loader.state.withLock { !$0.isIdle })
    memory.letGo()
    await shop.loader.settled()
    #expect(view.image?.cgImage?.width == 150)
    #expect(memory.image(forKey: "")?.cgImage?.width == 150)
  }

  @Test func `when it returns the view has the picture`() async {
    let jpeg = Picture.jpeg()
    var early = 0
    for round in 0..<200 {
      let shop = Shop()
      let view = imageView(32)
      let future = shop.future("\(round)")
      view.futureImage = future
      await shop.held.waitForRequests()
      shop.held.resolve(with: jpeg)
      await shop.loader.settled()
      if view.image === future { early += 1 }
    }
    #expect(early == 0)
  }
}
