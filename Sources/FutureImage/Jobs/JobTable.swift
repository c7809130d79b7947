/// The waiters of each job, and the jobs that run: the decisions of the loader, without a clock, threads, or a network.
///
/// A job exists while it has a waiter. The first waiter enqueues it, others join, and the last one to leave ends it. The consequences are
/// returned as actions. The loader starts jobs inside its lock, and performs the other actions after it has released it.
///
/// A job that was canceled and is requested again runs anew under a new number. Results of the old run are ignored. But the old run has its
/// slot until it reports its end: canceled work is still under way.
///
/// A silent run can give up its slot before its end, so that a run that hangs blocks no other. It gives up its shares of the total limit
/// and of its lane's. The number of such runs is limited, in total and in each lane, unless they were canceled or do not use what the lane
/// limits.
///
/// The input of a job is all that it needs besides its waiters. Its key, its input, and its waiters may own objects of the app. When the
/// job ends, ``moveDeparted(to:)`` hands them out, to be released after unlocking.
struct JobTable<Key: Hashable, Waiter: Hashable, Input>: Departing {
  enum Action: Equatable {
    case start(Key, run: UInt64)
    case cancel(Key, run: UInt64)
  }

  /// A class, because the queue refers to it as well, and so that a growing table does not move it.
  private final class Job: QueuedJob {
    /// Nil once the job has ended, so that a place it left in the queue retains nothing else.
    var content: Content?
    let lane: String?
    var rank: Rank
    var run: UInt64?
    /// Whether the job waits for its next run. It has no slot meanwhile.
    var isParked = false
    var placeStamp: UInt64?

    init(_ content: Content, lane: String?, _ rank: Rank) {
      self.content = content
      self.lane = lane
      self.rank = rank
    }
  }

  /// The parts of a job that may own objects of the app. A separate object, so that it leaves the lock as a whole.
  private final class Content {
    let key: Key
    var input: Input
    var waiters: Waiters<Waiter>

    init(key: Key, input: Input, waiters: Waiters<Waiter>) {
      self.key = key
      self.input = input
      self.waiters = waiters
    }
  }

  /// The share of the limits that a run takes.
  private struct Slot {
    let lane: String
    var isCancelled = false
    /// Whether it counts against the total limit.
    var counts = true
    /// Whether it counts against the lane's limit.
    var countsInLane = true
    /// Whether it gave up its slot, and counts against `yieldLimit`.
    var isYielded = false
    /// Whether it gave up its slot in the lane, and counts against the lane's own limit of such runs.
    var isYieldedInLane = false
  }

  private let limit: Int
  /// The number of runs that may have given up their slots at a time.
  private let yieldLimit: Int
  private var jobs: [Key: Job] = [:]
  private var queue: JobQueue<Job>
  private var running = 0
  private var yielded = 0
  /// The slots of runs that have not ended, including canceled ones.
  private var slots: [UInt64: Slot] = [:]
  /// The keys of jobs parked since the keys were last taken.
  private var parked: Set<Key> = []
  /// The jobs of each source, if the table has `group`.
  private var groups: [SourceKey: [Key]] = [:]
  private let group: ((Key) -> SourceKey)?
  /// The contents of jobs that ended since the lock was acquired.
  private var ended: [AnyObject] = []
  private var lastRun: UInt64 = 0
  private var lastOrder: UInt64 = 0

  /// Creates a table in which at most `limit` jobs run at a time, and `laneLimit` of one lane. Jobs without a lane start at once and take
  /// no slot.
  /// - Parameters:
  ///   - yieldLimit: the number of runs that may give up their slots before their end.
  ///   - laneYields: the number of runs that may give up their slots in a lane before their end, for each slot of the lane.
  ///   - low: the number of waiting jobs below which a lane runs low, for ``lowCount``.
  ///   - group: returns the source of a key, for ``keys(of:)``.
  init(
    limit: Int, laneLimit: Int = .max, yieldLimit: Int = 0, laneYields: Int = 0, low: Int = 0, group: ((Key) -> SourceKey)? = nil
  ) {
    self.limit = limit
    self.yieldLimit = yieldLimit
    self.group = group
    queue = JobQueue(laneLimit: laneLimit, yieldsPerSlot: laneYields, low: low)
  }

