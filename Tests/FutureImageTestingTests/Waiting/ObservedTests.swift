import Testing

@testable import FutureImageTesting

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ObservedTests {
  @Test func `a condition that holds is not waited for`() async {
    await Observed(3).wait { $0 == 3 }
  }

  @Test func `a condition that held for an instant lets go`() async {
    let observed = Observed(0)
    let (looks, look) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      await observed.wait { value in
        look.yield()
        return value == 1
      }
    }
    // The first look is under the lock that the changes need: they come when the task is registered.
    for await _ in looks { break }
    observed.update { $0 = 1 }
    observed.update { $0 = 2 }
    await waiting.value
    #expect(observed.read { $0 } == 2)
  }

  @Test func `a cancelled task is let go, before and while it waits`() async {
    let observed = Observed(0)
    let tasks = (0..<200).map { _ in Task { await observed.wait { $0 == 1 } } }
    for (index, task) in tasks.enumerated() {
      if index.isMultiple(of: 3) { await Task.yield() }
      task.cancel()
    }
    for task in tasks { await task.value }
    #expect(observed.read { $0 } == 0)
  }

  @Test func `many tasks are let go once each by changes from many tasks`() async {
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
