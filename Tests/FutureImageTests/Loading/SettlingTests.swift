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

  @Test(arguments: [true, false])
  func `when it returns a loop over phases has handled the last`(leavesEarly: Bool) async {
    let jpeg = Picture.jpeg()
    var early = 0
    for round in 0..<100 {
      let shop = Shop()
      let (future, begun, isHandled) = (shop.future("\(round)"), Signal(), Kept<Bool>())
      let loop = Task.detached {
        for await phase in future.phases(fitting: .full) {
          begun.send()
          guard phase.isFinal else { continue }
          for _ in 0..<20 { await Task.yield() }
          isHandled.value = true
          if leavesEarly { break }
        }
      }
      await begun.wait()
      async let image = future.value
      await shop.held.waitForHeld()
      while !future.state.withLock({ $0.hasWaiters }) { await Task.yield() }
      shop.held.resolve(with: jpeg)
      await shop.loader.settled()
      if isHandled.value != true { early += 1 }
      _ = try? await image
      await loop.value
    }
    #expect(early == 0)
  }

  @Test func `a loop that has handled what there is may wait for more`() async {
    let shop = Shop()
    let (future, last) = (shop.future(), Kept<String>())
    let loop = Task { for await phase in future.phases { last.value = phase.name } }
    await shop.serve()
    while last.value != "fetched" { await Task.yield() }
    await shop.loader.settled()
    #expect(last.value == "fetched")
    loop.cancel()
  }

  @Test func `a task's own loop is not waited for`() async {
    let shop = Shop()
    let future = shop.future()
    var iterator = future.phases.makeAsyncIterator()
    #expect(await iterator.next()?.isFinal == false)
    await shop.serve()
    var last: FutureImage.Phase?
    while last?.name != "fetched" { last = await iterator.next() }
  }

  @Test func `a loop that was left, one that was cancelled and a stream that nobody iterates are not waited for`() async {
    let shop = Shop()
    let (future, begun) = (shop.future(), Signal())
    let idle = future.phases
    let left = Task { for await _ in future.phases { break } }
    let cancelled = Task {
      for await _ in future.phases { begun.send() }
    }
    await begun.wait()
    cancelled.cancel()
    await left.value
    await cancelled.value
    await shop.serve()
    withExtendedLifetime(idle) {}
  }

  @Test func `phases of a future that loads anew do not begin with its failure`() async {
    let shop = Shop()
    let future = shop.future()
    async let failed = future.value
    await shop.held.waitForHeld()
    // The loop makes the failure wait for the main actor's turn, as views do.
    let loop = Task { for await _ in future.phases {} }
    shop.held.answer(nil, FutureImage.Response(status: 404))
    _ = try? await failed
    await loop.value
    #expect(future.phase.name == "failed")
    future.reload()
    var names: [String] = []
    let phases = future.phases(fitting: .full)
    let again = Task { try? await future.value }
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg())
    for await phase in phases { names.append(phase.name) }
    #expect(names.first != "failed")
    #expect(names.last == "ready")
    _ = await again.value
  }
}
