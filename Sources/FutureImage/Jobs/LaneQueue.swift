/// A job that may need a slot of a lane, such as a lookup, a fetch, or a decode. A lane is a set of jobs that share a limit, and a slot is
/// the permission to run within this limit. The lock that guards the queue also guards its jobs.
class QueuedJob {
  /// The lane of the job; nil for a job that starts at once and uses no slot.
  final let lane: String?
  final fileprivate(set) var rank: Rank
  /// The number of the job's current run, which is one execution of the job; nil while the job waits to start.
  final fileprivate(set) var run: UInt64?
  /// Whether the job waits for its next run. It has no slot until then.
  final fileprivate(set) var isParked = false
  /// Whether the job has ended, or is no longer needed.
  final fileprivate(set) var hasEnded = false
  /// The job's ticket in the queue; nil while the job is not in the queue. Only the queue sets it.
  final var ticket: QueueTicket?

  init(lane: String?, _ rank: Rank) {
    self.lane = lane
    self.rank = rank
  }

  /// Whether the run is the current run of the job.
  final func isCurrent(run: UInt64) -> Bool { !hasEnded && self.run == run }
}

/// The position of a job in a queue. A ticket retains its job only as long as the job waits at that position. So an old entry that stays in
/// the queue retains nothing.
final class QueueTicket {
  var job: QueuedJob?

  init(_ job: QueuedJob) { self.job = job }
}

/// The jobs of one kind, and the slots that they use. A pure value, without a clock, threads, or a network.
///
/// The owner adds a job, calls ``next()`` until it returns no job, and reports the end of each run. A job that is no longer needed ends at
/// once. If the job has a run, the run retains its slot until the owner reports its end, because canceled work is still in progress.
///
/// A silent run, which has had no activity for a while, can give up its slot before its end, so that a run that hangs blocks no other run.
/// The run gives up its share of the total limit and its share of its lane's limit. The number of such runs is limited, in total and in
/// each lane. Neither limit applies to runs that wait for the app, because they use no capacity of a host or a fetcher. The lane's limit
/// does not apply to canceled runs.
struct LaneQueue<Job: QueuedJob> {
  /// The share of the limits that a run uses.
  private struct Slot {
    let lane: String
    var isCancelled = false
    /// Whether the run counts against the total limit.
    var counts = true
    /// Whether the run counts against the lane's limit.
    var countsInLane = true
    /// Whether the run gave up its slot, and counts against `yieldLimit`.
    var isYielded = false
    /// Whether the run gave up its slot in the lane, and counts against the lane's limit on such runs.
    var isYieldedInLane = false
  }

  private let limit: Int
  /// The maximum number of runs that have given up their slots and have not ended.
  private let yieldLimit: Int
  private var places: JobQueue<Job>
  /// The jobs without a lane that have not started.
  private var unlimited = FIFO<Job>()
  /// The number of runs of jobs without a lane.
  private var unlimitedCount = 0
  private var running = 0
  private var yielded = 0
  /// The slots of runs that have not ended, including canceled runs.
  private var slots: [UInt64: Slot] = [:]
  private var parked: [ObjectIdentifier: Job] = [:]
  private var lastRun: UInt64 = 0
  /// The number of jobs that wait, run, or are parked.
  private(set) var count = 0

  /// - Parameters:
  ///   - limit: the number of runs that may run at a time.
  ///   - laneLimit: the number of runs of one lane that may run at a time.
  ///   - yieldLimit: the number of runs that may give up their slots before their end.
  ///   - laneYields: the number of runs that may give up their slots in a lane before their end, for each slot of the lane.
  init(limit: Int, laneLimit: Int = .max, yieldLimit: Int = 0, laneYields: Int = 0) {
    self.limit = limit
    self.yieldLimit = yieldLimit
    places = JobQueue(laneLimit: laneLimit, yieldsPerSlot: laneYields)
  }

  var isEmpty: Bool { count == 0 }

  /// The number of jobs that wait for a slot.
  var waitingCount: Int { places.waitingCount }

  /// The number of runs that have begun and not ended, including canceled runs.
  var runCount: Int { slots.count + unlimitedCount }

  var parkedCount: Int { parked.count }

  /// The limit that prevents all waiting jobs from starting; nil if no job waits, or if a job waits only for the end of a hold. Reading this
  /// property visits every lane.
  var reachedLimit: (isOfLane: Bool, value: Int)? {
    guard waitingCount > 0 else { return nil }
    if running >= limit { return (isOfLane: false, value: limit) }
    return places.waitsForLanes ? (isOfLane: true, value: places.laneLimit) : nil
  }

  // MARK: Jobs and their runs

  /// Adds a new job.
  mutating func add(_ job: Job) {
    count += 1
    enter(job)
  }

  /// Starts and returns the next job for which there is a slot. Its run gets a new number.
  mutating func next() -> Job? {
    while let job = unlimited.popFirst() {
      if job.hasEnded || job.run != nil { continue }
      unlimitedCount += 1
      return started(job)
    }
    guard running < limit, let job = places.next(), let lane = job.lane else { return nil }
    running += 1
    slots[lastRun + 1] = Slot(lane: lane)
    return started(job)
  }

