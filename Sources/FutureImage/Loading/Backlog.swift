/// Futures that were made while their lane had plenty to do, and that nobody looks at yet: by lane, in the order of their making.
///
/// They wait here and not in the loader's tables, where a job costs thirty times as much memory. Most of a long list leaves by being bound
/// or let go, and neither has to be told here: an entry counts only while its wish stands. What the dead leave is swept out while there
/// are four times as many entries as futures that live, a few with each that comes.
///
/// A future must not die inside the loader's lock: what is found here has to leave it before it is let go.
struct Backlog {
  struct Entry {
    fileprivate(set) weak var future: FutureImage?
  }

  /// What a future waits for.
  struct Name: Hashable {
    /// The lane of its source.
    let lane: String
    /// The group of its disk tier, if that has enough to do by itself: pictures of other tiers do not wait behind it.
    var tier: String?
  }

  /// In chunks, so that the dead are swept out of one at a time.
  private struct Line {
    static let chunkSize = 64
    private var chunks: [[Entry]] = []
    /// In the first chunk.
    private var next = 0
    private var count = 0
    /// The chunk to be swept next.
    private var cursor = 0

    /// - Returns: futures that were looked at.
    mutating func append(_ entry: Entry, living: Int) -> [FutureImage] {
      // Each future comes here once at most: so many that most of them must be dead.
      let seen = count >= max(1024, 4 * living) ? sweep() : []
      if chunks.last.map({ $0.count >= Self.chunkSize }) ?? true { chunks.append([]) }
      chunks[chunks.count - 1].append(entry)
      count += 1
      return seen
    }

    private mutating func sweep() -> [FutureImage] {
      if cursor >= chunks.count { cursor = 0 }
      var seen: [FutureImage] = []
      let before = chunks[cursor].count - (cursor == 0 ? next : 0)
      // What was taken and what died has no future.
      let living = chunks[cursor].filter { entry in
        guard let future = Scheduling.read(entry.future) else { return false }
        seen.append(future)
        return true
      }
      count -= before - living.count
      if cursor == 0 { next = 0 }
      chunks[cursor] = living
      if living.isEmpty { chunks.remove(at: cursor) } else { cursor += 1 }
      return seen
    }

    mutating func takeNext() -> Entry? {
      while !chunks.isEmpty {
        if next < chunks[0].count {
          defer {
            chunks[0][next].future = nil
            next += 1
            count -= 1
          }
          return chunks[0][next]
        }
        chunks.removeFirst()
        next = 0
        cursor = max(0, cursor - 1)
      }
      return nil
    }
  }

  /// What is high does not wait here.
  private struct Lane {
    var normal = Line()
    var low = Line()
  }

  /// An object: a look at its lanes, which follows each end of a transfer, asks no table for them.
  private final class Tier {
    let name: String?
    /// In the order in which they are asked.
    var lanes = FIFO<Name>()

    init(name: String?) { self.name = name }
  }

  private var lanes: [Name: Lane] = [:]
  private var tiers: [String?: Tier] = [:]
  /// The tiers, in the order in which they are asked.
  private var order = FIFO<Tier>()

  var isEmpty: Bool { lanes.isEmpty }

  func holds(_ lane: Name) -> Bool { lanes[lane] != nil }

  /// How many lanes are asked in one look.
  private static let looks = 8
  var isAskedInOneLook: Bool { lanes.count <= Self.looks }

  /// - Parameter count: of all futures that live.
  /// - Returns: futures to be let go outside of the lock.
  mutating func append(_ future: FutureImage, lane: Name, isLow: Bool, living count: Int) -> [FutureImage] {
    let entry = Entry(future: future)
    if lanes[lane] == nil { tier(lane.tier).lanes.append(lane) }
    if isLow { return lanes[lane, default: Lane()].low.append(entry, living: count) }
    return lanes[lane, default: Lane()].normal.append(entry, living: count)
  }

  private mutating func tier(_ name: String?) -> Tier {
    if let tier = tiers[name] { return tier }
    let tier = Tier(name: name)
    tiers[name] = tier
    order.append(tier)
    return tier
  }

  /// The next of the first lane that is free; its future may be dead by now, and its wish may be answered.
  ///
  /// A few lanes are asked, however many there are. Those that are not free come last then: they are asked again when something of theirs
  /// has ended. A tier that has no room is passed over with all of its lanes: it may hang, so that nothing of its ever ends.
  mutating func takeNext(ofTier hasRoom: (String?) -> Bool = { _ in true }, where isFree: (Name) -> Bool) -> Entry? {
    var looks = Self.looks
    for _ in 0..<order.count {
      guard looks > 0, let tier = order.first else { break }
      let entry = hasRoom(tier.name) ? takeNext(of: tier, where: isFree, &looks) : nil
      if tier.lanes.isEmpty {
        tiers[tier.name] = nil
        _ = order.popFirst()
      } else {
        order.rotate()
      }
      if let entry { return entry }
    }
    return nil
  }

  private mutating func takeNext(of tier: Tier, where isFree: (Name) -> Bool, _ looks: inout Int) -> Entry? {
    for _ in 0..<tier.lanes.count {
      guard looks > 0, let name = tier.lanes.first else { break }
      guard isFree(name) else {
        tier.lanes.rotate()
        looks -= 1
        continue
      }
      if let entry = lanes[name]?.normal.takeNext() ?? lanes[name]?.low.takeNext() { return entry }
      lanes[name] = nil
      _ = tier.lanes.popFirst()
    }
    return nil
  }
}
