import Testing

@testable import FutureImageTesting

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ObservedTests {
  @Test func `a wait returns at once if its condition is already true`() async {
    await Observed(3).wait { $0 == 3 }
  }

  @Test func `a wait returns if its condition was true only for an instant`() async {
    let observed = Observed(0)
    let (checks, check) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      await observed.wait { value in
        check.yield()
        return value == 1
      }
    }
    // The wait checks its condition and registers the task under one lock. The changes need the same lock, so they follow the registration.
    for await _ in checks { break }
    observed.update { $0 = 1 }
    observed.update { $0 = 2 }
    await waiting.value
    #expect(observed.read { $0 } == 2)
  }

  @Test func `a wait returns if its task is canceled before or during the wait`() async {
    let observed = Observed(0)
    let tasks = (0..<200).map { _ in Task { await observed.wait { $0 == 1 } } }
    for (index, task) in tasks.enumerated() {
      if index.isMultiple(of: 3) { await Task.yield() }
      task.cancel()
    }
    for task in tasks { await task.value }
    #expect(observed.read { $0 } == 0)
  }

  @Test func `changes from many tasks resume every waiting task whose condition they meet`() async {
    let observed = Observed(0)
    await withTaskGroup(of: Int.self) { group in
      for goal in 1...200 {
        group.addTask {
          await observed.wait { $0 >= goal }
          return observed.read { $0 } >= goal ? 0 : 1
        }
        group.addTask {
          observed.update { $0 += 1 }
          return 0
        }
      }
      #expect(await group.reduce(0, +) == 0)
    }
  }
}
