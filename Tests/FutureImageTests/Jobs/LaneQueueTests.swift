import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct LaneQueueTests {
  final class Job: QueuedJob {
    let name: String

    init(
      _ name: String, lane: String? = "", _ reason: Rank.Reason = .created, _ priority: FutureImage.Priority = .normal, order: UInt64 = 0
    ) {
      self.name = name
      super.init(lane: lane, Rank(reason: reason, priority: priority, order: order))
    }
  }

  typealias Queue = LaneQueue<Job>

  let a = Job("a")
  let b = Job("b")
  let c = Job("c")

  // MARK: Runs

  @Test func `a job waits until the queue returns it, and then has a run with a number`() {
    var queue = Queue(limit: 2)
    queue.add(a)
    #expect(a.run == nil)
    #expect(queue.waitingCount == 1)
    #expect(queue.next() === a)
    #expect(queue.next() == nil)
    #expect(a.isCurrent(run: 1))
    #expect(queue.waitingCount == 0)
    #expect(queue.count == 1)
  }

  @Test func `runs are numbered in the order in which they start, whether their jobs have a lane or not`() {
    var queue = Queue(limit: 1)
    let free = Job("free", lane: nil)
    #expect(queue.admit([a, b, free]) == ["a", "free"])
    #expect(queue.starts { $0.finish(a, run: 1) } == ["b"])
    #expect([a.run, free.run, b.run] == [1, 2, 3])
  }

  @Test func `the end of a run ends its job only once`() {
    var queue = Queue(limit: 1)
    queue.admit([a])
    let wereNeeded = [1, 1].map { queue.finish(a, run: $0) }
    #expect(wereNeeded == [true, false])
    #expect(a.hasEnded)
    #expect(!a.isCurrent(run: 1))
    #expect(queue.isEmpty)
  }

  @Test func `the end of a run is ignored if the job still waits or if the run is not a run of the job`() {
    var queue = Queue(limit: 1)
    queue.admit([a, b])
    let wereNeeded = [queue.finish(b, run: 1), queue.finish(b, run: 2), queue.finish(a, run: 2)]
    #expect(wereNeeded == [false, false, false])
    #expect(queue.starts().isEmpty)
    #expect(queue.count == 2)
  }

  @Test func `the run count includes a run until it has ended, except while it is parked`() {
    var queue = Queue(limit: 3)
    let (parked, canceled) = (Job("parked"), Job("canceled"))
    queue.admit([parked, Job("running"), canceled, Job("next"), Job("queued")])
    #expect(queue.runCount == 3)
    queue.cancel(canceled)
    #expect(queue.starts { $0.park(parked, run: 1) } == ["next"])
    // The canceled run has not ended.
    #expect(queue.runCount == 3)
    #expect(queue.parkedCount == 1)
    #expect(queue.waitingCount == 1)
    #expect(queue.count == 4)
    #expect(queue.starts { $0.finish(canceled, run: 3) } == ["queued"])
    queue.cancel(parked)
    #expect(queue.runCount == 3)
    #expect(queue.parkedCount == 0)
    #expect(queue.count == 3)
  }

  // MARK: Cancellation

  @Test func `a job that is canceled while it waits never starts`() {
    var queue = Queue(limit: 1)
    queue.admit([a, b])
    queue.cancel(b)
    #expect(b.hasEnded)
    #expect(queue.waitingCount == 0)
    #expect(queue.starts { $0.finish(a, run: 1) }.isEmpty)
    #expect(queue.isEmpty)
  }

  @Test func `a canceled run has its slot until it has ended, and releases the slot only once`() {
    var queue = Queue(limit: 1)
    queue.admit([a, b, c])
    #expect(queue.starts { $0.cancel(a) }.isEmpty)
    #expect(queue.starts { $0.finish(a, run: 1) } == ["b"])
    #expect(queue.starts { $0.finish(a, run: 1) }.isEmpty)
  }

  @Test func `a canceled run is no longer current, and its result is not needed`() {
    var queue = Queue(limit: 1)
    queue.admit([a])
    queue.cancel(a)
    #expect(!a.isCurrent(run: 1))
    #expect(queue.isEmpty)
    #expect(queue.runCount == 1)
    let isNeeded = queue.finish(a, run: 1)
    #expect(!isNeeded)
    #expect(queue.runCount == 0)
  }

  @Test func `canceling a job that has ended or was canceled changes nothing`() {
    var queue = Queue(limit: 1)
    queue.admit([a, b, c])
    for _ in 1...2 { queue.cancel(a) }
    #expect(queue.count == 2)
    #expect(queue.starts { $0.finish(a, run: 1) } == ["b"])
    #expect(queue.starts { $0.finish(b, run: 2) } == ["c"])
    for job in [a, b] { queue.cancel(job) }
    #expect(queue.count == 1)
    #expect(c.isCurrent(run: 3))
  }

  @Test func `a job that replaces a canceled job starts when the old run has ended`() {
    var queue = Queue(limit: 1)
    let new = Job("new")
    queue.admit([a])
    queue.cancel(a)
    #expect(queue.admit([new]).isEmpty)
    #expect(queue.starts { $0.finish(a, run: 1) } == ["new"])
    let isNeeded = queue.finish(new, run: 2)
    #expect(isNeeded)
    #expect(queue.isEmpty)
  }

  @Test func `a canceled run releases its slot in its lane when it has ended`() {
    var queue = Queue(limit: 9, laneLimit: 1)
    queue.admit([a, b])
    queue.cancel(a)
    #expect(queue.starts { $0.finish(a, run: 1) } == ["b"])
    queue.cancel(b)
    #expect(queue.admit([c]).isEmpty)
    #expect(queue.admit([Job("other", lane: "other")]) == ["other"])
    #expect(queue.starts { $0.finish(b, run: 2) } == ["c"])
  }

  @Test(arguments: ["waiting", "running", "parked", "finished"])
  func `a queue does not retain a job that has ended or was canceled`(when: String) {
    var queue = Queue(limit: 1)
    weak var gone: Job?
    do {
      let job = Job("job")
      gone = job
      queue.add(job)
      if when != "waiting" { queue.starts() }
      switch when {
      case "parked": queue.park(job, run: 1)
      case "finished": queue.finish(job, run: 1)
      default: break
      }
      queue.cancel(job)
    }
    #expect(gone == nil)
    #expect(queue.isEmpty)
  }

  // MARK: Order

  /// Returns the names in the order in which the jobs run, one at a time, after a job that has the only slot.
  private func order(_ jobs: [Job], _ change: (inout Queue) -> Void = { _ in }) -> [String] {
    var queue = Queue(limit: 1)
    let first = Job("first", .created, .low)
    queue.admit([first] + jobs)
    change(&queue)
    queue.finish(first, run: 1)
    var names: [String] = []
    while let job = queue.next(), let run = job.run {
      names.append(job.name)
      queue.finish(job, run: run)
    }
    #expect(queue.isEmpty)
    return names
  }

  @Test(arguments: [Rank.Reason.created, .prefetched])
  func `created and prefetched jobs run in the order of their requests, even if they were added in another order`(reason: Rank.Reason) {
    let jobs = (1...20).map { Job("\($0)", reason, order: UInt64($0)) }
    #expect(order(jobs.reversed()) == jobs.map(\.name))
  }

  @Test func `the most recently bound job runs first`() {
    let jobs = (1...20).map { Job("\($0)", .bound, order: UInt64($0)) }
    #expect(order(jobs) == jobs.reversed().map(\.name))
  }

  @Test func `jobs of the same rank run in the order in which they were added`() {
    #expect(order([b, a, c]) == ["b", "a", "c"])
  }

  @Test func `bound jobs run before prefetched jobs, and prefetched jobs before created jobs, whatever the priority`() {
    let jobs = [Job("created", .created, .high), Job("prefetched", .prefetched), Job("bound", .bound, .low)]
    #expect(order(jobs) == ["bound", "prefetched", "created"])
  }

  @Test(arguments: [Rank.Reason.created, .prefetched, .bound]) func `jobs with the same reason run by priority`(reason: Rank.Reason) {
    let jobs = [Job("normal", reason), Job("high", reason, .high), Job("low", reason, .low)]
    #expect(order(jobs) == ["high", "normal", "low"])
  }

  // MARK: Promotion

  @Test func `a promoted job moves ahead of all jobs that wait with a less urgent reason`() {
    #expect(order([a, b, c]) { $0.promote(c, to: Rank(reason: .bound)) } == ["c", "a", "b"])
    #expect(c.rank == Rank(reason: .bound))
  }

  @Test func `a job that is bound again becomes the most recently bound job`() {
    let jobs = ["1", "2", "3"].enumerated().map { Job($1, .bound, order: UInt64($0)) }
    #expect(order(jobs) { $0.promote(jobs[0], to: Rank(reason: .bound, order: 3)) } == ["1", "3", "2"])
  }

  @Test func `a promotion to the same or a lower rank moves no job`() {
    let jobs = [Job("1", .bound, order: 1), Job("2", .bound, order: 2), a, b]
    let names = order(jobs) { queue in
      queue.promote(jobs[1], to: Rank(reason: .created, order: 9))
      queue.promote(jobs[1], to: Rank(reason: .bound, priority: .low, order: 9))
      for job in jobs { queue.promote(job, to: job.rank) }
    }
    #expect(names == ["2", "1", "a", "b"])
    #expect(jobs[1].rank == Rank(reason: .bound, order: 2))
  }

  @Test func `a promotion returns whether the task priority of a run has increased`() {
    var queue = Queue(limit: 1)
    queue.admit([a, b])
    let ranks = [Rank(reason: .prefetched), Rank(reason: .bound), Rank(reason: .bound, order: 1)]
    let isMoreUrgent = [a, b].map { job in ranks.map { queue.promote(job, to: $0) } }
    // A job that waits has no run.
    #expect(isMoreUrgent == [[false, true, false], [false, false, false]])
    #expect([a, b].allSatisfy { $0.rank == ranks[2] })
  }

  @Test func `promoting a job that has ended or was canceled changes nothing`() {
    var queue = Queue(limit: 1)
    queue.admit([a, b])
    queue.cancel(b)
    queue.finish(a, run: 1)
    let isMoreUrgent = [a, b].map { queue.promote($0, to: Rank(reason: .bound)) }
    #expect(isMoreUrgent == [false, false])
    #expect([a, b].allSatisfy { $0.rank == Rank(reason: .created) })
    #expect(queue.starts().isEmpty)
  }

  // MARK: Parking

  // A parked job, such as a fetch that waits for its next attempt, has no slot until it is resumed.

  @Test func `a parked run releases its slot, and its job runs again under a new number`() {
    var queue = Queue(limit: 1)
    queue.admit([a, b])
    #expect(queue.starts { $0.park(a, run: 1) } == ["b"])
    #expect(queue.starts { $0.unpark(a) }.isEmpty)
    #expect(queue.starts { $0.finish(b, run: 2) } == ["a"])
    let wereNeeded = [1, 3].map { queue.finish(a, run: $0) }
    #expect(wereNeeded == [false, true])
    #expect(queue.isEmpty)
  }

  @Test func `a run does not end while it is parked`() {
    var queue = Queue(limit: 1)
    queue.admit([a])
    queue.park(a, run: 1)
    let isNeeded = queue.finish(a, run: 1)
    #expect(!isNeeded)
    #expect(a.isParked && !a.hasEnded)
    #expect(queue.count == 1)
    #expect(queue.starts { $0.unpark(a) } == ["a"])
  }

  @Test func `a parked job that is canceled frees no second slot and does not run again`() {
    var queue = Queue(limit: 1)
    queue.admit([a, b, c])
    #expect(queue.starts { $0.park(a, run: 1) } == ["b"])
    #expect(queue.starts { $0.cancel(a) }.isEmpty)
    #expect(queue.starts { $0.unpark(a) }.isEmpty)
    #expect(queue.starts { $0.finish(b, run: 2) } == ["c"])
    #expect(queue.starts { $0.finish(c, run: 3) }.isEmpty)
    #expect(queue.isEmpty)
  }

  @Test(arguments: [true, false]) func `a job that is promoted while it runs or is parked is enqueued at its new rank`(isParked: Bool) {
    var queue = Queue(limit: 1)
    queue.admit([a, b, c])
    if isParked { queue.park(a, run: 1) }
    queue.promote(a, to: Rank(reason: .bound))
    queue.park(a, run: 1)
    #expect(queue.starts() == ["b"])
    queue.unpark(a)
    #expect(queue.starts { $0.finish(b, run: 2) } == ["a"])
  }

  @Test func `a job without a lane is parked and resumed like a job with a lane`() {
    var queue = Queue(limit: 1)
    let free = Job("free", lane: nil)
    queue.admit([free])
    queue.park(free, run: 1)
    #expect(queue.parkedCount == 1)
    #expect(queue.runCount == 0)
    #expect(queue.starts { $0.unpark(free) } == ["free"])
    #expect(free.isCurrent(run: 2))
    #expect(queue.runCount == 1)
  }

  @Test func `a parked job that resumes or is canceled is no longer among the parked jobs`() {
    var queue = Queue(limit: 4)
    queue.admit([a, b, c])
    for (run, job) in zip(UInt64(1)..., [a, b, c]) { queue.park(job, run: run) }
    #expect(Set(queue.parkedJobs.map(\.name)) == ["a", "b", "c"])
    queue.unpark(b)
    queue.cancel(c)
    #expect(queue.parkedJobs.map(\.name) == ["a"])
    #expect(queue.parkedCount == 1)
  }

  @Test func `only the current run of a job can be parked, and only a parked job can be resumed`() {
    var queue = Queue(limit: 1)
    queue.admit([a, b, c])
    queue.park(a, run: 2)
    queue.park(b, run: 1)
    #expect(queue.starts().isEmpty)
    #expect(queue.parkedCount == 0)
    for _ in 1...2 { queue.park(a, run: 1) }
    #expect(queue.starts() == ["b"])
    #expect(queue.starts { $0.unpark(b) }.isEmpty)
    #expect(b.isCurrent(run: 2))
  }

  @Test func `a canceled run is not parked`() {
    var queue = Queue(limit: 1)
    queue.admit([a, b])
    queue.cancel(a)
    #expect(queue.starts { $0.park(a, run: 1) }.isEmpty)
    #expect(queue.parkedCount == 0)
    #expect(queue.starts { $0.finish(a, run: 1) } == ["b"])
  }
}

extension LaneQueue<LaneQueueTests.Job> {
  /// Makes a change, starts all jobs for which there is a slot then, and returns their names.
  @discardableResult mutating func starts(_ change: (inout Self) -> Void = { _ in }) -> [String] {
    change(&self)
    var names: [String] = []
    while let job = next() { names.append(job.name) }
    return names
  }

  /// Adds jobs one after the other, and returns the names of the jobs that start at once.
  @discardableResult mutating func admit(_ jobs: some Sequence<Job>) -> [String] {
    var names: [String] = []
    for job in jobs { names += starts { $0.add(job) } }
    return names
  }
}
