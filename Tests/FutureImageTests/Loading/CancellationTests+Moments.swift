import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Cancellation by futures, tasks, callbacks, and progress, and at each stage of loading an image.
extension CancellationTests {
  // MARK: Futures, views, and models

  @Test func `canceling a future cancels its fetch and fails its waiters`() async {
    let future = fixture.future()
    let waiting = Task { try await future.value }
    await fixture.held.waitForHeld()
    await waitWhile(future.waiterCount == 0)
    future.cancel()
    #expect(fixture.held.cancelledCount == 1)
    await #expect { try await waiting.value } throws: { ($0 as? FutureImage.Failure)?.reason == .cancelled }
    #expect(future.failure?.reason == .cancelled)
    #expect(fixture.loader.statistics.failures == 0)
  }

  @MainActor @Test
  func `if a model is released during a transfer, the transfer continues until the view that shows the model's future is cleared`() async {
    let fixture = LoaderFixture()
    let view = imageView(8)
    var future: FutureImage? = fixture.future()
    view.futureImage = future
    await fixture.held.waitForHeld()
    future = nil
    await fixture.loader.delivered()
    #expect(fixture.held.cancelledCount == 0)
    view.image = nil
    await fixture.held.waitForCancellations()
    #expect(fixture.held.heldCount == 0)
    #expect(fixture.loader.transferCount == 0)
  }

  @MainActor @Test func `if a view is released during a transfer, the transfer continues until the model's future is also released`() async
  {
    let fixture = LoaderFixture()
    var view: UIImageView? = imageView(8)
    var future: FutureImage? = fixture.future()
    view?.futureImage = future
    await fixture.held.waitForHeld()
    view = nil
    await fixture.loader.delivered()
    #expect(fixture.held.cancelledCount == 0)
    #expect(future != nil)
    future = nil
    await fixture.held.waitForCancellations()
  }

