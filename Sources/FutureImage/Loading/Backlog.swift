/// The futures that were created while their lane was busy, and that no view shows yet: by lane, in the order of creation.
///
/// They wait here and not in the loader's tables, where a job costs thirty times as much memory. Most futures of a long list leave because
/// they are bound or released. Neither has to be reported here: an entry counts only while its future's request is queued. The entries of
/// released futures are swept out, a few with each new entry, while there are four times as many entries as living futures.
///
/// A future must not be deallocated inside the loader's lock. A future that is found here must leave the lock before it is released.
struct Backlog {
  struct Entry {
    fileprivate(set) weak var future: FutureImage?
  }

  /// The lane and tier of a future.
  struct Name: Hashable {
    /// The lane of its source.
    let lane: String
    /// The group of its disk tier, if that group is busy itself. Images of other tiers do not wait behind it.
    var tier: String?
  }

  /// A queue in chunks, so that one sweep removes the released futures of one chunk.
  private struct Line {
    static let chunkSize = 64
    private var chunks: [[Entry]] = []
    /// The index in the first chunk.
    private var next = 0
    private var count = 0
    /// The index of the chunk to sweep next.
    private var cursor = 0

    /// - Returns: the living futures that a sweep has found.
    mutating func append(_ entry: Entry, living: Int) -> [FutureImage] {
      // Each future enters at most once. With so many entries, most futures must have been released.
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
      // Entries that were taken, or whose future was released, have no future.
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

  /// Holds no futures of high priority.
  private struct Lane {
    var normal = Line()
    var low = Line()
  }

  /// A class, so that the search of its lanes, which follows each end of a transfer, needs no table.
  private final class Tier {
    let name: String?
    /// The lanes, in the order in which they are tried.
    var lanes = FIFO<Name>()

    init(name: String?) { self.name = name }
  }

  private var lanes: [Name: Lane] = [:]
  private var tiers: [String?: Tier] = [:]
  /// The tiers, in the order in which they are tried.
  private var order = FIFO<Tier>()

  var isEmpty: Bool { lanes.isEmpty }

  func holds(_ lane: Name) -> Bool { lanes[lane] != nil }

  /// The number of lanes that one search tries.
  private static let looks = 8
  var isAskedInOneLook: Bool { lanes.count <= Self.looks }

  /// - Parameter count: the number of all living futures.
  /// - Returns: futures to be released outside of the lock.
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

  /// Takes the next entry of the first lane that is free. Its future may have been released by now, or its request answered.
  ///
  /// Only a few lanes are tried, however many there are. Lanes that are not free move to the end: they are tried again when one of their
  /// jobs has ended. A tier without room is skipped with all of its lanes: it may hang, so that none of its jobs ever ends.
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