  /// Raises the rank of a job. A rank never falls. To lower the rank when the reader (a future's part of the loader) that promoted the job
  /// leaves, each job would have to record the ranks of all its readers.
  /// - Returns: whether the job runs and its task priority has risen.
  @discardableResult mutating func promote(_ job: Job, to rank: Rank) -> Bool {
    guard !job.hasEnded, job.rank < rank else { return false }
    let before = job.rank.taskPriority
    // The rank of a running job changes, too, because the job may have to be enqueued again.
    job.rank = rank
    if job.run == nil, let lane = job.lane { places.enqueue(job, lane: lane, rank: rank) }
    return job.run != nil && before < rank.taskPriority
  }

  /// Ends a run and its job. Every run that was started must end with this call, unless it was parked.
  /// - Returns: whether the job was still needed.
  @discardableResult mutating func finish(_ job: Job, run: UInt64) -> Bool {
    if slots[run]?.isCancelled == true {
      leaveSlot(of: run)
      return false
    }
    guard job.isCurrent(run: run), !job.isParked else { return false }
    end(job)
    if job.lane != nil { leaveSlot(of: run) }
    return true
  }

  /// Ends a job that is no longer needed. If the job has a run, the run retains its slot until the owner reports its end.
  mutating func cancel(_ job: Job) {
    if job.hasEnded { return }
    let isParked = job.isParked
    end(job)
    if let run = job.run {
      // Race: a canceled exchange that continues without a slot.
      if !isParked { slots[run]?.isCancelled = true }
    } else if let lane = job.lane {
      places.remove(job, lane: lane)
    }
  }

  /// Parks a job that will run again later. Other jobs can use its slot until then, and the job can still be canceled.
  mutating func park(_ job: Job, run: UInt64) {
    guard job.isCurrent(run: run), !job.isParked else { return }
    job.isParked = true
    parked[ObjectIdentifier(job)] = job
    if job.lane == nil { unlimitedCount -= 1 } else { leaveSlot(of: run) }
  }

  /// Ends the wait of a parked job, and enqueues it for its next run.
  mutating func unpark(_ job: Job) {
    guard !job.hasEnded, job.isParked else { return }
    job.isParked = false
    parked[ObjectIdentifier(job)] = nil
    job.run = nil
    enter(job)
  }

  /// The jobs that wait for their next run.
  var parkedJobs: [Job] { Array(parked.values) }

  // MARK: Holds

  /// Prevents jobs of the lane from starting until ``release(lane:)`` has been called once for each hold. After that, they start one at a
  /// time, until the lane's limit rises again. Running jobs continue.
  mutating func hold(lane: String) { places.hold(lane: lane) }

  /// Ends one hold of the lane.
  mutating func release(lane: String) { places.release(lane: lane) }

  // MARK: Slots of silent runs

  /// The runs that have a slot to give up, in total or in their lane.
  var runsWithSlots: [UInt64] { slots.filter { $1.counts || $1.countsInLane }.map(\.key) }

  /// Gives up the run's slot and its slot in the lane, as far as the limits on runs without slots permit. If the run was canceled, the
  /// lane's limit does not apply. The run acquires its slots again when it reports activity, and releases them when it ends.
  /// - Parameter inLane: whether the run waits for the app, and so uses no capacity of a host or a fetcher. If true, no limit applies.
  mutating func yieldSlot(of run: UInt64, inLane: Bool = false) {
    guard var slot = slots[run] else { return }
    if slot.counts {
      // A run that waits for the app uses no capacity of a host or a fetcher, so it does not count against the limit on runs without slots.
      slot.isYielded = !inLane
      guard inLane || yielded < yieldLimit else { return }
      if slot.isYielded { yielded += 1 }
      slot.counts = false
      running -= 1
    }
    if slot.countsInLane, inLane || slot.isCancelled {
      slot.countsInLane = false
      places.ended(lane: slot.lane)
    } else if slot.countsInLane, places.yield(lane: slot.lane) {
      slot.countsInLane = false
      slot.isYieldedInLane = true
    }
    slots[run] = slot
  }

  /// Counts a run again, because it continues. This may exceed the limits, because no run is stopped to enforce them.
  mutating func takeSlot(of run: UInt64) {
    // This method is called whenever bytes arrive, and most runs still have their slots.
    guard var slot = slots[run], !slot.isCancelled, !slot.counts || !slot.countsInLane else { return }
    if !slot.counts {
      slot.counts = true
      if slot.isYielded { yielded -= 1 }
      slot.isYielded = false
      running += 1
    }
    if !slot.countsInLane {
      slot.countsInLane = true
      places.began(lane: slot.lane, hasYielded: slot.isYieldedInLane)
      slot.isYieldedInLane = false
    }
    slots[run] = slot
  }

  private mutating func enter(_ job: Job) {
    if let lane = job.lane { places.enqueue(job, lane: lane, rank: job.rank) } else { unlimited.append(job) }
  }

  private mutating func started(_ job: Job) -> Job {
    lastRun += 1
    job.run = lastRun
    return job
  }

  private mutating func end(_ job: Job) {
    job.hasEnded = true
    count -= 1
    if job.isParked { parked[ObjectIdentifier(job)] = nil } else if job.lane == nil, job.run != nil { unlimitedCount -= 1 }
  }

  private mutating func leaveSlot(of run: UInt64) {
    guard let slot = slots.removeValue(forKey: run) else { return }
    if slot.counts { running -= 1 }
    if slot.isYielded { yielded -= 1 }
    if slot.countsInLane || slot.isYieldedInLane { places.ended(lane: slot.lane, hasYielded: slot.isYieldedInLane) }
  }
}
