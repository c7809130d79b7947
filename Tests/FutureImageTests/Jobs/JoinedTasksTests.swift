import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct JoinedTasksTests {
  @Test func `concurrent calls with the same key share the result of one run`() async throws {
    let tasks = JoinedTasks<String, Int>()
    let (runs, gate) = (Lock(0), Signal())
    let values = (0..<10).map { _ in
      Task {
        try await tasks.value(of: "k") {
          runs.withLock { $0 += 1 }
          await gate.wait()
          return 7
        }
      }
    }
    await waitWhile(tasks.state.withLock({ $0.jobs["k"]?.waiters.count ?? 0 }) < 10)
    let other = try await tasks.value(of: "other") { 8 }
    gate.send()
    for value in values { #expect(try await value.value == 7) }
    #expect(other == 8)
    #expect(runs.withLock { $0 } == 1)
    #expect(try await tasks.value(of: "k") { 9 } == 9)
  }

  @Test func `canceling the last waiter cancels the run, and the waiter resumes at once`() async throws {
    let tasks = JoinedTasks<String, Int>()
    let (begun, cancelled) = (Signal(), Signal())
    let work: @Sendable () async throws -> Int = {
      begun.send()
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.send()
      }
      return 1
    }
    let first = Task { try await tasks.value(of: "k", work) }
    await begun.wait()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await cancelled.wait()
  }

  @Test func `a caller that is canceled before it waits starts no run, and leaves neither a job nor a waiter`() async {
    let tasks = JoinedTasks<String, Int>()
    let (mayCall, runs) = (Signal(), Lock(0))
    let caller = Task { () async throws -> Int in
      await mayCall.wait()
      return try await tasks.value(of: "k") {
        runs.withLock { $0 += 1 }
        return 1
      }
    }
    caller.cancel()
    mayCall.send()
    await #expect(throws: CancellationError.self) { _ = try await caller.value }
    #expect(runs.withLock { $0 } == 0)
    #expect(tasks.state.withLock { $0.jobs.isEmpty && $0.waiters.isEmpty })
  }

  @Test func `a job that is canceled before its start never runs, and its key can be used again`() async throws {
    let tasks = JoinedTasks<String, Int>(limit: 1)
    let gate = Signal()
    let begun = Signal()
    let running = Task {
      try await tasks.value(of: "a", lane: "") {
        begun.send()
        await gate.wait()
        return 1
      }
    }
    await begun.wait()
    let hasRun = Lock(false)
    let queued = Task {
      try await tasks.value(of: "b", lane: "") {
        hasRun.withLock { $0 = true }
        return 2
      }
    }
    await waitWhile(tasks.state.withLock { $0.jobs["b"] == nil })
    queued.cancel()
    await #expect(throws: CancellationError.self) { try await queued.value }
    gate.send()
    #expect(try await running.value == 1)
    #expect(try await tasks.value(of: "b", lane: "") { 3 } == 3)
    #expect(!hasRun.withLock { $0 })
  }

  @Test func `every caller resumes exactly once, at whatever moment tasks are canceled`() async throws {
    let tasks = JoinedTasks<Int, Int>(limit: 4)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<2000 {
        group.addTask {
          let task = Task {
            try await tasks.value(of: number % 7, lane: "") {
              await Task.yield()
              try Task.checkCancellation()
              return number % 7
            }
          }
          if number.isMultiple(of: 3) { await Task.yield() }
          if number.isMultiple(of: 2) { task.cancel() }
          switch await task.result {
          case .success(let value): #expect(value == number % 7)
          case .failure(let error): #expect(error is CancellationError && number.isMultiple(of: 2))
          }
        }
      }
    }
    #expect(tasks.state.withLock { $0.jobs.isEmpty && $0.waiters.isEmpty })
  }
}
