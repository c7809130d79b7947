import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The conditions under which `settled()` returns.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SettlingTests {
  @Test func `settled waits until the tier has stored the image`() async {
    let shop = Shop()
    let memory = HeldMemory()
    await memory.hold(.store)
    let view = imageView(150)
    let future = shop.future(policy: .tiers(memory: memory))
    view.futureImage = future
    await shop.held.waitForRequests()
    shop.held.resolve(with: Picture.jpeg(1200, 900))
    await memory.waitForHeld()
    #expect(!shop.loader.isIdle)
    memory.letGo()
    await shop.loader.settled()
    #expect(view.image?.cgImage?.width == 150)
    #expect(memory.image(forKey: "")?.cgImage?.width == 150)
  }

  @Test func `the view has the image when settled returns`() async {
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
  func `a loop over phases has handled the last one when settled returns`(leavesEarly: Bool) async {
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
      await waitWhile(future.waiterCount == 0)
      shop.held.resolve(with: jpeg)
      await shop.loader.settled()
      if isHandled.value != true { early += 1 }
      _ = try? await image
      await loop.value
    }
    #expect(early == 0)
  }

  @Test func `settled returns while a loop waits for further phases`() async {
    let shop = Shop()
    let (future, last) = (shop.future(), Kept<String>())
    let loop = Task { for await phase in future.phases { last.value = phase.name } }
    await shop.serve()
    await waitWhile(last.value != "fetched")
    await shop.loader.settled()
    #expect(last.value == "fetched")
    loop.cancel()
  }

  @Test func `settled does not wait for a loop of its own task`() async {
    let shop = Shop()
    let future = shop.future()
    var iterator = future.phases.makeAsyncIterator()
    #expect(await iterator.next()?.isFinal == false)
    await shop.serve()
    var last: FutureImage.Phase?
    while last?.name != "fetched" { last = await iterator.next() }
  }

  @Test func `settled does not wait for an ended loop, a canceled loop, or a stream without a loop`() async {
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

  @Test func `the phases of a reloaded future do not begin with its failure`() async {
    let shop = Shop()
    let future = shop.future()
    async let failed = future.value
    await shop.held.waitForHeld()
    // Because of the loop, the failure waits for the main actor's turn, as it does with views.
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

  @Test func `settled does not wait for a read that is canceled and hangs`() async {
    let (shop, tier) = (Shop(), HeldTier())
    tier.holdReads()
    let future = shop.future(policy: .tiers(disk: tier))
    await tier.waitForReads()
    let settling = Task { await shop.loader.settled() }
    await waitWhile(shop.loader.state.withLock({ $0.work.settling.isEmpty }))
    future.cancel()
    await settling.value
    tier.letGo()
  }
}
