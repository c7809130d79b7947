import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The conditions under which `waitUntilIdle()` returns, and loops over phases, for which it does not wait.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct IdleTests {
  @Test func `waitUntilIdle waits until the tier has stored the image`() async {
    let fixture = LoaderFixture()
    let memory = HeldMemory()
    await memory.hold(.store)
    let view = imageView(150)
    let future = fixture.future(policy: .tiers(memory: memory))
    view.futureImage = future
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: SampleImage.jpeg(1200, 900))
    await memory.waitForHeld()
    #expect(!fixture.loader.isIdle)
    memory.release()
    await fixture.loader.waitUntilIdle()
    #expect(view.image?.cgImage?.width == 150)
    #expect(memory.image(forKey: "")?.cgImage?.width == 150)
  }

  @Test func `the view has the image when waitUntilIdle returns`() async {
    let jpeg = SampleImage.jpeg()
    var early = 0
    for round in 0..<200 {
      let fixture = LoaderFixture()
      let view = imageView(32)
      let future = fixture.future("\(round)")
      view.futureImage = future
      await fixture.held.waitForRequests()
      fixture.held.resolve(with: jpeg)
      await fixture.loader.waitUntilIdle()
      if view.image === future { early += 1 }
    }
    #expect(early == 0)
  }

  @Test func `after a call of Loader's set method is undone, the loader is not idle until the view shows its placeholder again`()
    async throws
  {
    let turns = Lock<[@Sendable () -> Void]?>(nil)
    let fixture = LoaderFixture { configuration in
      configuration.mainTurns = { turn in
        let isHeld = turns.withLock { held in
          held?.append(turn)
          return held != nil
        }
        if !isHeld { Scheduling.onMain(turn) }
      }
    }
    let (future, view) = (fixture.future(), imageView(64))
    view.futureImage = future
    await fixture.held.waitForHeld()
    let undo = try await fixture.loader.set(TestColor.blue.jpeg(), forKey: future.key)
    await fixture.loader.waitForIdle()
    #expect(TestColor.blue.isNearly(view.image?.color))
    // A turn that has already been scheduled would not be held.
    await waitWhile(!fixture.loader.main.isEmpty)
    turns.withLock { $0 = [] }
    await undo()
    #expect(TestColor.blue.isNearly(view.image?.color))
    let held = turns.withLock { turns in
      defer { turns = nil }
      return turns ?? []
    }
    for turn in held { Scheduling.onMain(turn) }
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    #expect(view.image === future)
  }

  @Test func `waitUntilIdle returns even if a loop over phases has not handled the latest phase`() async {
    let fixture = LoaderFixture()
    let (future, begun, mayContinue) = (fixture.future(), Signal(), Signal())
    let loop = Task {
      var last: String?
      for await phase in future.phases() {
        begun.send()
        await mayContinue.wait()
        last = phase.name
      }
      return last
    }
    await begun.wait()
    await fixture.serve()
    mayContinue.send()
    #expect(await loop.value == "fetched")
  }

  @Test func `the phases of a reloaded future do not begin with its former failure`() async {
    let fixture = LoaderFixture()
    let future = fixture.future()
    async let failed = future.value
    await fixture.held.waitForHeld()
    // Because of the loop, the failure is delivered in a turn of the main actor, as it is if views show the future.
    let loop = Task { for await _ in future.phases() {} }
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    _ = try? await failed
    await loop.value
    #expect(future.phase.name == "failed")
    future.reload()
    var names: [String] = []
    let phases = future.phases(fitting: .full)
    let again = Task { try? await future.value }
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    for await phase in phases { names.append(phase.name) }
    #expect(names.first != "failed")
    #expect(names.last == "ready")
    _ = await again.value
  }

  @Test func `waitUntilIdle does not wait for a read that is canceled and hangs`() async {
    let (fixture, tier) = (LoaderFixture(), HeldTier())
    tier.holdReads()
    let future = fixture.future(policy: .tiers(disk: tier))
    await tier.waitForReads()
    let settling = Task { await fixture.loader.waitUntilIdle() }
    await waitWhile(fixture.loader.state.withLock({ $0.work.settling.isEmpty }))
    future.cancel()
    await settling.value
    tier.release()
  }
}
