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

  @Test func `a view shows its placeholder again, after a restore, in a turn that settled waits for`() async throws {
    let turns = Lock<[@Sendable () -> Void]?>(nil)
    let shop = Shop { configuration in
      configuration.mainTurns = { turn in
        let isHeld = turns.withLock { held in
          held?.append(turn)
          return held != nil
        }
        if !isHeld { Scheduling.onMain(turn) }
      }
    }
    let (future, view) = (shop.future(), imageView(64))
    view.futureImage = future
    await shop.held.waitForHeld()
    let replaced = try await shop.loader.set(Colour.blue.jpeg(), forKey: future.key)
    await shop.loader.waitUntilSettled()
    #expect(Colour.blue.isNearly(view.image?.colour))
    // A turn that is scheduled already would not be held.
    await waitWhile(!shop.loader.main.isEmpty)
    turns.withLock { $0 = [] }
    await shop.loader.restore(replaced)
    #expect(Colour.blue.isNearly(view.image?.colour))
    let held = turns.withLock { turns in
      defer { turns = nil }
      return turns ?? []
    }
    for turn in held { Scheduling.onMain(turn) }
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.waitUntilSettled()
    #expect(view.image === future)
  }

  @Test func `settled does not wait for a loop that has not handled its phases`() async {
    let shop = Shop()
    let (future, begun, mayContinue) = (shop.future(), Signal(), Signal())
    let loop = Task {
      var last: String?
      for await phase in future.phases {
        begun.send()
        await mayContinue.wait()
        last = phase.name
      }
      return last
    }
    await begun.wait()
    await shop.serve()
    mayContinue.send()
    #expect(await loop.value == "fetched")
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
