import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Closures of sources that were cancelled before they began.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CancelledSourceTests {
  private let shop = Shop()
  private let tier = HeldTier(Picture.jpeg())

  /// Reloads a picture while its disk tier stands still, and cancels it before the source's turn.
  private func reloadAndCancel(_ source: FutureImage.Source) async {
    let future = FutureImage(source, cachePolicy: .tiers(disk: tier), loader: shop.loader)
    await shop.loader.settled()
    tier.holdReads()
    future.reload()
    await tier.waitForReads(2)
    future.cancel()
    tier.letGo()
    // The cancelled run has ended when another one of its source has.
    await shop.loader.settled()
    while shop.loader.state.withLock({ !$0.transferTasks.isEmpty || !$0.callouts.isEmpty }) { await Task.yield() }
    await ended()
  }

  /// Returns when what is ready to run now has run.
  private func ended() async {
    for _ in 0..<1_000 { await Task.yield() }
  }

  @Test func `the closure of a source that was cancelled is not called`() async {
    let calls = Lock(0)
    await reloadAndCancel(
      .data(key: "drawn") {
        calls.withLock { $0 += 1 }
        return Picture.jpeg()
      })
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func `headers for a source that was cancelled are not made`() async {
    let calls = Lock(0)
    await reloadAndCancel(
      .url(Shop.url(), key: "signed") {
        calls.withLock { $0 += 1 }
        return [:]
      })
    #expect(calls.withLock { $0 } == 0)
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `a cancelled attempt of a cache's fetch calls no closure`() async throws {
    let calls = Lock(0)
    let source = FutureImage.Source.data(key: "k") {
      calls.withLock { $0 += 1 }
      return Data()
    }
    let transfer = Transfer(source: source, configuration: shop.loader.configuration, network: []) { _ in }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      var past = Transfer.Past()
      return try await transfer.run(&past)
    }
    task.cancel()
    let failure = await #expect(throws: FutureImage.Failure.self) { try await task.value }
    #expect(failure?.reason == .cancelled)
    #expect(calls.withLock { $0 } == 0)
  }
}
