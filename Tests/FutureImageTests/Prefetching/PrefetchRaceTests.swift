import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Prefetches that are canceled at the moment at which a waiter is added, or a view is bound.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PrefetchRaceTests {
  private let fixture = LoaderFixture()

  @Test func `canceling a prefetch does not remove a waiter that is added at the same time`() async {
    var cancelled = 0
    for number in 0..<races(4_000) {
      let future = fixture.future("\(number)")
      let prefetch = [future].prefetch(\.self)
      await race({ prefetch.cancel() }, { future.wait(.full) { _ in } })
      if future.waiterCount == 0 { cancelled += 1 }
      future.cancel()
    }
    #expect(cancelled == 0)
  }

  @MainActor @Test func `canceling a prefetch does not cancel a future that is bound at the same time`() {
    var cancelled = 0
    let view = imageView(64)
    for number in 0..<races(4_000) {
      let future = fixture.future("\(number)")
      let prefetch = [future].prefetch(\.self)
      let moment = Lock((isReady: false, isDone: false))
      Thread.detachNewThread {
        moment.withLock { $0.isReady = true }
        prefetch.cancel()
        moment.withLock { $0.isDone = true }
      }
      while !moment.withLock({ $0.isReady }) { sched_yield() }
      view.futureImage = future
      while !moment.withLock({ $0.isDone }) { sched_yield() }
      if !future.requestsBytes { cancelled += 1 }
    }
    #expect(cancelled == 0)
  }
}
