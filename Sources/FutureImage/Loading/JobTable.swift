/// Who waits for which job, and which jobs run: the decisions of the loader, without clock, thread or network.
///
/// A job exists while somebody waits for it. The first waiter puts it in the queue, others join, the last one to leave ends it. What is
/// to be done about it is returned as actions, for the caller to perform after it has let go of its lock.
///
/// A job that was cancelled and is wanted again runs anew under a new number; what the old run still says is not heard. But it has its
/// slot until it says that it ended: what is being cancelled is still under way.
///
/// A run from which nothing is heard can give up its slot before its end, so that one which hangs holds up nobody else: its part of the
/// limit on all, and its part of the lane's where it was cancelled or does not do what lanes are limited for.
///
/// What a job needs besides its waiters is its input. Its key, its input and its waiters may own objects of the app's: when the job ends they
/// are handed out by ``moveDeparted(to:)``, to be released after unlocking.
struct JobTable<Key: Hashable, Waiter: Hashable, Input>: Departing {
  enum Action: Equatable {
    case start(Key, run: UInt64)
    case cancel(Key, run: UInt64)
  }

  /// An object, since the queue knows it as well, and so that a table which grows does not move it.
  private final class Job: QueuedJob {
    /// Nil once it has ended: a place that it left in the queue keeps nothing else alive.
    var content: Content?
    let lane: String?
    var rank: Rank
    var run: UInt64?
    /// It waits for its next run, and has no slot meanwhile.
    var isParked = false
    var placeStamp: UInt64?

    init(_ content: Content, lane: String?, _ rank: Rank) {
      self.content = content
      self.lane = lane
      self.rank = rank
    }
  }

  /// The parts of a job that may own objects of the app's. A separate object, so that it leaves the lock whole.
  private final class Content {
    let key: Key
    var input: Input
    var waiters: Waiters<Waiter>

    init(_ key: Key, _ input: Input, _ waiters: Waiters<Waiter>) {
      self.key = key
      self.input = input
      self.waiters = waiters
    }
  }

  /// What a run takes of the limits.
  private struct Slot {
    let lane: String
    var isCancelled = false
    /// Whether it counts against the limit on all.
    var counts = true
    /// Whether it counts against the lane's limit.
    var countsInLane = true
    /// Whether it gave up its slot, as one of those of which only so many may.
    var isYielded = false
  }

  private let limit: Int
  /// How many runs may have given up their slots at a time.
  private let yieldLimit: Int
  private var jobs: [Key: Job] = [:]
  private var queue: JobQueue<Job>
  private var running = 0
  private var yielded = 0
  /// Of runs that have not ended, cancelled ones among them.
  private var slots: [UInt64: Slot] = [:]
  /// Waiting for their next run, since they were last taken.
  private var parked: Set<Key> = []
  /// The jobs of each picture, where the table is asked for them.
  private var groups: [SourceKey: [Key]] = [:]
  private let group: ((Key) -> SourceKey)?
  /// Of jobs that ended since the lock was taken.
  private var ended: [AnyObject] = []
  private var lastRun: UInt64 = 0
  private var lastOrder: UInt64 = 0

  /// At most `limit` jobs run at a time, and `laneLimit` of one lane. Jobs without a lane start at once and take no slot.
  /// - Parameters:
  ///   - yieldLimit: how many runs may give up their slots before their end.
  ///   - low: how many jobs of a lane are few, for ``lowCount``.
  ///   - group: the picture of a key, for ``keys(of:)``.
  init(limit: Int, laneLimit: Int = .max, yieldLimit: Int = 0, low: Int = 0, group: ((Key) -> SourceKey)? = nil) {
    self.limit = limit
    self.yieldLimit = yieldLimit
    self.group = group
    queue = JobQueue(laneLimit: laneLimit, low: low)
  }

  var isEmpty: Bool { jobs.isEmpty }
  var count: Int { jobs.count }

  /// How many runs have begun and not ended, canceled ones among them. It looks at every job.
  var runCount: Int { jobs.values.count { $0.run != nil && !$0.isParked } + slots.values.count(where: \.isCancelled) }

