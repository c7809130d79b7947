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
    let order: Order
    let job: Job

    var counts: Bool { job.placeStamp == order.stamp }

    init(_ rank: Rank, _ stamp: UInt64, _ job: Job) {
      order = Order(rank: rank, stamp: stamp)
      self.job = job
    }
  }

  private struct Order: Comparable {
    let rank: Rank
    let stamp: UInt64

    static func < (lhs: Order, rhs: Order) -> Bool { lhs.rank == rhs.rank ? lhs.stamp > rhs.stamp : lhs.rank < rhs.rank }
  }

  private final class Lane {
    var places = Heap<Place>()
    var running = 0
    var waiting = 0

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
  private var lastStamp: UInt64 = 0
  private(set) var waitingCount = 0

  init(laneLimit: Int) {
    self.laneLimit = laneLimit
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
    sweep(lane, name)
  }

  /// Takes a waiting job out.
  mutating func remove(_ job: Job, lane name: String) {
    guard job.placeStamp != nil, let lane = lanes[name] else { return }
    leave(job, lane)
    sweep(lane, name)
  }

  /// The job to start next, now counted as running in its lane.
  mutating func next() -> Job? {
    var best: (lane: Lane, place: Place)?
    for lane in lanes.values where lane.waiting > 0 && lane.running < laneLimit {
      guard let place = lane.first else { continue }
      if best.map({ $0.place.order < place.order }) ?? true { best = (lane, place) }
    }
    guard let (lane, place) = best else { return nil }
    _ = lane.places.pop()
    lane.running += 1
    leave(place.job, lane)
    return place.job
  }

  /// A running job of the lane ended.
  mutating func ended(lane name: String) {
    guard let lane = lanes[name] else { return }
    lane.running -= 1
    sweep(lane, name)
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
  }

  /// Keeps a lane's heap within four times what waits in it, and forgets a lane without jobs.
  private mutating func sweep(_ lane: Lane, _ name: String) {
    if lane.waiting == 0, lane.running == 0 {
      lanes[name] = nil
    } else if lane.places.count > 4 * lane.waiting + 32 {
      lane.places.keep { $0.counts }
    }
  }
}