  var isEmpty: Bool { jobs.isEmpty }
  var count: Int { jobs.count }

  /// The number of runs that have begun and not ended, including canceled ones. Reading it visits every job.
  var runCount: Int { jobs.values.count { $0.run != nil && !$0.isParked } + slots.values.count(where: \.isCancelled) }

  var parkedCount: Int { parked.count }

  /// The number of jobs that wait for a slot.
  var waitingCount: Int { queue.waitingCount }

  func waitingCount(inLane lane: String) -> Int { queue.waitingCount(inLane: lane) }

  /// The limit for which all waiting jobs wait; nil if none waits, or if a lane is held. Reading it visits every lane.
  var reachedLimit: (isOfLane: Bool, value: Int)? {
    guard waitingCount > 0 else { return nil }
    if running >= limit { return (isOfLane: false, value: limit) }
    return queue.waitsForLanes ? (isOfLane: true, value: queue.laneLimit) : nil
  }

  /// A number that changes whenever the waiting jobs of a lane become few, or fewer still.
  var lowCount: UInt64 { queue.lowCount }

  func contains(_ key: Key) -> Bool { jobs[key] != nil }

  /// The input of the key's job, if there is one.
  subscript(key: Key) -> Input? {
    // Inlined, so that a caller that reads a part of it copies only that part.
    @inline(__always) get { jobs[key]?.content?.input }
  }

  /// Changes the input of the key's job, if there is one.
  /// - Parameter run: if given, only the job that has this run changes.
  @discardableResult
  mutating func change<Result>(_ key: Key, run: UInt64? = nil, _ body: (inout Input) -> Result) -> Result? {
    guard let job = jobs[key], let content = job.content, run == nil || run == job.run else { return nil }
    return body(&content.input)
  }

  func waiters(of key: Key) -> Waiters<Waiter> { jobs[key]?.content?.waiters ?? [] }

  /// Returns the jobs of a source, in a table that was created with `group`.
  func keys(of source: SourceKey) -> [Key] { groups[source] ?? [] }

  /// Returns the rank of the most urgent request for the job.
  func rank(of key: Key) -> Rank? { jobs[key]?.rank }

  /// Returns the run of the job, if it runs or is parked.
  func run(of key: Key) -> UInt64? { jobs[key]?.run }

  func isRunning(_ key: Key, run: UInt64) -> Bool { jobs[key]?.run == run }

  /// Joins the job, or creates it.
  /// - Parameters:
  ///   - order: for tables whose jobs follow each other, the same number for the same request in each, from a counter of the caller.
  ///   - input: the input of a new job.
  ///   - join: changes the input of an existing job.
  /// - Returns: whether the waiter has joined other waiters, the run that has become more urgent to the system, and the actions to perform.
  mutating func want(
    _ key: Key, lane: @autoclosure () -> String? = "", reason: Rank.Reason, priority: FutureImage.Priority = .normal, order: UInt64? = nil,
    waiter: Waiter, input: @autoclosure () -> Input, join: (inout Input) -> Void = { _ in }
  ) -> (joined: Bool, raised: UInt64?, actions: [Action]) {
    let rank = newRank(reason: reason, priority: priority, order: order)
    if let job = jobs[key], let content = job.content {
      join(&content.input)
      let isNew = content.waiters.insert(waiter)
      return (isNew, raise(job, to: rank), [])
    }
    let job = Job(Content(key: key, input: input(), waiters: Waiters(waiter)), lane: lane(), rank)
    jobs[key] = job
    if let group { groups[group(key), default: []].append(key) }
    return (false, nil, enter(job, key))
  }

