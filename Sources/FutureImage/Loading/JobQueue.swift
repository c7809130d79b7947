/// What can stand in a ``JobQueue``.
protocol QueuedJob: AnyObject {
  /// Of its place; nil while it does not wait. The queue's own.
  var placeStamp: UInt64? { get set }
}

/// The jobs of one table that wait for a slot: greatest rank first, but no more than so many of one lane running at a time.
///
/// A job that is promoted or removed leaves its old place behind; a place counts only while its stamp is the job's own.
struct JobQueue<Job: QueuedJob> {
  private struct Place: HeapElement {
    let order: PlaceOrder
    let job: Job

    var counts: Bool { job.placeStamp == order.stamp }

    init(_ rank: Rank, _ stamp: UInt64, _ job: Job) {
      order = PlaceOrder(rank: rank, stamp: stamp)
      self.job = job
    }
  }

  private struct PlaceOrder: Comparable {
    let rank: Rank
    let stamp: UInt64

    static func < (lhs: PlaceOrder, rhs: PlaceOrder) -> Bool { lhs.rank == rhs.rank ? lhs.stamp > rhs.stamp : lhs.rank < rhs.rank }
  }

  private final class Lane: IndexedHeapElement {
    var places = Heap<Place>()
    var running = 0
    var waiting = 0
    /// Of its first job, while that may be started.
    var order = PlaceOrder(rank: Rank(reason: .created), stamp: 0)
    var heapIndex: Int?

    var first: Place? {
      while let place = places.first {
        if place.counts { return place }
        _ = places.pop()
      }
      return nil
    }
  }

  private let laneLimit: Int
  private var lanes: [String: Lane] = [:]
  /// The lanes that have a job to start and a slot for it: nobody looks at the others, however many there are.
  private var ready = IndexedHeap<Lane>()
  private var lastStamp: UInt64 = 0
  private(set) var waitingCount = 0
  private let low: Int
  /// Counts the jobs that left fewer than `low` behind in their lane.
  private(set) var lowCount: UInt64 = 0

  init(laneLimit: Int, low: Int = 0) {
    self.laneLimit = laneLimit
    self.low = low
  }

  func waitingCount(inLane name: String) -> Int { lanes[name]?.waiting ?? 0 }

  /// Puts the job in the queue, or moves it to a new rank.
  mutating func place(_ job: Job, lane name: String, rank: Rank) {
    let lane = lane(name)
    if job.placeStamp == nil {
      lane.waiting += 1
      waitingCount += 1
    }
    lastStamp += 1
    job.placeStamp = lastStamp
    lane.places.push(Place(rank, lastStamp, job))
    settle(lane, name)
  }

  /// Takes a waiting job out.
  mutating func remove(_ job: Job, lane name: String) {
    guard job.placeStamp != nil, let lane = lanes[name] else { return }
    leave(job, lane)
    settle(lane, name)
  }

  /// The job to start next, now counted as running in its lane.
  mutating func next() -> Job? {
    guard let lane = ready.first, let place = lane.first else { return nil }
    _ = lane.places.pop()
    lane.running += 1
    leave(place.job, lane)
    rank(lane)
    return place.job
  }

  /// A running job of the lane ended.
  mutating func ended(lane name: String) {
    guard let lane = lanes[name] else { return }
    lane.running -= 1
    settle(lane, name)
  }

  /// A job of the lane that was said to have ended runs on.
  mutating func began(lane name: String) { lane(name).running += 1 }

  private mutating func lane(_ name: String) -> Lane {
    if let lane = lanes[name] { return lane }
    let lane = Lane()
    lanes[name] = lane
    return lane
  }

  private mutating func leave(_ job: Job, _ lane: Lane) {
    job.placeStamp = nil
    lane.waiting -= 1
    waitingCount -= 1
    if lane.waiting < low { lowCount += 1 }
  }

  /// Puts the lane where its first job belongs, or takes it out while it has none that may be started.
  private mutating func rank(_ lane: Lane) {
    guard lane.waiting > 0, lane.running < laneLimit, let first = lane.first else { return ready.remove(lane) }
    lane.order = first.order
    ready.update(lane)
  }

  /// Keeps a lane's heap within four times what waits in it, and forgets a lane without jobs.
  private mutating func settle(_ lane: Lane, _ name: String) {
    rank(lane)
    if lane.waiting == 0, lane.running == 0 {
      lanes[name] = nil
    } else if lane.places.count > 4 * lane.waiting + 32 {
      lane.places.keep { $0.counts }
    }
  }
}
