import Testing

@testable import FutureImage

/// The limits of a queue, the holds of its lanes, and the slots of its runs.
///
/// A run that has had no activity for some time is silent. It yields its slot, so that another job can start. When the run is active again,
/// it takes its slot again, even beyond a limit. A lane is held while a server demands a wait. Runs are numbered from 1, in the order in
/// which they start.
extension LaneQueueTests {
  // MARK: Limits

  @Test(arguments: [1, 3, 8]) func `no more jobs run than the limit, and the end of each job starts another job`(limit: Int) {
    var queue = Queue(limit: limit)
    var running: [Job] = []
    for number in 1...30 { queue.add(Job("\(number)")) }
    for left in (0...30).reversed() {
      while let job = queue.next() { running.append(job) }
      #expect(running.count == min(limit, left))
      #expect(queue.runCount == running.count)
      if let job = running.popLast(), let run = job.run { queue.finish(job, run: run) }
    }
    #expect(queue.isEmpty)
  }

  @Test func `a lane at its limit does not delay another lane`() {
    var queue = Queue(limit: 4, laneLimit: 2)
    let jobs = ["a1", "a2", "a3"].map { Job($0, lane: "a", .bound) }
    let other = Job("b1", lane: "b", .created, .low)
    #expect(queue.admit(jobs) == ["a1", "a2"])
    #expect(queue.admit([other]) == ["b1"])
    // The end of the job of lane b frees no slot of lane a, but the end of a job of lane a does.
    #expect(queue.starts { $0.finish(other, run: 3) }.isEmpty)
    #expect(queue.starts { $0.finish(jobs[0], run: 1) } == ["a3"])
  }

  @Test func `with a lane limit of 1, if a run takes back its yielded slot, no other job of the lane starts until the run ends`() {
    var queue = Queue(limit: 2, laneLimit: 1, yieldLimit: 2, laneYields: 1)
    let (a1, a2) = (Job("a1", lane: "a"), Job("a2", lane: "a"))
    let (b1, c1) = (Job("b1", lane: "b"), Job("c1", lane: "c"))
    #expect(queue.admit([a1, b1, c1, a2]) == ["a1", "b1"])
    #expect(queue.starts { $0.yieldSlot(of: 1) } == ["c1"])
    queue.takeSlot(of: 1)
    #expect(queue.starts { $0.finish(b1, run: 2) }.isEmpty)
    #expect(queue.starts { $0.finish(c1, run: 3) }.isEmpty)
    #expect(queue.starts { $0.finish(a1, run: 1) } == ["a2"])
  }

  @Test func `a free slot goes to the job with the greatest rank in any lane below its limit`() {
    var queue = Queue(limit: 3, laneLimit: 2)
    let jobs = ["a1", "a2", "a3"].map { Job($0, lane: "a", .bound) }
    let (b1, b2, c1) = (Job("b1", lane: "b"), Job("b2", lane: "b"), Job("c1", lane: "c", .prefetched))
    #expect(queue.admit(jobs + [b1, b2, c1]) == ["a1", "a2", "b1"])
    #expect(queue.starts { $0.finish(b1, run: 3) } == ["c1"])
    #expect(queue.starts { $0.finish(c1, run: 4) } == ["b2"])
    #expect(queue.starts { $0.cancel(jobs[1]) }.isEmpty)
    #expect(queue.starts { $0.finish(jobs[1], run: 2) } == ["a3"])
  }

  @Test func `the queue reports the limit that keeps all waiting jobs from starting, and nil if they only wait for a hold to end`() {
    var queue = Queue(limit: 3, laneLimit: 1)
    queue.admit(["1", "2"].map { Job($0, lane: $0) })
    #expect(queue.reachedLimit == nil)
    queue.admit([Job("10", lane: "1")])
    #expect(queue.reachedLimit.map { $0.isOfLane && $0.value == 1 } == true)
    queue.hold(lane: "1")
    #expect(queue.reachedLimit == nil)
    queue.admit([Job("3", lane: "3")])
    #expect(queue.reachedLimit.map { !$0.isOfLane && $0.value == 3 } == true)
  }

