@testable import FutureImage

/// A model of `JobTable`, as simple as possible: all jobs are in one dictionary, and a search through all of them finds the next one.
struct JobTableModel {
  typealias Table = JobTable<Int, Int, Void>

  struct Job {
    var waiters: Set<Int>
    let lane: String
    var reason: Rank.Reason
    var priority: FutureImage.Priority
    var order: Int
    var run: UInt64?
    var isParked = false
    var hasSlot: Bool { run != nil && !isParked }
  }

  let limit: Int
  let laneLimit: Int
  private(set) var jobs: [Int: Job] = [:]
  /// The lanes of canceled runs that have not ended.
  private var ending: [UInt64: String] = [:]
  private var lastRun: UInt64 = 0
  private var lastOrder = 0

  init(limit: Int, laneLimit: Int) {
    self.limit = limit
    self.laneLimit = laneLimit
  }

  var running: [Int: UInt64] { jobs.compactMapValues { $0.hasSlot ? $0.run : nil } }
  var parked: [Int: UInt64] { jobs.compactMapValues { $0.isParked ? $0.run : nil } }

  /// The number of occupied slots in each lane.
  var lanes: [String: Int] {
    let occupied = jobs.values.filter(\.hasSlot).map(\.lane) + ending.values
    return occupied.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  func isEnding(_ run: UInt64) -> Bool { ending[run] != nil }

  /// The job that should start now, if there is a slot.
  var next: Int? {
    let lanes = lanes
    guard lanes.values.reduce(0, +) < limit else { return nil }
    var best: (key: Int, job: Job)?
    for (key, job) in jobs where job.run == nil && lanes[job.lane, default: 0] < laneLimit {
      if best.map({ isAhead(job, $0.job) }) ?? true { best = (key, job) }
    }
    return best?.key
  }

  mutating func want(
    _ key: Int, lane: String, reason: Rank.Reason, priority: FutureImage.Priority, waiter: Int
  ) -> (joined: Bool, actions: [Table.Action]) {
    if let job = jobs[key] {
      promote(key, reason: reason, priority: priority)
      jobs[key]?.waiters.insert(waiter)
      return (!job.waiters.contains(waiter), [])
    }
    lastOrder += 1
    jobs[key] = Job(waiters: [waiter], lane: lane, reason: reason, priority: priority, order: lastOrder)
    return (false, start())
  }

  mutating func promote(_ key: Int, reason: Rank.Reason, priority: FutureImage.Priority) {
    guard let job = jobs[key] else { return }
    lastOrder += 1
    var better = job
    (better.reason, better.priority, better.order) = (reason, priority, lastOrder)
    if isAhead(better, job) { jobs[key] = better }
  }

  mutating func drop(_ key: Int, waiter: Int) -> [Table.Action] {
    guard jobs[key]?.waiters.remove(waiter) != nil, jobs[key]?.waiters.isEmpty == true else { return [] }
    return remove(key)
  }

  mutating func remove(_ key: Int) -> [Table.Action] {
    guard let job = jobs.removeValue(forKey: key), let run = job.run else { return [] }
    if job.hasSlot { ending[run] = job.lane }
    return [.cancel(key, run: run)]
  }

  mutating func finish(_ key: Int, run: UInt64) -> (waiters: Set<Int>?, actions: [Table.Action]) {
    if ending.removeValue(forKey: run) != nil { return (nil, start()) }
    guard let job = jobs[key], job.run == run, !job.isParked else { return (nil, []) }
    jobs[key] = nil
    return (job.waiters, start())
  }

  mutating func park(_ key: Int) -> [Table.Action] {
    jobs[key]?.isParked = true
    return start()
  }

  mutating func unpark(_ key: Int) -> [Table.Action] {
    jobs[key]?.isParked = false
    jobs[key]?.run = nil
    return start()
  }

  /// Applies the actions of a table that ends jobs in any order.
  mutating func removeAll(where matches: (Int) -> Bool, as actions: [Table.Action]) -> Bool {
    for action in actions {
      guard case .cancel(let key, let run) = action, matches(key), jobs[key]?.run == run else { return false }
      _ = remove(key)
    }
    guard !jobs.contains(where: { matches($0.key) && $0.value.run != nil }) else { return false }
    jobs = jobs.filter { !matches($0.key) }
    return true
  }

  private mutating func start() -> [Table.Action] {
    var actions: [Table.Action] = []
    while let key = next {
      lastRun += 1
      jobs[key]?.run = lastRun
      actions.append(.start(key, run: lastRun))
    }
    return actions
  }

  private func isAhead(_ job: Job, _ other: Job) -> Bool {
    func place(_ job: Job) -> (UInt8, FutureImage.Priority, Int) {
      (job.reason.rawValue, job.priority, job.reason == .bound ? job.order : -job.order)
    }
    return place(job) > place(other)
  }
}

extension JobTable where Input == Void {
  mutating func want(
    _ key: Key, lane: String? = "", reason: Rank.Reason, priority: FutureImage.Priority = .normal, order: UInt64? = nil, waiter: Waiter
  ) -> (joined: Bool, raised: UInt64?, actions: [Action]) {
    want(key, lane: lane, reason: reason, priority: priority, order: order, waiter: waiter, input: ())
  }
}
