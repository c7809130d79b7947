/// The jobs that wait for a slot of their lane. A lane is a set of jobs that share a limit, such as the fetches from one host. A slot is
/// the permission to run within this limit. The waiting job with the greatest rank starts first.
///
/// When a job is promoted or removed, its old entry stays in the queue. The ticket of that entry no longer has the job.
struct JobQueue<Job: QueuedJob> {
  private struct Entry: HeapElement {
    let order: EntryOrder
    let ticket: QueueTicket

    var isCurrent: Bool { ticket.job != nil }
  }

  private struct EntryOrder: Comparable {
    let rank: Rank
    let stamp: UInt64

    static func < (lhs: EntryOrder, rhs: EntryOrder) -> Bool { lhs.rank == rhs.rank ? lhs.stamp > rhs.stamp : lhs.rank < rhs.rank }
  }

  private final class Lane: IndexedHeapElement {
    var entries = Heap<Entry>()
    var running = 0
    var waiting = 0
    /// The number of running jobs that have given up their slots.
    var yielded = 0
    /// The number of holds that have not ended. If it is greater than zero, no job of the lane starts.
    var holds = 0
    /// The number of jobs of the lane that may run at a time.
    var limit: Int
    /// The number of jobs that have ended since the limit changed.
    var endedSince = 0
    /// The order of the lane's first job. It is up to date only while that job may start.
    var order = EntryOrder(rank: Rank(reason: .created), stamp: 0)
    var heapIndex: Int?

    init(limit: Int) { self.limit = limit }

    // A waiting job and its ticket retain each other, so these references are removed.
    deinit { while let entry = entries.pop() { entry.ticket.job = nil } }

    var first: Entry? {
      while let entry = entries.first {
        if entry.isCurrent { return entry }
        _ = entries.pop()
      }
      return nil
    }
  }

  let laneLimit: Int
  /// The maximum number of running jobs that have given up their slots, for each slot of their lane.
  private let yieldsPerSlot: Int
  private var lanes: [String: Lane] = [:]
  /// The lanes with a job to start and a slot for it. Other lanes are not searched, however many there are.
  private var ready = IndexedHeap<Lane>()
  private var lastStamp: UInt64 = 0
  private(set) var waitingCount = 0

  init(laneLimit: Int, yieldsPerSlot: Int = 0) {
    self.laneLimit = laneLimit
    self.yieldsPerSlot = yieldsPerSlot
  }

  /// Whether every waiting job waits only because the running jobs of its lane use as many slots as a lane can have.
  var waitsForLanes: Bool { lanes.values.allSatisfy { $0.waiting == 0 || $0.holds == 0 && $0.running >= laneLimit } }

  /// Enqueues the job, or moves it to a new rank.
  mutating func enqueue(_ job: Job, lane name: String, rank: Rank) {
    let lane = lane(name)
    if let former = job.ticket {
      former.job = nil
    } else {
      lane.waiting += 1
      waitingCount += 1
    }
    lastStamp += 1
    let ticket = QueueTicket(job)
    job.ticket = ticket
    lane.entries.push(Entry(order: EntryOrder(rank: rank, stamp: lastStamp), ticket: ticket))
    settle(lane, name)
  }

  /// Removes a waiting job.
  mutating func remove(_ job: Job, lane name: String) {
    guard job.ticket != nil, let lane = lanes[name] else { return }
    leave(job, lane)
    settle(lane, name)
  }

  /// Returns the job to start next, and counts it as running in its lane.
  mutating func next() -> Job? {
    guard let lane = ready.first, let entry = lane.first, let job = entry.ticket.job as? Job else { return nil }
    _ = lane.entries.pop()
    lane.running += 1
    leave(job, lane)
    rank(lane)
    return job
  }

  /// Records that a running job of the lane has ended.
  /// - Parameter hasYielded: whether the job had given up its slot by ``yield(lane:)``.
  mutating func ended(lane name: String, hasYielded: Bool = false) {
    guard let lane = lanes[name] else { return }
    if hasYielded { lane.yielded -= 1 } else { lane.running -= 1 }
    if lane.limit < laneLimit {
      lane.endedSince += 1
      if lane.endedSince >= Self.endsPerIncrease {
        lane.limit += 1
        lane.endedSince = 0
      }
    }
    settle(lane, name)
  }

  /// The number of jobs of a lane that must end after a hold before one more job may run at a time.
  static var endsPerIncrease: Int { 20 }

  /// Prevents jobs of the lane from starting until the hold is released, for example because a server demands a wait. After that, they
  /// start one at a time, until the lane's limit rises again.
  mutating func hold(lane name: String) {
    let lane = lane(name)
    lane.holds += 1
    lane.limit = 1
    lane.endedSince = 0
    rank(lane)
  }

  /// Ends one hold of the lane.
  mutating func release(lane name: String) {
    guard let lane = lanes[name] else { return }
    lane.holds -= 1
    settle(lane, name)
  }

  /// Gives up the slot of a job of the lane that continues to run.
  /// - Returns: false if too many jobs of the lane have given up their slots. The job then retains its slot.
  mutating func yield(lane name: String) -> Bool {
    // The number of jobs is divided, because a limit may be as large as `Int.max`, so that a product could overflow.
    guard yieldsPerSlot > 0, let lane = lanes[name], lane.yielded / yieldsPerSlot < lane.limit else { return false }
    lane.yielded += 1
    lane.running -= 1
    rank(lane)
    return true
  }

  /// Counts a job of the lane as running again, after it was counted as ended or gave up its slot.
  /// - Parameter hasYielded: whether the job gave up its slot by ``yield(lane:)``.
  mutating func began(lane name: String, hasYielded: Bool = false) {
    let lane = lane(name)
    if hasYielded { lane.yielded -= 1 }
    lane.running += 1
    rank(lane)
  }

  private mutating func lane(_ name: String) -> Lane {
    if let lane = lanes[name] { return lane }
    let lane = Lane(limit: laneLimit)
    lanes[name] = lane
    return lane
  }

  private mutating func leave(_ job: Job, _ lane: Lane) {
    job.ticket?.job = nil
    job.ticket = nil
    lane.waiting -= 1
    waitingCount -= 1
  }

  /// Moves the lane within `ready` to the position that the rank of its first job requires. If no job of the lane may start, removes the
  /// lane from `ready`.
  private mutating func rank(_ lane: Lane) {
    guard lane.waiting > 0, lane.holds == 0, lane.running < lane.limit, let first = lane.first else { return ready.remove(lane) }
    lane.order = first.order
    ready.update(lane)
  }

  /// Limits a lane's heap to four times the number of its waiting jobs plus 32, and removes a lane without jobs.
  private mutating func settle(_ lane: Lane, _ name: String) {
    rank(lane)
    if lane.waiting == 0, lane.running == 0, lane.yielded == 0, lane.holds == 0 {
      lanes[name] = nil
    } else if lane.entries.count > 4 * lane.waiting + 32 {
      lane.entries.keep { $0.isCurrent }
    }
  }
}
