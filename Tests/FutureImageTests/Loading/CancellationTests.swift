import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Cancellation at the same time as a request, a delivery, or a reload.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CancellationTests {
  let shop = Shop()

  @Test func `a request that races with a cancel is either canceled or pending, never forgotten`() async {
    let shop = Shop()
    var forgotten = 0
    for round in 0..<races(1_000) {
      let future = shop.future("\(round)")
      await race {
        future.cancel()
      } _: {
        for _ in 0..<6 { future.pursue(retrying: .unlessRefused) }
      }
      if !shop.loader.knowsWish(of: future) { forgotten += 1 }
    }
    #expect(forgotten == 0)
  }

  @Test func `a pixel request that races with a cancel is either canceled or pending, never forgotten`() async {
    let decoder = GatedDecoder()
    let shop = Shop { $0.decoder = decoder }
    let future = shop.future()
    await shop.serve("a", Picture.jpeg())
    decoder.close()
    var forgotten = 0
    for _ in 0..<races(1_000) {
      await race {
        future.cancel()
      } _: {
        for _ in 0..<4 { future.pursue([.full], retrying: .unlessRefused) }
      }
      let asks = future.withReader(\.decodes) ?? []
      if shop.loader.state.withLock({ state in asks.isEmpty != state.decodes.isEmpty }) { forgotten += 1 }
    }
    #expect(forgotten == 0)
    decoder.open()
    await shop.loader.waitUntilSettled()
  }

  @Test func `no request is pending for a waiter that a racing cancel has already answered`() async {
    let shop = Shop()
    var wrong = 0
    for round in 0..<races(1_000) {
      let future = shop.future("\(round)")
      let told = Told()
      let number = told.add()
      await race {
        future.cancel()
      } _: {
        future.wait(.full) { _ in told.tell(number) }
      }
      if (told.missing > 0) != future.requestsBytes { wrong += 1 }
      future.cancel()
    }
    #expect(wrong == 0)
  }

  private func askedAnewWhileItFails(_ shop: Shop, _ name: String) async -> FutureImage {
    let future = shop.future(name)
    await shop.held.waitForHeld()
    await race {
      shop.held.fail()
    } _: {
      future.cancel()
      future.pursue(retrying: .unlessRefused)
    }
    return future
  }

  /// The first of two runs is canceled, and may still report something after the second one has begun.
  @Test func `a future canceled and requested again while its transfer fails gets the new answer`() async {
    let shop = Shop { $0.retry = .never }
    var forgotten = 0
    for round in 0..<300 {
      let future = await askedAnewWhileItFails(shop, "\(round)")
      let pump = Task {
        while !Task.isCancelled {
          await shop.held.waitForHeld()
          shop.held.fail()
        }
      }
      await shop.loader.waitUntilSettled()
      pump.cancel()
      await pump.value
      if future.requestsBytes { forgotten += 1 }
    }
    #expect(forgotten == 0)
  }

  @Test func `canceling such a future once more leaves no transfer behind`() async {
    let shop = Shop { $0.retry = .never }
    var left = 0
    for round in 0..<300 {
      let future = await askedAnewWhileItFails(shop, "\(round)")
      future.cancel()
      if shop.loader.transferCount > 0 { left += 1 }
      await shop.loader.waitUntilSettled()
    }
    #expect(left == 0)
  }

  @Test func `a fetched future that is canceled and requested again is not in a failed phase`() async {
    let tier = HeldTier(Picture.jpeg())
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.loader.waitUntilSettled()
    tier.holdReads()
    future.wait(.full) { _ in }
    future.cancel()
    #expect(future.failure?.isCancelled == true)
    future.wait(.full) { _ in }
    await tier.waitForReads(2)
    // The main actor may be busy, and show the new phase later.
    if case .failed = future.stage { Issue.record("the future has its failure, although it is loading") }
    tier.letGo()
    await shop.loader.waitUntilSettled()
  }

  @Test func `a task that is already canceled makes no request`() async {
    let shop = Shop { $0.retry = .never }
    let future = shop.future()
    await shop.held.waitForHeld()
    shop.held.fail()
    await shop.loader.waitUntilSettled()
    let task = Task {
      await waitWhile(!Task.isCancelled)
      _ = try await future.value
    }
    task.cancel()
    await #expect { try await task.value } throws: { ($0 as? FutureImage.Failure)?.reason == .cancelled }
    #expect(shop.held.requests.count == 1)
    #expect(future.failure?.reason == .transport(.connectionLost))
  }

  @Test func `a reload that replaced a disk lookup is canceled with its future`() async {
    let shop = Shop()
    let tier = HeldTier(Picture.jpeg())
    tier.holdReads()
    let future = shop.future(policy: .tiers(disk: tier))
    await tier.waitForReads(1)
    future.reload()
    await tier.waitForReads(2)
    tier.letGo()
    await shop.held.waitForHeld()
    future.cancel()
    #expect(shop.held.cancelledCount == 1)
    await shop.loader.waitUntilSettled()
  }

  @Test func `a reload that began during the delivery of the previous one is canceled with its future`() async {
    let shop = Shop()
    let memory = HeldMemory()
    let future = shop.future(policy: .tiers(memory: memory))
    await shop.serve()
    await memory.hold(.remove)
    future.reload()
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Picture.jpeg(800, 600))
    await memory.waitForHeld()
    future.reload()
    await shop.held.waitForRequests(3)
    memory.letGo()
    await waitWhile(future.generation == 0)
    future.cancel()
    #expect(shop.held.cancelledCount == 1)
    #expect(shop.loader.transferCount == 0)
  }

  @Test func `canceling a reload leaves the image as it was`() async throws {
    let shop = Shop()
    let future = shop.future()
    await shop.serve()
    _ = try await future.value
    future.reload()
    await shop.held.waitForRequests(2)
    future.cancel()
    await shop.forgetPixels(of: future)
    #expect(future.failure == nil)
    #expect(future.image == nil)
    #expect(try await future.value.cgImage?.width == 1200)
    #expect(shop.held.requests.count == 2)
  }

  @Test func `canceled decodes still count while they run`() async {
    let decoder = GatedDecoder()
    decoder.close()
    let shop = Shop {
      $0.decoder = decoder
      $0.maxDecodes = 2
    }
    let jpeg = Picture.jpeg()
    for number in 0..<10 {
      let future = FutureImage(.data(key: "\(number)") { jpeg }, loader: shop.loader)
      future.wait(.full) { _ in }
      await waitWhile(!future.requestsPixels)
      if number < 2 { await decoder.waitForHeld(number + 1) }
      future.cancel()
    }
    #expect(decoder.most == 2)
    decoder.open()
    await shop.loader.waitUntilSettled()
    #expect(decoder.most == 2)
  }

  @Test func `decodes that are canceled before they start never run`() async throws {
    let decoder = GatedDecoder()
    decoder.close()
    let shop = Shop {
      $0.decoder = decoder
      $0.maxDecodes = 1
    }
    let futures = (0..<10).map { shop.future("\($0)") }
    for number in futures.indices {
      await shop.held.waitForRequests(number + 1)
      shop.held.resolve(with: Picture.jpeg())
    }
    for future in futures { future.wait(.full) { _ in } }
    await decoder.waitForHeld()
    await waitWhile(shop.loader.waitingDecodeCount < 9)
    for future in futures { future.cancel() }
    decoder.open()
    _ = try await shop.future("9").value
    #expect(shop.loader.statistics.decodes == 2)
  }

  @Test func `disk lookups that are canceled before they start never run`() async {
    let tier = HeldTier(Picture.jpeg())
    tier.holdReads()
    let futures = (0..<30).map { shop.future("\($0)", policy: .tiers(disk: tier)) }
    await tier.waitForReads(8)
    for future in futures { future.cancel() }
    let last = shop.future("last", policy: .tiers(disk: tier))
    tier.letGo()
    await shop.loader.waitUntilSettled()
    #expect(last.phase.name == "fetched")
    await tier.waitForReads(9)
    #expect(tier.readsBegun == 9)
  }
}

extension FutureImage.Loader {
  /// Whether the loader has registered exactly the future's current request for bytes, or none if the future has none.
  fileprivate func knowsWish(of future: FutureImage) -> Bool {
    transferWaiterCount(of: SourceKey(future.key)) == (future.requestsBytes ? 1 : 0)
  }
}