  var parkedCount: Int { parked.count }

  /// How many jobs wait for a slot.
  var waitingCount: Int { queue.waitingCount }

  func waitingCount(inLane lane: String) -> Int { queue.waitingCount(inLane: lane) }

  /// Changes whenever the jobs that wait in a lane have become few, or even fewer.
  var lowCount: UInt64 { queue.lowCount }

  func contains(_ key: Key) -> Bool { jobs[key] != nil }

  /// The input of the key's job, if there is one.
  subscript(key: Key) -> Input? {
    // Inlined, so that whoever asks for a part of it copies no more than that.
    @inline(__always) get { jobs[key]?.content?.input }
  }

  /// Changes the input of the key's job, if there is one.
  /// - Parameter run: if given, only of the job that has this run.
  @discardableResult
  mutating func change<Result>(_ key: Key, run: UInt64? = nil, _ body: (inout Input) -> Result) -> Result? {
    guard let job = jobs[key], let content = job.content, run == nil || run == job.run else { return nil }
    return body(&content.input)
  }

  func waiters(of key: Key) -> Waiters<Waiter> { jobs[key]?.content?.waiters ?? [] }

  /// The jobs of a picture, in a table that was made with `group`.
  func keys(of source: SourceKey) -> [Key] { groups[source] ?? [] }

  /// Of the most urgent wish for the job.
  func rank(of key: Key) -> Rank? { jobs[key]?.rank }

  /// Of the job, if it runs or is parked.
  func run(of key: Key) -> UInt64? { jobs[key]?.run }

  func isRunning(_ key: Key, run: UInt64) -> Bool { jobs[key]?.run == run }

  /// Joins the job, or makes it.
  /// - Parameters:
  ///   - order: for tables whose jobs follow each other: the same number for the same wish in each, from a counter of the caller's.
  ///   - input: of a new job.
  ///   - join: changes the input of a job that there is.
  /// - Returns: whether somebody else waited for it already, the run that has become more urgent to the system by it, and what to do.
  mutating func want(
    _ key: Key, lane: @autoclosure () -> String? = "", reason: Rank.Reason, priority: FutureImage.Priority = .normal, order: UInt64? = nil,
    waiter: Waiter, input: @autoclosure () -> Input, join: (inout Input) -> Void = { _ in }
  ) -> (joined: Bool, raised: UInt64?, actions: [Action]) {
    let rank = newRank(reason, priority, order)
    if let job = jobs[key], let content = job.content {
      join(&content.input)
      let isNew = content.waiters.insert(waiter)
      return (isNew, raise(job, to: rank), [])
    }
    let job = Job(Content(key, input(), Waiters(waiter)), lane: lane(), rank)
    jobs[key] = job
    if let group { groups[group(key), default: []].append(key) }
    return (false, nil, enter(job, key))
  }

  /// Moves a job that still waits for a slot forward. Nothing ever moves back: who asked for a promotion may be gone, but so is the need
  /// to hurry about its place.
  /// - Returns: the run that has become more urgent to the system by it.
  @discardableResult
  mutating func promote(
    _ key: Key, reason: Rank.Reason, priority: FutureImage.Priority = .normal, order: UInt64? = nil
  ) -> UInt64? {
    jobs[key].flatMap { raise($0, to: newRank(reason, priority, order)) }
  }

  /// The waiter leaves; a job that nobody waits for ends.
  mutating func drop(_ key: Key, waiter: Waiter) -> [Action] {
    guard let job = jobs[key], let content = job.content else { return [] }
    content.waiters.remove(waiter)
    return content.waiters.isEmpty ? end(job, key) : []
  }

  /// Ends the job whoever waits for it. The waiters are not told.
  mutating func remove(_ key: Key) -> [Action] {
    jobs[key].map { end($0, key) } ?? []
  }

