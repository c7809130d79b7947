import Dispatch
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct WorkQueueTests {
  private struct Refused: Error {}

  @Test func `a call of run returns the value that the work returns, or throws the error that the work throws`() async throws {
    let queue = WorkQueue(label: "test", width: 2, qos: .utility)
    #expect(try await queue.run { 7 } == 7)
    await #expect(throws: Refused.self) { try await queue.run { throw Refused() } }
  }

  @Test func `a queue runs exactly as many jobs at the same time as its width`() async throws {
    let queue = WorkQueue(label: "test", width: 3, qos: .utility)
    let counts = Lock((running: 0, most: 0, begun: 0))
    let threeRun = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          try await queue.run {
            let begun = counts.withLock { counts in
              counts.running += 1
              counts.begun += 1
              counts.most = max(counts.most, counts.running)
              return counts.begun
            }
            // The first two jobs wait for the third, so that three do run at once.
            if begun == 3 {
              threeRun.signal()
              threeRun.signal()
            } else if begun < 3 {
              threeRun.wait()
            }
            counts.withLock { $0.running -= 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(counts.withLock { $0.most } == 3)
    #expect(counts.withLock { $0.begun } == 200)
  }

  @Test func `a queue with one thread runs a backlog of thousands of jobs in order`() async throws {
    let queue = WorkQueue(label: "test", width: 1, qos: .utility)
    let order = Lock<[Int]>([])
    for number in 0..<5000 {
      queue.submit { order.withLock { $0.append(number) } }
    }
    try await queue.run {}
    #expect(order.withLock { $0 } == Array(0..<5000))
  }

  @Test func `while jobs of one lane hang, jobs of other lanes run, and the hung jobs later run in order`() async throws {
    let queue = WorkQueue(label: "test", width: 3, laneWidth: 1, qos: .utility)
    let mayGoOn = DispatchSemaphore(value: 0)
    let order = Lock<[Int]>([])
    for number in 0..<10 {
      queue.submit(lane: "hung") {
        mayGoOn.wait()
        order.withLock { $0.append(number) }
      }
    }
    for _ in 0..<5 { try await queue.run(lane: "other") {} }
    #expect(order.withLock { $0.isEmpty })
    for _ in 0..<9 { mayGoOn.signal() }
    queue.submit(lane: "hung") { order.withLock { $0.append(10) } }
    mayGoOn.signal()
    try await queue.run(lane: "hung") {}
    #expect(order.withLock { $0 } == Array(0..<11))
  }

  @Test func `a lane never runs more jobs than its width, even after some of its jobs have ended`() async throws {
    let queue = WorkQueue(label: "test", width: 3, laneWidth: 2, qos: .utility)
    let (mayEnd, otherMayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (hasRun, hasEnded) = (Lock(false), Signal())
    queue.submit(lane: "a") { mayEnd.wait() }
    queue.submit(lane: "other") { otherMayEnd.wait() }
    try await queue.run(lane: "a") {}
    // Two of the three threads are blocked, so this job starts only after the third thread has ended its previous job and released the slot
    // of that job.
    try await queue.run(lane: "b") {}
    otherMayEnd.signal()
    queue.submit(lane: "a") { mayEnd.wait() }
    queue.submit(lane: "a") {
      hasRun.withLock { $0 = true }
      hasEnded.send()
    }
    for _ in 0..<5 { try await queue.run(lane: "b") {} }
    #expect(hasRun.withLock { !$0 })
    for _ in 0..<2 { mayEnd.signal() }
    await hasEnded.wait()
  }

  @Test func `a job is released when it has run, even while other jobs wait`() async {
    final class Token: Sendable {}
    let queue = WorkQueue(label: "test", width: 1, qos: .utility)
    let allAreQueued = DispatchSemaphore(value: 0)
    queue.submit { allAreQueued.wait() }
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      queue.submit { withExtendedLifetime(strong) {} }
    }
    let mayEnd = DispatchSemaphore(value: 0)
    await withCheckedContinuation { continuation in
      queue.submit {
        continuation.resume()
        mayEnd.wait()
      }
      allAreQueued.signal()
    }
    // The next job runs, so the queue has not become empty.
    #expect(token == nil)
    mayEnd.signal()
  }
}
