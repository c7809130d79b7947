import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Cancellation at the same time as a request, a delivery, or a reload.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CancellationTests {
  let fixture = LoaderFixture()

  @Test func `a request that races with a cancel is either canceled or pending, never forgotten`() async {
    let fixture = LoaderFixture()
    var forgotten = 0
    for round in 0..<races(1_000) {
      let future = fixture.future("\(round)")
      await race {
        future.cancel()
      } _: {
        for _ in 0..<6 { future.loadMissing(retrying: .unlessRemembered) }
      }
      if !fixture.loader.hasMatchingRequest(of: future) { forgotten += 1 }
    }
    #expect(forgotten == 0)
  }

  @Test func `a pixel request that races with a cancel is either canceled or pending, never forgotten`() async {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg())
    decoder.close()
    var forgotten = 0
    for _ in 0..<races(1_000) {
      await race {
        future.cancel()
      } _: {
        for _ in 0..<4 { future.loadMissing([.full], retrying: .unlessRemembered) }
      }
      let requested = future.withReader(\.decodes) ?? []
      if fixture.loader.state.withLock({ state in requested.isEmpty != state.decodes.isEmpty }) { forgotten += 1 }
    }
    #expect(forgotten == 0)
    decoder.open()
    await fixture.loader.waitForIdle()
  }

  @Test func `if a cancel races with a new waiter, either the waiter is notified or a request is pending, but never both`() async {
    let fixture = LoaderFixture()
    var wrong = 0
    for round in 0..<races(1_000) {
      let future = fixture.future("\(round)")
      let log = WaiterLog()
      let number = log.add()
      await race {
        future.cancel()
      } _: {
        future.wait(.full) { _ in log.record(number) }
      }
      if (log.missing > 0) != future.requestsBytes { wrong += 1 }
      future.cancel()
    }
    #expect(wrong == 0)
  }

  /// Returns a future that is canceled and requested again while its transfer fails.
  private func requestedAgainDuringFailure(_ fixture: LoaderFixture, _ name: String) async -> FutureImage {
    let future = fixture.future(name)
    await fixture.held.waitForHeld()
    await race {
      fixture.held.fail()
    } _: {
      future.cancel()
      future.loadMissing(retrying: .unlessRemembered)
    }
    return future
  }

  /// The first of the two runs is canceled, but may still report an event after the second run has begun.
  @Test func `if a future is canceled and requested again while its transfer fails, the new request is answered`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    var forgotten = 0
    for round in 0..<300 {
      let future = await requestedAgainDuringFailure(fixture, "\(round)")
      let responder = Task {
        while !Task.isCancelled {
          await fixture.held.waitForHeld()
          fixture.held.fail()
        }
      }
      await fixture.loader.waitForIdle()
      responder.cancel()
      await responder.value
      if future.requestsBytes { forgotten += 1 }
    }
    #expect(forgotten == 0)
  }

  @Test func `canceling a future twice while its transfer fails leaves no transfer behind`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    var left = 0
    for round in 0..<300 {
      let future = await requestedAgainDuringFailure(fixture, "\(round)")
      future.cancel()
      if fixture.loader.transferCount > 0 { left += 1 }
      await fixture.loader.waitForIdle()
    }
    #expect(left == 0)
  }

  @Test func `a fetched future that is canceled and requested again is not in a failed phase`() async {
    let tier = HeldTier(SampleImage.jpeg())
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.loader.waitForIdle()
    tier.holdReads()
    future.wait(.full) { _ in }
    future.cancel()
    #expect(future.failure?.isCancelled == true)
    future.wait(.full) { _ in }
    await tier.waitForReads(2)
    // The test checks the stage and not the phase, because a busy main actor may show the new phase later.
    if case .failed = future.stage { Issue.record("the stage of the future is a failure, although the future is loading") }
    tier.release()
    await fixture.loader.waitForIdle()
  }

  @Test func `a task that is already canceled makes no request`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    let task = Task {
      await waitWhile(!Task.isCancelled)
      _ = try await future.value
    }
    task.cancel()
    await #expect { try await task.value } throws: { ($0 as? FutureImage.Failure)?.reason == .cancelled }
    #expect(fixture.held.requests.count == 1)
    #expect(future.failure?.reason == .transport(.connectionLost))
  }

  @Test func `if a reload begins during a disk lookup, canceling the future also cancels the reload`() async {
    let fixture = LoaderFixture()
    let tier = HeldTier(SampleImage.jpeg())
    tier.holdReads()
    let future = fixture.future(policy: .tiers(disk: tier))
    await tier.waitForReads(1)
    future.reload()
    await tier.waitForReads(2)
    tier.release()
    await fixture.held.waitForHeld()
    future.cancel()
    #expect(fixture.held.cancelledCount == 1)
    await fixture.loader.waitForIdle()
  }

  @Test func `if a reload begins while the image of the previous reload is delivered, canceling the future also cancels the new reload`()
    async
  {
    let fixture = LoaderFixture()
    let memory = HeldMemory()
    let future = fixture.future(policy: .tiers(memory: memory))
    await fixture.serve()
    await memory.hold(.remove)
    future.reload()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg(800, 600))
    await memory.waitForHeld()
    future.reload()
    await fixture.held.waitForRequests(3)
    memory.release()
    await waitWhile(future.generation == 0)
    future.cancel()
    #expect(fixture.held.cancelledCount == 1)
    #expect(fixture.loader.transferCount == 0)
  }

  @Test func `canceling a reload leaves the image unchanged`() async throws {
    let fixture = LoaderFixture()
    let future = fixture.future()
    await fixture.serve()
    _ = try await future.value
    future.reload()
    await fixture.held.waitForRequests(2)
    future.cancel()
    await fixture.forgetPixels(of: future)
    #expect(future.failure == nil)
    #expect(future.image == nil)
    #expect(try await future.value.cgImage?.width == 1200)
    #expect(fixture.held.requests.count == 2)
  }

  @Test func `canceled decodes count toward the limit while they still run`() async {
    let decoder = GatedDecoder()
    decoder.close()
    let fixture = LoaderFixture {
      $0.decoder = decoder
      $0.maxDecodes = 2
    }
    let jpeg = SampleImage.jpeg()
    for number in 0..<10 {
      let future = FutureImage(.data(key: "\(number)") { jpeg }, loader: fixture.loader)
      future.wait(.full) { _ in }
      await waitWhile(!future.requestsPixels)
      if number < 2 { await decoder.waitForHeld(number + 1) }
      future.cancel()
    }
    #expect(decoder.most == 2)
    decoder.open()
    await fixture.loader.waitForIdle()
    #expect(decoder.most == 2)
  }

  @Test func `decodes that are canceled before they start never run`() async throws {
    let decoder = GatedDecoder()
    decoder.close()
    let fixture = LoaderFixture {
      $0.decoder = decoder
      $0.maxDecodes = 1
    }
    let futures = (0..<10).map { fixture.future("\($0)") }
    for number in futures.indices {
      await fixture.held.waitForRequests(number + 1)
      fixture.held.resolve(with: SampleImage.jpeg())
    }
    for future in futures { future.wait(.full) { _ in } }
    await decoder.waitForHeld()
    await waitWhile(fixture.loader.waitingDecodeCount < 9)
    for future in futures { future.cancel() }
    decoder.open()
    _ = try await fixture.future("9").value
    #expect(fixture.loader.statistics.decodes == 2)
  }

  @Test func `disk lookups that are canceled before they start never run`() async {
    let tier = HeldTier(SampleImage.jpeg())
    tier.holdReads()
    let futures = (0..<30).map { fixture.future("\($0)", policy: .tiers(disk: tier)) }
    // Eight lookups of a tier run at once.
    await tier.waitForReads(8)
    for future in futures { future.cancel() }
    let last = fixture.future("last", policy: .tiers(disk: tier))
    tier.release()
    await fixture.loader.waitForIdle()
    #expect(last.phase.name == "fetched")
    await tier.waitForReads(9)
    #expect(tier.readsBegun == 9)
  }
}

extension FutureImage.Loader {
  /// Whether the loader has registered one request if the future requests bytes, and no request otherwise.
  fileprivate func hasMatchingRequest(of future: FutureImage) -> Bool {
    transferWaiterCount(of: SourceKey(future.key)) == (future.requestsBytes ? 1 : 0)
  }
}
