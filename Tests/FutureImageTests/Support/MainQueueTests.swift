import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("MainQueue", .tags(.threads), .timeLimit(.minutes(5))) struct MainQueueTests {
  @MainActor private final class Record {
    var entries: [String] = []
    var count = 0
  }

  private let clock = ManualClock()
  private let record = Record()

  private func queue() -> MainQueue { MainQueue(budget: .milliseconds(4), clock: clock) }

  private func add(_ name: String, taking milliseconds: Int = 0, to queue: MainQueue) {
    queue.add { [record, clock] in
      record.entries.append(name)
      clock.advance(by: .milliseconds(milliseconds))
    }
  }

  /// Adds work to the main thread without the queue, as other code does.
  private func addOther(_ name: String) {
    DispatchQueue.main.async { [record] in
      // The main dispatch queue is the main actor's executor.
      MainActor.assumeIsolated { record.entries.append(name) }
    }
  }

  /// Returns when all work added so far is done, including that of other code.
  private func finish(_ queue: MainQueue) async {
    await withCheckedContinuation { continuation in queue.add { continuation.resume() } }
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }

  @Test func `on the main thread, added work runs only after the call that adds the work has returned`() async {
    let queue = queue()
    #expect(queue.isEmpty)
    add("a", to: queue)
    #expect(record.entries.isEmpty)
    #expect(!queue.isEmpty)
    await finish(queue)
    #expect(record.entries == ["a"])
    #expect(queue.isEmpty)
  }

  @Test func `work runs in the order in which it was added`() async {
    let queue = queue()
    let names = (0..<200).map { "\($0)" }
    for name in names { add(name, taking: 1, to: queue) }
    await finish(queue)
    #expect(record.entries == names)
  }

  @Test func `one turn on the main thread runs all waiting work`() async {
    let queue = queue()
    add("a", to: queue)
    addOther("other")
    add("b", to: queue)
    add("c", to: queue)
    await finish(queue)
    #expect(record.entries == ["a", "b", "c", "other"])
  }

  @Test func `work that other work adds runs in the same turn, but after work that was added earlier`() async {
    let queue = queue()
    queue.add { [record] in
      record.entries.append("a")
      queue.add { record.entries.append("c") }
    }
    add("b", to: queue)
    addOther("other")
    await finish(queue)
    #expect(record.entries == ["a", "b", "c", "other"])
  }

  @Test func `a turn ends when its budget is used up, and other code runs before the next turn`() async {
    let queue = queue()
    for name in ["a", "b", "c", "d", "e"] { add(name, taking: 2, to: queue) }
    addOther("other")
    await finish(queue)
    #expect(record.entries == ["a", "b", "other", "c", "d", "e"])
    #expect(queue.longestStretch == .milliseconds(4))
  }

  @Test func `other code on the main thread runs each time a turn has used up its budget`() async {
    let queue = queue()
    for name in ["a", "b", "c"] {
      queue.add { [record, clock, self] in
        record.entries.append(name)
        clock.advance(by: .milliseconds(4))
        addOther("after \(name)")
      }
    }
    await finish(queue)
    #expect(record.entries == ["a", "after a", "b", "after b", "c", "after c"])
  }

  @Test func `work that exceeds the budget is not interrupted, and longestStretch includes its time`() async {
    let queue = queue()
    add("a", taking: 1, to: queue)
    add("b", taking: 50, to: queue)
    add("c", taking: 3, to: queue)
    await finish(queue)
    #expect(record.entries == ["a", "b", "c"])
    #expect(queue.longestStretch == .milliseconds(51))
  }

  @Test func `longestWork reports the processor time of a turn, even if no time passes on the clock`() async {
    let queue = queue()
    queue.add {
      let time = ThreadTime()
      while time.used < .milliseconds(1) {}
    }
    await finish(queue)
    #expect(queue.longestWork >= .milliseconds(1))
    #expect(queue.longestStretch == .zero)
  }

  @Test func `if a turn exceeds its budget, work that the turn added runs after work that was added earlier`() async {
    let queue = queue()
    queue.add { [record, clock, self] in
      record.entries.append("a")
      add("d", to: queue)
      clock.advance(by: .milliseconds(9))
    }
    add("b", to: queue)
    add("c", to: queue)
    await finish(queue)
    #expect(record.entries == ["a", "b", "c", "d"])
  }

  @Test func `in total, the turns of a queue move at most as many elements in memory as were added to the queue`() {
    let turns = Lock<[@Sendable () -> Void]>([])
    let queue = MainQueue(budget: .milliseconds(100), clock: clock, turns: { turn in turns.withLock { $0.append(turn) } })
    let count = 400_000
    for _ in 0..<count {
      queue.add { [record, clock] in
        record.count += 1
        clock.advance(by: .milliseconds(1))
      }
    }
    var (moved, next) = (0, 0)
    while record.count < count, moved <= count, let turn = turns.withLock({ $0.popLast() }) {
      turn()
      next += 100
      // A turn runs 100 elements, because each of them takes one of the 100 milliseconds of the budget. A turn that moves no elements only
      // advances `taken.next` by 100. Any other turn has moved all elements that are left.
      if queue.taken.next != next { (moved, next) = (moved + queue.count, queue.taken.next) }
    }
    #expect(record.count == count && moved <= count)
    // A remaining turn would retain the queue, and the queue retains the turns.
    turns.withLock { $0 = [] }
  }

  @Test
  func `if work is added within two milliseconds after a turn, it waits until the two milliseconds have passed, and runs in one turn`()
    async
  {
    struct Waiting: Sendable {
      let time: Duration
      let work: @Sendable () -> Void
    }
    let waiting = Lock<[Waiting]>([])
    let queue = MainQueue(clock: clock) { time, work in waiting.withLock { $0.append(Waiting(time: time, work: work)) } }
    add("a", to: queue)
    await finish(queue)
    clock.advance(by: .milliseconds(1))
    add("b", to: queue)
    add("c", to: queue)
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(record.entries == ["a"])
    #expect(waiting.withLock { $0.map(\.time) } == [.milliseconds(1)])
    // The test removes the work, because the queue retains the timer, the timer retains the work, and the work retains the queue.
    let due = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for waiting in due { DispatchQueue.main.async(execute: waiting.work) }
    await finish(queue)
    #expect(record.entries == ["a", "b", "c"])
  }

  @Test func `work that is added two milliseconds after a turn runs without a timer`() async {
    let timed = Lock(0)
    let queue = MainQueue(clock: clock) { _, work in
      timed.withLock { $0 += 1 }
      DispatchQueue.main.async(execute: work)
    }
    add("a", to: queue)
    await finish(queue)
    clock.advance(by: .milliseconds(2))
    add("b", to: queue)
    addOther("other")
    await finish(queue)
    #expect(record.entries == ["a", "b", "other"])
    #expect(timed.withLock { $0 } == 0)
  }

  @Test func `each piece of work from many threads runs once, in the order in which its thread added it`() async {
    let queue = queue()
    let record = record
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<250 { queue.add { record.entries.append("\(thread) \(number)") } }
        }
      }
    }
    await finish(queue)
    #expect(record.entries.count == 1_000)
    for thread in 0..<4 {
      #expect(record.entries.filter { $0.hasPrefix("\(thread) ") } == (0..<250).map { "\(thread) \($0)" })
    }
  }

  @Test func `a queue is not empty while its last work runs`() async {
    let queue = queue()
    queue.add { [record] in record.entries.append("\(queue.isEmpty)") }
    await finish(queue)
    #expect(record.entries == ["false"])
    #expect(queue.isEmpty)
  }

  private nonisolated static func isCurrentOnAnotherQueue() -> Bool { DispatchQueue(label: "another").sync { MainQueue.isCurrent } }

  @Test func `isCurrent is true on the main actor, and on the main thread while that thread runs the work of another queue`() {
    #expect(MainQueue.isCurrent)
    // The program may have ended its first thread. The main actor then runs on other threads.
    #expect(MainQueueTests.isCurrentOnAnotherQueue() == Thread.isMainThread)
  }
}
