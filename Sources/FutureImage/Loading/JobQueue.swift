/// The jobs of one table that wait for a slot: greatest rank first, but no more than so many of one lane running at a time.
///
/// A job that is promoted or removed leaves its old place behind; a place counts only while its stamp is the job's newest.
struct JobQueue<Key: Hashable> {
  private struct Place: Comparable {
    let rank: Rank
    let key: Key
    let stamp: UInt64

    static func == (lhs: Place, rhs: Place) -> Bool { lhs.stamp == rhs.stamp }
    static func < (lhs: Place, rhs: Place) -> Bool { lhs.rank == rhs.rank ? lhs.stamp > rhs.stamp : lhs.rank < rhs.rank }
  }

  private struct Lane {
    var places = Heap<Place>()
    var running = 0
    var waiting = 0
  }

  private let laneLimit: Int
  private var lanes: [String: Lane] = [:]
  private var stamps: [Key: UInt64] = [:]
  private var lastStamp: UInt64 = 0

  init(laneLimit: Int) {
    self.laneLimit = laneLimit
  }

  var waitingCount: Int { stamps.count }

  func waitingCount(inLane name: String) -> Int { lanes[name]?.waiting ?? 0 }

  /// Puts the job in the queue, or moves it to a new rank.
  mutating func place(_ key: Key, lane name: String, rank: Rank) {
    lastStamp += 1
    if stamps.updateValue(lastStamp, forKey: key) == nil { lanes[name, default: Lane()].waiting += 1 }
    lanes[name, default: Lane()].places.push(Place(rank: rank, key: key, stamp: lastStamp))
    sweep(name)
  }

  /// Takes a waiting job out.
  mutating func remove(_ key: Key, lane name: String) {
    guard stamps.removeValue(forKey: key) != nil else { return }
    lanes[name]?.waiting -= 1
    sweep(name)
  }

  /// The job to start next, now counted as running in its lane.
  mutating func next() -> Key? {
    var best: (name: String, place: Place)?
    for name in lanes.keys {
      guard let lane = lanes[name], lane.waiting > 0, lane.running < laneLimit, let place = top(of: name) else { continue }
      if best.map({ $0.place < place }) ?? true { best = (name, place) }
    }
    guard let best else { return nil }
    _ = lanes[best.name]?.places.pop()
    lanes[best.name]?.waiting -= 1
    lanes[best.name]?.running += 1
    stamps[best.place.key] = nil
    return best.place.key
  }

  /// A running job of the lane ended.
  mutating func ended(lane name: String) {
    lanes[name]?.running -= 1
    sweep(name)
  }

  private mutating func top(of name: String) -> Place? {
    while let place = lanes[name]?.places.first {
      if stamps[place.key] == place.stamp { return place }
      _ = lanes[name]?.places.pop()
    }
    return nil
  }

  /// Keeps a lane's heap within twice what waits in it, and forgets a lane without jobs.
  private mutating func sweep(_ name: String) {
    guard let lane = lanes[name] else { return }
    if lane.waiting == 0, lane.running == 0 {
      lanes[name] = nil
    } else if lane.places.count > 2 * lane.waiting + 32 {
      lanes[name]?.places = Heap(lane.places.elements.filter { stamps[$0.key] == $0.stamp })
    }
  }
}
