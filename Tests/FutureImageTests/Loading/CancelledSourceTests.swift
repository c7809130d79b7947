import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Requests that are canceled before the closure of their source starts.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CancelledSourceTests {
  private let fixture = LoaderFixture()
  private let tier = HeldTier(SampleImage.jpeg())

  /// Reloads an image while its disk tier hangs, and cancels the reload before the source is requested.
  private func reloadAndCancel(_ source: FutureImage.Source) async {
    let future = FutureImage(source, cachePolicy: .tiers(disk: tier), loader: fixture.loader)
    await fixture.loader.waitForIdle()
    tier.holdReads()
    future.reload()
    await tier.waitForReads(2)
    future.cancel()
    tier.release()
    // The canceled run continues without waiters until its task has ended.
    await fixture.loader.waitForIdle()
    await waitWhile(fixture.loader.state.withLock({ $0.fetches.runCount > 0 || !$0.stallDetector.callouts.isEmpty }))
    await ended()
  }

  /// Returns when all tasks that are ready to run now have run.
  private func ended() async {
    for _ in 0..<1_000 { await Task.yield() }
  }

  @Test func `the closure of a source is not called if its future is canceled before the source is requested`() async {
    let calls = Lock(0)
    await reloadAndCancel(
      .data(key: "drawn") {
        calls.withLock { $0 += 1 }
        return SampleImage.jpeg()
      })
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func `the header closure of a source is not called if the future is canceled before the request`() async {
    let calls = Lock(0)
    await reloadAndCancel(
      .url(LoaderFixture.url(), key: "signed") {
        calls.withLock { $0 += 1 }
        return [:]
      })
    #expect(calls.withLock { $0 } == 0)
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `an attempt that is canceled before it starts does not call the closure of its source`() async throws {
    let calls = Lock(0)
    let source = FutureImage.Source.data(key: "k") {
      calls.withLock { $0 += 1 }
      return Data()
    }
    let transfer = Transfer(source: source, configuration: fixture.loader.configuration, network: []) { _ in }
    let task = Task {
      await waitWhile(!Task.isCancelled)
      var history = Transfer.AttemptHistory()
      return try await transfer.run(&history)
    }
    task.cancel()
    let failure = await #expect(throws: FutureImage.Failure.self) { try await task.value }
    #expect(failure?.reason == .cancelled)
    #expect(calls.withLock { $0 } == 0)
  }
}