  /// Moves a job forward that still waits for a slot. Its rank only rises: demoting it when the waiter that promoted it leaves is not worth
  /// the bookkeeping.
  /// - Returns: the run that has become more urgent to the system.
  @discardableResult
  mutating func promote(
    _ key: Key, reason: Rank.Reason, priority: FutureImage.Priority = .normal, order: UInt64? = nil
  ) -> UInt64? {
    jobs[key].flatMap { raise($0, to: newRank(reason: reason, priority: priority, order: order)) }
  }

  /// Removes the waiter, and ends the job if it was the last one.
  mutating func drop(_ key: Key, waiter: Waiter) -> [Action] {
    guard let job = jobs[key], let content = job.content else { return [] }
    content.waiters.remove(waiter)
    return content.waiters.isEmpty ? end(job, key) : []
  }

  /// Ends the job, whatever waiters it has. They are not notified.
  mutating func remove(_ key: Key) -> [Action] {
    jobs[key].map { end($0, key) } ?? []
  }

  /// Ends a run. Returns its waiters, each to be answered once, or nil if the run was canceled meanwhile. Every run that was started must
  /// end with this call, unless it was parked.
  mutating func finish(_ key: Key, run: UInt64) -> (waiters: Waiters<Waiter>?, actions: [Action]) {
    // Race: an exchange that goes on after it was given up.
    if slots[run]?.isCancelled == true {
      leaveSlot(of: run)
      return (nil, fill())
    }
    guard let job = jobs[key], job.run == run, !job.isParked else { return (nil, []) }
    let waiters = job.content?.waiters
    forget(job, key)
    leaveSlot(of: run)
    return (waiters, fill())
  }

  /// Parks a run that is repeated later. Others get its slot until then. Its waiters stay, and the run can still be canceled.
  mutating func park(_ key: Key, run: UInt64) -> [Action] {
    guard let job = jobs[key], job.run == run, !job.isParked else { return [] }
    job.isParked = true
    parked.insert(key)
    leaveSlot(of: run)
    return fill()
  }

  // MARK: Holds

  /// Starts no job of the lane until ``release(lane:)`` is called as often as this, and only one at a time at first. Running jobs continue.
  mutating func hold(lane: String) { queue.hold(lane: lane) }

  /// Ends one hold of the lane.
  mutating func release(lane: String) -> [Action] {
    queue.release(lane: lane)
    return fill()
  }

  // MARK: Slots of silent runs

  /// The runs that could give up more of their slots.
  var runsWithSlots: [UInt64] { slots.filter { $1.counts || $1.countsInLane }.map(\.key) }

  /// Gives up the run's slot, and its slot in the lane: as far as the limits of such runs permit, or in any case if it was canceled or if
  /// `inLane` is true. The run takes them again when it is heard from, and leaves them for good when it ends.
  mutating func yieldSlot(of run: UInt64, inLane: Bool = false) -> [Action] {
    guard var slot = slots[run] else { return [] }
    if slot.counts {
      // A run that gives up both uses no capacity of a host or a fetcher: the number of such runs is not limited.
      slot.isYielded = !inLane
      guard inLane || yielded < yieldLimit else { return [] }
      if slot.isYielded { yielded += 1 }
      slot.counts = false
      running -= 1
    }
    if slot.countsInLane, inLane || slot.isCancelled {
      slot.countsInLane = false
      queue.ended(lane: slot.lane)
    } else if slot.countsInLane, queue.yield(lane: slot.lane) {
      slot.countsInLane = false
      slot.isYieldedInLane = true
    }
    slots[run] = slot
    return fill()
  }

