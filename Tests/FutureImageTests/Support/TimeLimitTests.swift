import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TimeLimitTests {
  private let time = EndingClock()

  @Test func `a result that arrives within the time limit is returned, and the timer ends`() async throws {
    let mayAnswer = Signal()
    let value = Task { [time] () async throws -> Int in
      try await withTimeLimit(.seconds(5), by: time.manual) {
        await mayAnswer.wait()
        return 7
      }
    }
    await time.manual.waitForSleepers()
    mayAnswer.send()
    #expect(try await value.value == 7)
    await waitWhile(!time.manual.waits.isEmpty)
  }

  @Test func `a closure that exceeds the time limit is canceled, and the call of withTimeLimit throws a timeout error`() async {
    let cancelled = Signal()
    let value = Task { [time] () async throws -> Int in
      try await withTimeLimit(.seconds(5), by: time.manual) {
        await withTaskCancellationHandler {
          await cancelled.wait()
        } onCancel: {
          cancelled.send()
        }
        return 7
      }
    }
    await time.manual.waitForSleepers()
    time.manual.advance(by: .seconds(5))
    let failure = await #expect(throws: FutureImage.Failure.self) { _ = try await value.value }
    #expect(failure?.reason == .transport(.timedOut))
    await cancelled.wait()
  }
}
