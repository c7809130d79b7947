import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct OpenFilesTests {
  @Test func `a task that is canceled before it waits to open a file throws at once, and does not open the file`() async throws {
    let files = OpenFiles(limit: 1)
    let hasEntered = Lock(false)
    try await files.withRoom {
      let canceled = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await files.withRoom { hasEntered.withLock { $0 = true } }
      }
      await #expect(throws: CancellationError.self) { try await canceled.value }
    }
    #expect(hasEntered.withLock { $0 } == false)
    // The canceled task takes no room.
    try await files.withRoom {}
  }
}