  /// A run came to its end: its waiters, each to be told once, or nil if that run was cancelled meanwhile. Every run that was started is
  /// to end by this, unless it was parked.
  mutating func finish(_ key: Key, run: UInt64) -> (waiters: Waiters<Waiter>?, actions: [Action]) {
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

  /// A run is to be repeated later: its slot goes to others until then. Its waiters stay, and the run can still be cancelled.
  mutating func park(_ key: Key, run: UInt64) -> [Action] {
    guard let job = jobs[key], job.run == run, !job.isParked else { return [] }
    job.isParked = true
    parked.insert(key)
    leaveSlot(of: run)
    return fill()
  }

  // MARK: Slots of silent runs

  /// The runs that could give up more of their slots.
  var runsWithSlots: [UInt64] { slots.filter { $1.counts || ($1.isCancelled && $1.countsInLane) }.map(\.key) }

  /// Gives up the run's slot, in its lane too if it was cancelled or if asked to. It takes it up again when it is heard, and leaves it for
  /// good when it ends.
  mutating func yieldSlot(of run: UInt64, inLane: Bool = false) -> [Action] {
    guard var slot = slots[run] else { return [] }
    if slot.counts {
      // One that gives up all takes nothing that a host or a fetcher has to offer: of those there may be any number.
      slot.isYielded = !inLane
      guard inLane || yielded < yieldLimit else { return [] }
      if slot.isYielded { yielded += 1 }
      slot.counts = false
      running -= 1
    }
    if slot.countsInLane, inLane || slot.isCancelled {
      slot.countsInLane = false
      queue.ended(lane: slot.lane)
    }
    slots[run] = slot
    return fill()
  }

  /// The run goes on, and counts again, even if that is more than the limits allow: nothing that runs is stopped for them.
  mutating func takeSlot(of run: UInt64) {
    // Asked whenever bytes come, and most have theirs.
    guard var slot = slots[run], !slot.isCancelled, !slot.counts || !slot.countsInLane else { return }
    if !slot.counts {
      slot.counts = true
      if slot.isYielded { yielded -= 1 }
      slot.isYielded = false
      running += 1
    }
    if !slot.countsInLane {
      slot.countsInLane = true
      queue.began(lane: slot.lane)
    }
    slots[run] = slot
  }

  /// The wait of a parked run is over: the job queues up for the next run. That of another run is not.
  mutating func unpark(_ key: Key, run: UInt64) -> [Action] {
    guard let job = jobs[key], job.run == run, job.isParked else { return [] }
    job.isParked = false
    parked.remove(key)
    job.run = nil
    return enter(job, key)
  }

  /// The run of a parked job.
  func parkedRun(of key: Key) -> UInt64? {
    jobs[key].flatMap { $0.isParked ? $0.run : nil }
  }

  /// Takes the keys of all jobs that wait for their next run, for a caller that goes through them a few at a time.
  mutating func takeParked() -> Set<Key> {
    defer { parked = [] }
    return parked
  }

  mutating func moveDeparted(to departed: inout Departed) {
    departed.add(&ended)
  }

  private mutating func newRank(_ reason: Rank.Reason, _ priority: FutureImage.Priority, _ order: UInt64?) -> Rank {
    lastOrder += 1
    return Rank(reason: reason, priority: priority, order: order ?? lastOrder)
  }

  private mutating func raise(_ job: Job, to rank: Rank) -> UInt64? {
    guard job.rank < rank else { return nil }
    let before = job.rank.taskPriority
    // Of a job that runs, too: it may have to queue up again.
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
    // The job's own key, not the caller's: two that are equal may own different objects.
    if let content = job.content.take() { ended.append(content) }
    jobs[key] = nil
    if job.isParked { parked.remove(key) }
    guard let source = group?(key), var keys = groups.removeValue(forKey: source) else { return }
    keys.removeAll { $0 == key }
    if !keys.isEmpty { groups[source] = keys }
  }

  private mutating func fill() -> [Action] {
    var actions: [Action] = []
    // What waits has not ended, and so has its key.
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
    if slot.countsInLane { queue.ended(lane: slot.lane) }
  }
}