  @Test func `if some of the futures that share a transfer are canceled or released, the remaining futures get the image`() async throws {
    let futures = (0..<5).map { _ in fixture.future() }
    var gone: FutureImage? = fixture.future()
    await fixture.held.waitForHeld()
    futures[0].cancel()
    futures[3].cancel()
    #expect(gone != nil)
    gone = nil
    #expect(fixture.held.cancelledCount == 0)
    fixture.held.resolve(with: SampleImage.jpeg())
    for number in [1, 2, 4] { #expect(try await futures[number].value.size.width == 64) }
    #expect(futures[0].failure?.reason == .cancelled)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `canceling one future during a shared decode does not affect the other future`() async throws {
    let decoder = GatedDecoder()
    decoder.close()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let futures = [fixture.future(), fixture.future()]
    let waiting = futures.map { future in Task { try await future.value } }
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    await decoder.waitForHeld()
    let key = futures[0].descriptor?.key ?? ""
    let waiters = { fixture.loader.state.withLock { state in state.pictures[key]?.decodes.map(\.readerCount).reduce(0, +) ?? 0 } }
    await waitWhile(waiters() < 2)
    futures[0].cancel()
    decoder.open()
    await #expect { try await waiting[0].value } throws: { ($0 as? FutureImage.Failure)?.reason == .cancelled }
    #expect(try await waiting[1].value.size.width == 64)
    #expect(fixture.loader.statistics.decodes == 1)
  }

  // MARK: Inside a callback

  @MainActor @Test func `each callback runs once, even if a callback cancels its own future and another future`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    let futures = ["a", "b"].map { fixture.future($0) }
    var deliveries: [String] = []
    futures[0].whenReady { result in
      deliveries.append("first \((try? result.get()) != nil)")
      futures[0].cancel()
      futures[1].cancel()
    }
    futures[0].whenReady { result in deliveries.append("second \((try? result.get()) != nil)") }
    futures[1].whenReady { result in deliveries.append("other \((try? result.get()) != nil)") }
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(LoaderFixture.url("a"), with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    // The failure of the other future may be delivered before the second callback, because the two futures are independent.
    #expect(deliveries.first == "first true" && deliveries.dropFirst().sorted() == ["other false", "second true"])
    #expect(futures[0].failure == nil)
    #expect(fixture.held.cancelledCount == 1)
  }

  @Test func `if a task gets the image of one future and then cancels this future and another future, only the other future fails`()
    async throws
  {
    let futures = ["a", "b"].map { fixture.future($0) }
    await fixture.held.waitForHeld(2)
    let waiting = Task {
      _ = try await futures[0].value
      for future in futures { future.cancel() }
    }
    fixture.held.resolve(LoaderFixture.url("a"), with: SampleImage.jpeg())
    try await waiting.value
    #expect(fixture.held.cancelledCount == 1)
    #expect(futures[0].failure == nil)
    #expect(futures[1].failure?.reason == .cancelled)
  }

  @Test func `if a loop over the phases of a future cancels that future, the loop gets the failure and ends`() async throws {
    let future = fixture.future()
    let names = Task {
      var names: [String] = []
      for await phase in future.phases() {
        names.append(phase.name)
        if case .loading(let fraction?) = phase, fraction >= 0.5 { future.cancel() }
      }
      return names
    }
    let jpeg = SampleImage.jpeg()
    await waitWhile(!future.hasPhaseStreams)
    await fixture.held.waitForHeld()
    fixture.held.begin(with: jpeg.prefix(jpeg.count / 2 + 1), of: jpeg.count)
    await fixture.held.waitForCancellations()
    #expect(await names.value.suffix(2) == ["loading", "failed"])
  }

  @MainActor @Test func `if the cancellation handler of one progress cancels the parent progress of two futures, both transfers end`() async
  {
    let fixture = LoaderFixture()
    let futures = ["a", "b"].map { fixture.future($0) }
    await fixture.held.waitForHeld(2)
    let parent = Progress(totalUnitCount: 2)
    for future in futures { parent.addChild(future.progress, withPendingUnitCount: 1) }
    let other = Progress(totalUnitCount: 1)
    other.cancellationHandler = {
      parent.cancel()
      futures[0].cancel()
    }
    other.cancel()
    await fixture.held.waitForCancellations(2)
    for future in futures { #expect(await future.end.failure?.reason == .cancelled) }
  }

  // MARK: At each stage

  @Test func `if a future is canceled as its fetch completes, the waiter is notified once and no request is left`() async throws {
    let jpeg = SampleImage.jpeg(8, 6)
    let fixture = fixture
    var ends: [String: Int] = [:]
    for round in 0..<400 {
      let future = fixture.future("\(round)", policy: .modelOnly)
      let deliveries = WaiterLog()
      let number = deliveries.add()
      future.wait(.full) { _ in deliveries.record(number) }
      await fixture.held.waitForHeld()
      await race {
        // The round determines which of the two closures starts later.
        if round % 2 == 0 { sched_yield() }
        fixture.held.resolve(with: jpeg)
      } _: {
        if round % 4 > 1 { for _ in 0..<round { sched_yield() } }
        future.cancel()
      }
      await fixture.loader.waitForIdle()
      #expect((deliveries.missing, deliveries.twice) == (0, 0))
      #expect(!future.requestsBytes && !future.requestsPixels && future.waiterCount == 0)
      ends[future.failure.map { $0.reason.label } ?? "ready", default: 0] += 1
    }
    #expect(Set(ends.keys).isSubset(of: ["ready", "canceled"]))
    #expect(fixture.held.heldCount == 0)
  }

  @Test func `canceling a future that waits for its next attempt ends the wait without another request`() async {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.fail()
    await fixture.clock.waitForSleepers()
    future.cancel()
    await fixture.loader.waitForIdle()
    await waitWhile(!fixture.clock.waits.isEmpty)
    fixture.clock.advance(by: .seconds(60))
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    #expect(future.failure?.reason == .cancelled)
  }

  @Test func `canceling a future during its disk lookup causes no request, whether or not the disk has the image`() async {
    for body in [nil, SampleImage.jpeg()] {
      let tier = HeldTier(body)
      tier.holdReads()
      let future = fixture.future(policy: .tiers(disk: tier))
      await tier.waitForReads()
      future.cancel()
      tier.release()
      await waitWhile(tier.reads == 0)
      await fixture.loader.waitForIdle()
      #expect(future.failure?.reason == .cancelled)
      #expect(fixture.held.requests.isEmpty)
    }
  }

  @Test func `canceling a future during a decode discards the pixels, and a later request decodes them again`() async throws {
    let decoder = GatedDecoder()
    decoder.close()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let future = fixture.future(policy: .modelOnly)
    let waiting = Task { try await future.value }
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    await decoder.waitForHeld()
    future.cancel()
    await #expect { try await waiting.value } throws: { ($0 as? FutureImage.Failure)?.reason == .cancelled }
    decoder.open()
    await waitWhile(fixture.loader.statistics.decodes == 0)
    #expect(fixture.loader.pixelBytes == 0)
    #expect(future.failure?.reason == .cancelled)
    #expect(try await future.value.size.width == 64)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `canceling a future while its bytes are being stored ends neither the future nor the store`() async {
    let tier = HeldTier()
    tier.holdStores()
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    let jpeg = SampleImage.jpeg()
    fixture.held.resolve(with: jpeg)
    await tier.waitForStores()
    await waitWhile(future.requestsBytes)
    future.cancel()
    tier.release()
    await fixture.loader.waitForIdle()
    #expect(tier.body == jpeg)
    #expect(future.failure == nil)
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["before the head", "in the body"])
  func `the connection to the server is closed when no future needs the image`(moment: String) async throws {
    let gate = LoopbackServer.Gate()
    let server = try LoopbackServer()
    let answer = LoopbackServer.Answer.ok(SampleImage.noise(200, 200), contentType: "image/jpeg")
    server.answer("/a.jpg", moment == "in the body" ? answer.heldBody(after: 2_000, by: gate) : answer.held(by: gate))
    let fixture = LoaderFixture {
      $0.fetcher = HTTPBackend.platform.makeFetcher()
      // A body that the gate holds must not count as a stall, however long a busy machine takes.
      $0.stallTimeout = .seconds(3_600)
    }
    var future: FutureImage? = FutureImage(at: server.url("/a.jpg"), loader: fixture.loader)
    await gate.waitForArrival()
    await server.waitForOpenConnections(1)
    #expect(future?.failure == nil)
    future = nil
    await server.waitForOpenConnections(0)
    #expect(fixture.loader.transferCount == 0)
    server.stop()
  }
}
