import FutureImageTesting
import Testing

@Suite("ManualClock", .tags(.threads), .timeLimit(.minutes(5))) struct ManualClockTests {
  @Test func `the clock's time does not change until the clock is advanced`() {
    let clock = ManualClock()
    let start = clock.now
    #expect(clock.now == start)
    clock.advance(by: .seconds(3))
    clock.advance(by: .milliseconds(250))
    #expect(start.duration(to: clock.now) == .milliseconds(3_250))
    #expect(clock.now == start.advanced(by: .milliseconds(3_250)))
    #expect(start < clock.now)
  }

  @Test func `a sleeper resumes at its deadline, not before`() async throws {
    let clock = ManualClock()
    let start = clock.now
    let sleeper = Task {
      try await clock.sleep(for: .seconds(2))
      return start.duration(to: clock.now)
    }
    try await clock.waitForSleepers()
    #expect(clock.waits == [.seconds(2)])
    clock.advance(by: .milliseconds(1_999))
    #expect(clock.waits == [.milliseconds(1)])
    clock.advance(by: .milliseconds(1))
    #expect(clock.waits.isEmpty)
    #expect(try await sleeper.value == .seconds(2))
  }

  @Test func `the clock lists its sleepers' remaining times, and an advance resumes the sleepers that are due`() async throws {
    let clock = ManualClock()
    let sleepers = [3, 1, 2].map { seconds in Task { try await clock.sleep(for: .seconds(seconds)) } }
    try await clock.waitForSleepers(3)
    #expect(clock.waits == [.seconds(1), .seconds(2), .seconds(3)])
    clock.advance(by: .seconds(2))
    #expect(clock.waits == [.seconds(1)])
    try await sleepers[1].value
    try await sleepers[2].value
    clock.advance(by: .seconds(60))
    try await sleepers[0].value
  }

  @Test(arguments: [0, -5])
  func `a sleep for zero or a negative duration returns at once`(seconds: Int) async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(10))
    try await clock.sleep(for: .seconds(seconds))
    #expect(clock.waits.isEmpty)
  }

  @Test func `a canceled sleeper throws CancellationError at once`() async throws {
    let clock = ManualClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers()
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.waits.isEmpty)
  }

  @Test func `a task that is already canceled does not sleep`() async {
    let clock = ManualClock()
    let sleeper = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.waits.isEmpty)
  }

  @Test func `waitForSleepers returns at once if the clock has enough sleepers`() async throws {
    let clock = ManualClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(1)
    try await clock.waitForSleepers(1)
    try await clock.waitForSleepers(0)
    clock.advance(by: .seconds(1))
    try await sleeper.value
  }
}
