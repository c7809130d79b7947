/// Futures that were made while their lane had plenty to do, and that nobody looks at yet: by lane, in the order of their making.
///
/// They wait here and not in the loader's tables, where a job costs thirty times as much memory. Most of a long list leaves by being bound
/// or let go, and neither has to be told here: an entry counts only while its wish stands. What the dead leave is swept out when there are
/// four times as many entries as futures that live.
///
/// A future must not die inside the loader's lock: what is found here has to leave it before it is let go.
struct Backlog {
  struct Entry {
    fileprivate(set) weak var future: FutureImage?
    let ticket: UInt32
  }

  /// What a future waits for.
  struct Name: Hashable {
    /// The lane of its source.
    let lane: String
    /// The group of its disk tier, if that has enough to do by itself: pictures of other tiers do not wait behind it.
    var tier: String?
  }

  private struct Line {
    var entries: [Entry] = []
    var next = 0

    /// - Returns: futures that were looked at.
    mutating func append(_ entry: Entry, living count: Int) -> [FutureImage] {
      var seen: [FutureImage] = []
      // Each future comes here once at most: so many that most of them must be dead.
      if entries.count >= max(1024, 4 * count) {
        // What was taken and what died has no future.
        let living = entries.filter { entry in
          guard let future = entry.future else { return false }
          seen.append(future)
          return true
        }
        (entries, next) = (living, 0)
      }
      entries.append(entry)
      return seen
    }

    mutating func takeNext() -> Entry? {
      guard next < entries.count else { return nil }
      defer {
        entries[next].future = nil
        next += 1
      }
      return entries[next]
    }
  }

  /// What is high does not wait here.
  private struct Lane {
    var normal = Line()
    var low = Line()
  }

  private var lanes: [Name: Lane] = [:]
  /// The lanes that something waits in. Beside the lanes, since they are asked for whenever anything has ended: that makes no array then.
  private(set) var names: [Name] = []

  var isEmpty: Bool { lanes.isEmpty }

  func holds(_ lane: Name) -> Bool { lanes[lane] != nil }

  /// - Parameter count: of all futures that live.
  /// - Returns: futures to be let go outside of the lock.
  mutating func append(_ future: FutureImage, _ ticket: UInt32, lane: Name, isLow: Bool, living count: Int) -> [FutureImage] {
    let entry = Entry(future: future, ticket: ticket)
    if lanes[lane] == nil { names.append(lane) }
    if isLow { return lanes[lane, default: Lane()].low.append(entry, living: count) }
    return lanes[lane, default: Lane()].normal.append(entry, living: count)
  }

  /// The next of the lane; its future may be dead by now, and its wish may be answered.
  mutating func takeNext(of lane: Name) -> Entry? {
    if let entry = lanes[lane]?.normal.takeNext() ?? lanes[lane]?.low.takeNext() { return entry }
    if lanes.removeValue(forKey: lane) != nil { names.removeAll { $0 == lane } }
    return nil
  }
}
