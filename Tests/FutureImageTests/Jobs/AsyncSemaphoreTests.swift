import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct AsyncSemaphoreTests {
  @Test func `a task that is canceled before it waits throws at once, and does not count toward the semaphore's limit`() async throws {
    let semaphore = AsyncSemaphore(limit: 1)
    let hasEntered = Lock(false)
    try await semaphore.withRoom {
      let canceled = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await semaphore.withRoom { hasEntered.withLock { $0 = true } }
      }
      await #expect(throws: CancellationError.self) { try await canceled.value }
    }
    #expect(hasEntered.withLock { $0 } == false)
    try await semaphore.withRoom {}
  }
}
