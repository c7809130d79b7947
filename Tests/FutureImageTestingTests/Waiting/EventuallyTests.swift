import FutureImageTesting
import Testing

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct EventuallyTests {
  @MainActor private final class Counter {
    var count = 0
  }

  @Test func `a call to eventually checks a condition only once if the condition is already true`() async throws {
    var asked = 0
    try await eventually {
      asked += 1
      return true
    }
    #expect(asked == 1)
  }

  @MainActor @Test func `a call to eventually lets other tasks of the same actor run until the condition holds`() async throws {
    let counter = Counter()
    let task = Task {
      for _ in 0..<20 {
        await Task.yield()
        counter.count += 1
      }
    }
    try await eventually("the count is full") { counter.count == 20 }
    await task.value
  }

  @Test func `a condition may read a value of another actor`() async throws {
    let counter = Counter()
    Task { @MainActor in counter.count = 3 }
    try await eventually { await counter.count == 3 }
  }

  @MainActor @Test func `the error after the time limit names the line, the condition, and the current value`() async throws {
    let (clock, counter) = (ManualClock(), Counter())
    let line = #line + 2
    let task = Task {
      try await eventually("the count is 5; it is \(counter.count)", within: WaitLimit(.seconds(1), clock: clock)) { counter.count == 5 }
    }
    try await clock.waitForSleepers()
    counter.count = 4
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: WaitTimedOut.self) { try await task.value }
    #expect(error?.description.hasPrefix("EventuallyTests.swift:\(line): waited 1.0 seconds until the count is 5; it is 4. ") == true)
  }

  @MainActor @Test func `a call to eventually succeeds if the condition becomes true just before the time limit passes`() async throws {
    let (clock, counter) = (ManualClock(), Counter())
    let task = Task { try await eventually(within: WaitLimit(.seconds(1), clock: clock)) { counter.count == 1 } }
    try await clock.waitForSleepers()
    counter.count = 1
    clock.advance(by: .seconds(1))
    try await task.value
  }

  @Test func `a call to eventually throws CancellationError if the calling task is canceled`() async {
    let task = Task { try await eventually { false } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a call to eventually throws the error that the condition throws`() async {
    struct Fault: Error {}
    await #expect(throws: Fault.self) { try await eventually { throw Fault() } }
  }
}