  // MARK: Jobs without a lane

  @Test func `jobs without a lane start at once and take no slot`() {
    var queue = Queue(limit: 1, laneLimit: 1)
    let (x, y) = (Job("x", lane: nil), Job("y", lane: nil))
    #expect(queue.admit([x, a, y]) == ["x", "a", "y"])
    #expect(queue.admit([b]).isEmpty)
    #expect(queue.runCount == 3)
    #expect(queue.starts { $0.finish(x, run: 1) }.isEmpty)
    #expect(queue.runCount == 2)
    #expect(queue.starts { $0.finish(a, run: 2) } == ["b"])
  }

  @Test func `jobs without a lane start in the order in which they were added, before all other jobs`() {
    var queue = Queue(limit: 9)
    for job in [Job("bound", .bound), Job("low", lane: nil, .created, .low), Job("high", lane: nil, .bound, .high)] { queue.add(job) }
    #expect(queue.waitingCount == 1)
    #expect(queue.count == 3)
    #expect(queue.starts() == ["low", "high", "bound"])
  }

  @Test func `a job without a lane can be canceled before its start and during its run`() {
    var queue = Queue(limit: 1)
    let (x, y) = (Job("x", lane: nil), Job("y", lane: nil))
    queue.add(x)
    queue.cancel(x)
    #expect(queue.admit([y]) == ["y"])
    queue.cancel(y)
    #expect(queue.isEmpty)
    let isNeeded = queue.finish(y, run: 1)
    #expect(!isNeeded)
    #expect(queue.isEmpty && queue.runCount == 0)
  }

  // MARK: Holds

  @Test func `no job of a lane starts until every hold on the lane is released, but a job that already runs continues`() {
    var queue = Queue(limit: 9)
    queue.admit([a])
    for _ in 1...2 { queue.hold(lane: "") }
    #expect(queue.admit([b, c]).isEmpty)
    #expect(queue.admit([Job("other", lane: "other")]) == ["other"])
    #expect(a.isCurrent(run: 1))
    #expect(queue.starts { $0.finish(a, run: 1) }.isEmpty)
    #expect(queue.starts { $0.release(lane: "") }.isEmpty)
    #expect(queue.starts { $0.release(lane: "") } == ["b"])
  }

