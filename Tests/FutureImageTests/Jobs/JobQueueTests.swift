import Testing

@testable import FutureImage

@Suite("JobQueue", .timeLimit(.minutes(5))) struct JobQueueTests {
  private final class Job: QueuedJob {
    let name: String

    init(_ name: String) {
      self.name = name
      super.init(lane: "x", Rank(reason: .created))
    }
  }

  private let a = Job("a")
  private let b = Job("b")
  private let c = Job("c")

  private func names(_ queue: inout JobQueue<Job>, _ count: Int) -> [String?] { (1...count).map { _ in queue.next()?.name } }

  private func rank(_ order: UInt64, _ reason: Rank.Reason = .created) -> Rank { Rank(reason: reason, order: order) }

  @Test func `the queue returns each job once, in the order of their ranks, whatever lanes they are in`() {
    var queue = JobQueue<Job>(laneLimit: 9)
    queue.enqueue(a, lane: "x", rank: rank(1))
    queue.enqueue(b, lane: "y", rank: rank(2, .bound))
    queue.enqueue(c, lane: "x", rank: rank(3, .prefetched))
    #expect(queue.waitingCount == 3)
    #expect(names(&queue, 4) == ["b", "c", "a", nil])
    #expect(queue.waitingCount == 0)
  }

  @Test func `a job that is enqueued again has only its new position`() {
    var queue = JobQueue<Job>(laneLimit: 9)
    queue.enqueue(a, lane: "x", rank: rank(1, .bound))
    queue.enqueue(b, lane: "x", rank: rank(2, .prefetched))
    queue.enqueue(a, lane: "x", rank: rank(3))
    #expect(queue.waitingCount == 2)
    #expect(names(&queue, 3) == ["b", "a", nil])
  }

  @Test func `a removed job is not returned`() {
    var queue = JobQueue<Job>(laneLimit: 9)
    queue.enqueue(a, lane: "x", rank: rank(1))
    queue.enqueue(b, lane: "x", rank: rank(2))
    queue.remove(a, lane: "x")
    queue.remove(a, lane: "x")
    #expect(a.ticket == nil)
    #expect(b.ticket != nil)
    #expect(queue.waitingCount == 1)
    #expect(names(&queue, 2) == ["b", nil])
  }

  @Test func `a lane starts at most as many jobs as its limit until one of them ends`() {
    var queue = JobQueue<Job>(laneLimit: 1)
    queue.enqueue(a, lane: "x", rank: rank(1))
    queue.enqueue(b, lane: "x", rank: rank(2))
    queue.enqueue(c, lane: "y", rank: rank(3))
    #expect(names(&queue, 3) == ["a", "c", nil])
    queue.ended(lane: "y")
    #expect(queue.next() == nil)
    queue.ended(lane: "x")
    #expect(queue.next() === b)
  }

  @Test func `a lane that was removed does not have its old jobs when it is created again`() {
    var queue = JobQueue<Job>(laneLimit: 1)
    queue.enqueue(a, lane: "x", rank: rank(1, .bound))
    #expect(queue.next() === a)
    // The queue removes a lane that has no waiting and no running job.
    queue.ended(lane: "x")
    queue.enqueue(b, lane: "x", rank: rank(2))
    #expect(names(&queue, 2) == ["b", nil])
  }

  @Test func `the next job has the greatest rank of all lanes, even among 10,000 lanes`() {
    var queue = JobQueue<Job>(laneLimit: 1)
    let jobs = (0..<10_000).map { Job("\($0)") }
    for (number, job) in jobs.enumerated().reversed() { queue.enqueue(job, lane: "\(number)", rank: rank(UInt64(number))) }
    for number in 0..<10_000 {
      #expect(queue.next() === jobs[number])
      if number.isMultiple(of: 2) { queue.ended(lane: "\(number)") }
    }
    #expect(queue.next() == nil)
  }

  @Test func `thousands of promotions lose no job and preserve the order`() {
    var queue = JobQueue<Job>(laneLimit: .max)
    let jobs = (0..<50).map { Job("\($0)") }
    var order: UInt64 = 0
    for _ in 0..<100 {
      for job in jobs {
        order += 1
        queue.enqueue(job, lane: "x", rank: rank(order, .bound))
      }
    }
    for _ in 0..<1_000 {
      order += 1
      queue.enqueue(jobs[7], lane: "x", rank: rank(order, .bound))
    }
    #expect(queue.waitingCount == 50)
    // Among bound jobs, the latest is first.
    #expect(names(&queue, 51) == ["7"] + (0..<50).reversed().filter { $0 != 7 }.map { "\($0)" } + [nil])
  }

  @Test func `a job that began again occupies a slot of its lane until it ends`() {
    var queue = JobQueue<Job>(laneLimit: 1)
    queue.enqueue(a, lane: "x", rank: rank(1))
    #expect(queue.next() === a)
    queue.ended(lane: "x")
    queue.began(lane: "x")
    queue.enqueue(b, lane: "x", rank: rank(2))
    #expect(queue.next() == nil)
    queue.ended(lane: "x")
    #expect(queue.next() === b)
  }

  @Test func `a removed job is released at once, even if its old position remains in the queue`() {
    var queue = JobQueue<Job>(laneLimit: 1)
    weak var job: Job?
    queue.enqueue(a, lane: "x", rank: rank(1))
    do {
      let removed = Job("removed")
      job = removed
      queue.enqueue(removed, lane: "x", rank: rank(2))
      queue.remove(removed, lane: "x")
    }
    #expect(job == nil)
    #expect(names(&queue, 2) == ["a", nil])
  }

  @Test func `a promoted job is released as soon as it has started, even if its old position remains in the queue`() {
    var queue = JobQueue<Job>(laneLimit: 9)
    weak var job: Job?
    queue.enqueue(a, lane: "x", rank: rank(1))
    do {
      let moved = Job("moved")
      job = moved
      queue.enqueue(moved, lane: "x", rank: rank(2))
      queue.enqueue(moved, lane: "x", rank: rank(3, .bound))
      #expect(queue.next() === moved)
    }
    #expect(job == nil)
    #expect(names(&queue, 2) == ["a", nil])
  }
}
