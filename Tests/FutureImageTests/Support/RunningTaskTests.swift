import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RunningTaskTests {
  @Test func `the priority of a task rises and never falls`() async {
    let mayEnd = Signal()
    let task = Task<Void, Never>.detached(priority: .low) { await mayEnd.wait() }
    var running = RunningTask(task, .low)
    running.escalate(to: .high)
    #expect(running.priority == .high)
    running.escalate(to: .medium)
    #expect(running.priority == .high)
    mayEnd.send()
    await task.value
  }
}