  @Test func `after a hold, a lane runs one job at a time, and its limit rises by one whenever enough jobs have ended`() {
    var queue = Queue(limit: 9)
    let endsPerIncrease = JobQueue<Job>.endsPerIncrease
    let jobs = (1...2 * endsPerIncrease).map { Job("\($0)") }
    queue.hold(lane: "")
    #expect(queue.admit(jobs).isEmpty)
    #expect(queue.starts { $0.release(lane: "") } == ["1"])
    for number in 1..<endsPerIncrease {
      #expect(queue.starts { $0.finish(jobs[number - 1], run: UInt64(number)) } == ["\(number + 1)"])
    }
    #expect(
      queue.starts { $0.finish(jobs[endsPerIncrease - 1], run: UInt64(endsPerIncrease)) } == [
        "\(endsPerIncrease + 1)", "\(endsPerIncrease + 2)"
      ])
  }

  @Test func `a job that waits in a held lane can be canceled`() {
    var queue = Queue(limit: 9)
    queue.hold(lane: "")
    queue.admit([a, b])
    queue.cancel(a)
    #expect(queue.waitingCount == 1)
    #expect(queue.starts { $0.release(lane: "") } == ["b"])
  }

  // MARK: Slots of silent runs

  @Test func `another lane may start a job in a slot that a run has yielded, until that run takes the slot back`() {
    var queue = Queue(limit: 1, laneLimit: 1, yieldLimit: 1)
    let (a1, a2) = (Job("a1", lane: "A", .bound, order: 1), Job("a2", lane: "A", .bound, order: 3))
    let (b1, c1) = (Job("b1", lane: "B", .bound, order: 2), Job("c1", lane: "C", .bound, order: 4))
    #expect(queue.admit([a1, b1, a2]) == ["a1"])
    #expect(queue.starts { $0.yieldSlot(of: 1) } == ["b1"])
    // At most one run at a time may yield its slot.
    #expect(queue.admit([c1]).isEmpty)
    #expect(queue.starts { $0.yieldSlot(of: 2) }.isEmpty)
    queue.takeSlot(of: 1)
    #expect(queue.starts { $0.finish(b1, run: 2) }.isEmpty)
    #expect(queue.starts { $0.finish(a1, run: 1) } == ["c1"])
    #expect(queue.starts { $0.finish(c1, run: 3) } == ["a2"])
  }

  @Test func `a canceled run can yield its slot, and another run can yield after the canceled run has ended`() {
    var queue = Queue(limit: 1, laneLimit: 1, yieldLimit: 1)
    queue.admit([a])
    queue.cancel(a)
    #expect(queue.admit([b]).isEmpty)
    #expect(queue.starts { $0.yieldSlot(of: 1) } == ["b"])
    queue.takeSlot(of: 1)
    let isNeeded = queue.finish(a, run: 1)
    #expect(!isNeeded)
    #expect(queue.admit([Job("other", lane: "other")]).isEmpty)
    #expect(queue.starts { $0.yieldSlot(of: 2) } == ["other"])
  }

  @Test func `any number of runs may yield their slots if inLane is true`() {
    var queue = Queue(limit: 2, laneLimit: 2, yieldLimit: 0)
    let jobs = (1...10).map { Job("\($0)") }
    queue.admit(jobs)
    // With `inLane`, a run waits for the app. It uses no capacity of a host or a fetcher, so no limit applies.
    for run in 1...8 { #expect(queue.starts { $0.yieldSlot(of: UInt64(run), inLane: true) } == ["\(run + 2)"]) }
    for run in 1...8 { queue.takeSlot(of: UInt64(run)) }
    let wereNeeded = jobs.enumerated().map { queue.finish($1, run: UInt64($0 + 1)) }
    #expect(wereNeeded.allSatisfy { $0 })
    #expect(queue.isEmpty && queue.runsWithSlots.isEmpty)
    #expect(queue.admit([a]) == ["a"])
  }

  @Test func `a run that takes back its slot in its lane occupies the slot until the run ends, even if the lane then exceeds its limit`() {
    var queue = Queue(limit: 9, laneLimit: 1, yieldLimit: 0)
    queue.admit([a, b, c])
    #expect(queue.starts { $0.yieldSlot(of: 1, inLane: true) } == ["b"])
    queue.takeSlot(of: 1)
    #expect(queue.starts { $0.finish(b, run: 2) }.isEmpty)
    #expect(queue.starts { $0.finish(a, run: 1) } == ["c"])
  }

  @Test func `a run that has yielded its slot in its lane does not release the slot again when it ends`() {
    var queue = Queue(limit: 9, laneLimit: 1, yieldLimit: 0)
    queue.admit([a, b, c])
    #expect(queue.starts { $0.yieldSlot(of: 1, inLane: true) } == ["b"])
    #expect(queue.starts { $0.finish(a, run: 1) }.isEmpty)
    #expect(queue.starts { $0.finish(b, run: 2) } == ["c"])
  }

  @Test func `with a yield limit of 1, a run may yield only if the previous run that yielded has its slot back or has ended`() {
    var queue = Queue(limit: 1, yieldLimit: 1)
    // The index of each job is the number of its run.
    let jobs = (0...6).map { Job("\($0)", lane: "\($0)") }
    queue.admit(jobs.dropFirst())
    #expect(queue.starts { $0.finish(jobs[1], run: 1) } == ["2"])
    #expect(queue.starts { $0.yieldSlot(of: 2) } == ["3"])
    #expect(queue.starts { $0.yieldSlot(of: 3) }.isEmpty)
    queue.takeSlot(of: 2)
    #expect(queue.starts { $0.finish(jobs[2], run: 2) }.isEmpty)
    #expect(queue.starts { $0.yieldSlot(of: 3) } == ["4"])
    #expect(queue.starts { $0.yieldSlot(of: 4) }.isEmpty)
    #expect(queue.starts { $0.finish(jobs[3], run: 3) }.isEmpty)
    #expect(queue.starts { $0.yieldSlot(of: 4) } == ["5"])
    #expect(queue.starts { $0.yieldSlot(of: 5) }.isEmpty)
  }

  @Test func `with a yield limit of 1, another run may yield when the previous run that yielded is parked`() {
    var queue = Queue(limit: 1, yieldLimit: 1)
    queue.admit([a, b, c])
    #expect(queue.starts { $0.yieldSlot(of: 1) } == ["b"])
    #expect(queue.starts { $0.park(a, run: 1) }.isEmpty)
    #expect(queue.starts { $0.yieldSlot(of: 2) } == ["c"])
  }

  @Test func `runsWithSlots contains each run that has a slot of the total limit or a slot of its lane`() {
    var queue = Queue(limit: 9, laneLimit: 9, yieldLimit: 9)
    queue.admit([a, b, c])
    // Both runs yield their slots of the total limit, but not their slots of the lane, because `laneYields` is 0.
    for run in [2, 3] as [UInt64] { queue.yieldSlot(of: run) }
    #expect(queue.runsWithSlots.sorted() == [1, 2, 3])
    // A canceled run also yields its slot of the lane.
    queue.cancel(c)
    queue.yieldSlot(of: 3)
    #expect(queue.runsWithSlots.sorted() == [1, 2])
  }

  @Test func `for each slot of a lane, at most laneYields runs at a time may have yielded their slots`() {
    var queue = Queue(limit: 9, laneLimit: 1, yieldLimit: 9, laneYields: 2)
    // The index of each job is the number of its run.
    let jobs = (0...6).map { Job("\($0)") }
    queue.admit(jobs.dropFirst())
    #expect(queue.starts { $0.yieldSlot(of: 1) } == ["2"])
    #expect(queue.starts { $0.yieldSlot(of: 2) } == ["3"])
    #expect(queue.starts { $0.yieldSlot(of: 3) }.isEmpty)
    #expect(queue.starts { $0.finish(jobs[1], run: 1) }.isEmpty)
    #expect(queue.starts { $0.yieldSlot(of: 3) } == ["4"])
    queue.takeSlot(of: 2)
    #expect(queue.starts { $0.finish(jobs[4], run: 4) }.isEmpty)
    #expect(queue.starts { $0.yieldSlot(of: 2) } == ["5"])
    for index in [2, 3] { #expect(queue.starts { $0.finish(jobs[index], run: UInt64(index)) }.isEmpty) }
    #expect(queue.starts { $0.finish(jobs[5], run: 5) } == ["6"])
  }

  @Test func `a run of an unlimited lane can yield its slot`() {
    var queue = Queue(limit: 1, laneLimit: .max, yieldLimit: 9, laneYields: 3)
    queue.admit([a, b])
    #expect(queue.starts { $0.yieldSlot(of: 1) } == ["b"])
  }

  @Test func `if laneYields is 0, a run does not yield its slot in its lane`() {
    var queue = Queue(limit: 9, laneLimit: 1, yieldLimit: 9)
    queue.admit([a, b])
    #expect(queue.starts { $0.yieldSlot(of: 1) }.isEmpty)
  }

  @Test func `a run that has its slot takes no second slot, and a run that has ended takes no slot`() {
    var queue = Queue(limit: 1, laneLimit: 1, yieldLimit: 1)
    queue.admit([a, b])
    queue.takeSlot(of: 1)
    #expect(queue.starts { $0.finish(a, run: 1) } == ["b"])
    queue.yieldSlot(of: 1)
    queue.takeSlot(of: 1)
    #expect(queue.runsWithSlots == [2])
    #expect(queue.starts { $0.finish(b, run: 2) }.isEmpty)
    #expect(queue.admit([c]) == ["c"])
  }

  @Test func `a job without a lane has no slot to yield`() {
    var queue = Queue(limit: 1, yieldLimit: 1)
    queue.admit([Job("free", lane: nil), a, b])
    #expect(queue.runsWithSlots == [2])
    #expect(queue.starts { $0.yieldSlot(of: 1) }.isEmpty)
    #expect(queue.starts { $0.yieldSlot(of: 2) } == ["b"])
  }
}