  /// Counts a run again that continues, even beyond the limits: no run is stopped for them.
  mutating func takeSlot(of run: UInt64) {
    // Called whenever bytes arrive, and most runs have their slots.
    guard var slot = slots[run], !slot.isCancelled, !slot.counts || !slot.countsInLane else { return }
    if !slot.counts {
      slot.counts = true
      if slot.isYielded { yielded -= 1 }
      slot.isYielded = false
      running += 1
    }
    if !slot.countsInLane {
      slot.countsInLane = true
      queue.began(lane: slot.lane, hasYielded: slot.isYieldedInLane)
      slot.isYieldedInLane = false
    }
    slots[run] = slot
  }

  /// Ends the wait of a parked run, and enqueues the job for its next run. Has no effect for another run.
  mutating func unpark(_ key: Key, run: UInt64) -> [Action] {
    guard let job = jobs[key], job.run == run, job.isParked else { return [] }
    job.isParked = false
    parked.remove(key)
    job.run = nil
    return enter(job, key)
  }

  /// Returns the run of a parked job.
  func parkedRun(of key: Key) -> UInt64? {
    jobs[key].flatMap { $0.isParked ? $0.run : nil }
  }

  /// Takes the keys of all jobs that wait for their next run, for a caller that processes them a few at a time.
  mutating func takeParked() -> Set<Key> {
    defer { parked = [] }
    return parked
  }

  mutating func moveDeparted(to departed: inout Departed) {
    departed.add(&ended)
  }

  private mutating func newRank(reason: Rank.Reason, priority: FutureImage.Priority, order: UInt64?) -> Rank {
    lastOrder += 1
    return Rank(reason: reason, priority: priority, order: order ?? lastOrder)
  }

  private mutating func raise(_ job: Job, to rank: Rank) -> UInt64? {
    guard job.rank < rank else { return nil }
    let before = job.rank.taskPriority
    // A running job's rank changes, too: the job may have to be enqueued again.
    job.rank = rank
    if job.run == nil, let lane = job.lane { queue.place(job, lane: lane, rank: rank) }
    return before < rank.taskPriority ? job.run : nil
  }

  private mutating func enter(_ job: Job, _ key: Key) -> [Action] {
    guard let lane = job.lane else { return [start(job, key)] }
    queue.place(job, lane: lane, rank: job.rank)
    return fill()
  }

  private mutating func end(_ job: Job, _ key: Key) -> [Action] {
    forget(job, key)
    guard let run = job.run else {
      if let lane = job.lane { queue.remove(job, lane: lane) }
      return []
    }
    slots[run]?.isCancelled = true
    return [.cancel(key, run: run)]
  }

  private mutating func forget(_ job: Job, _ key: Key) {
    // The job's own key, not the caller's: equal keys may own different objects.
    // Race: a job's waiters released inside of the loader's lock.
    if let content = job.content.take() { ended.append(content) }
    jobs[key] = nil
    if job.isParked { parked.remove(key) }
    guard let source = group?(key), var keys = groups.removeValue(forKey: source) else { return }
    keys.removeAll { $0 == key }
    if !keys.isEmpty { groups[source] = keys }
  }

  private mutating func fill() -> [Action] {
    var actions: [Action] = []
    // A waiting job has not ended, and so has its key.
    while running < limit, let job = queue.next(), let key = job.content?.key {
      running += 1
      actions.append(start(job, key))
    }
    return actions
  }

  private mutating func start(_ job: Job, _ key: Key) -> Action {
    lastRun += 1
    job.run = lastRun
    if let lane = job.lane { slots[lastRun] = Slot(lane: lane) }
    return .start(key, run: lastRun)
  }

  private mutating func leaveSlot(of run: UInt64) {
    guard let slot = slots.removeValue(forKey: run) else { return }
    if slot.counts { running -= 1 }
    if slot.isYielded { yielded -= 1 }
    if slot.countsInLane || slot.isYieldedInLane { queue.ended(lane: slot.lane, hasYielded: slot.isYieldedInLane) }
  }
}
