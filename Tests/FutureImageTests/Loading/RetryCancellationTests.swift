import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Transfers that are canceled before they wait for their next attempt.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RetryCancellationTests {
  @Test func `if a failed transfer is canceled just before it waits for its next attempt, the transfer releases its slot without a retry`()
    async
  {
    let (failing, events) = (Lock<[FutureImage]>([]), Lock<[String]>([]))
    let fixture = LoaderFixture { configuration in
      configuration.maxTransfersPerHost = 1
      configuration.onEvent = { key, event in events.withLock { $0.append("\(key): \(event)") } }
      // The loader calls this closure to choose the wait before the next attempt. At this moment, the closure cancels the future.
      configuration.chance = {
        for future in failing.withLock({ $0 }) { future.cancel() }
        return 1
      }
    }
    let (first, second) = (fixture.future("first"), fixture.future("second"))
    failing.withLock { $0 = [first] }
    await fixture.held.waitForRequests()
    fixture.held.fail()
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.url == LoaderFixture.url("second"))
    #expect(first.failure?.isCancelled == true)
    #expect(fixture.clock.waits.isEmpty)
    #expect(events.withLock { !$0.contains { $0.contains("will be tried again") } })
    // Releases the future. Otherwise, the loader's configuration would retain the loader through the future.
    failing.withLock { $0 = [] }
    withExtendedLifetime((first, second)) {}
  }
}
