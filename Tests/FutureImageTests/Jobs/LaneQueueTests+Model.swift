import FutureImageTesting
import Testing

@testable import FutureImage

/// Compares the results of random sequences of calls with a model.
extension LaneQueueTests {
  /// A model of `LaneQueue` that is as simple as possible. All jobs are in one dictionary, and a search through all jobs finds the next
  /// job.
  private struct Model {
    struct Entry {
      let lane: String?
      var rank: Rank
      /// The position of the job in the order in which jobs were enqueued.
      var number: Int
      /// The number of the job's run; nil while the job waits to start.
      var run: UInt64?
      /// Whether the job has given up its slot until the queue resumes the job.
      var isParked = false
      var hasSlot: Bool { run != nil && !isParked }
    }

    let limit: Int
    let laneLimit: Int
    private(set) var entries: [Int: Entry] = [:]
    /// The lanes of canceled runs that have not ended. A canceled run without a lane is not recorded.
    private(set) var ending: [UInt64: String] = [:]
    private var lastRun: UInt64 = 0
    private var lastNumber = 0

    init(limit: Int, laneLimit: Int) {
      self.limit = limit
      self.laneLimit = laneLimit
    }

    var running: [Int: UInt64] { entries.compactMapValues { $0.hasSlot ? $0.run : nil } }
    var parked: [Int] { entries.filter { $0.value.isParked }.map(\.key) }
    var waitingCount: Int { entries.values.count { $0.run == nil && $0.lane != nil } }

    /// The number of occupied slots in each lane.
    var lanes: [String: Int] {
      let occupied = entries.values.filter(\.hasSlot).compactMap(\.lane) + ending.values
      return occupied.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The job that should start now, if there is a slot.
    var next: Int? {
      let lanes = lanes
      let isFull = lanes.values.reduce(0, +) >= limit
      var best: (key: Int, entry: Entry)?
      for (key, entry) in entries where entry.run == nil {
        if let lane = entry.lane, isFull || lanes[lane, default: 0] >= laneLimit { continue }
        if best.map({ isAhead(entry, $0.entry) }) ?? true { best = (key, entry) }
      }
      return best?.key
    }

    mutating func add(_ key: Int, lane: String?, _ rank: Rank) {
      lastNumber += 1
      entries[key] = Entry(lane: lane, rank: rank, number: lastNumber)
    }

    /// - Returns: whether the task priority of a run has increased.
    mutating func promote(_ key: Int, to rank: Rank) -> Bool {
      guard let entry = entries[key], position(rank) > position(entry.rank) else { return false }
      entries[key]?.rank = rank
      return entry.run != nil && entry.rank.taskPriority < rank.taskPriority
    }

    mutating func start() -> (key: Int, run: UInt64)? {
      guard let key = next else { return nil }
      lastRun += 1
      entries[key]?.run = lastRun
      return (key, lastRun)
    }

    mutating func cancel(_ key: Int) {
      guard let entry = entries.removeValue(forKey: key), entry.hasSlot, let run = entry.run else { return }
      ending[run] = entry.lane
    }

    /// - Returns: whether the job was still needed.
    mutating func finish(_ key: Int, run: UInt64) -> Bool {
      ending[run] = nil
      guard let entry = entries[key], entry.hasSlot, entry.run == run else { return false }
      entries[key] = nil
      return true
    }

    mutating func park(_ key: Int) { entries[key]?.isParked = true }

    mutating func unpark(_ key: Int) {
      lastNumber += 1
      entries[key]?.isParked = false
      entries[key]?.run = nil
      entries[key]?.number = lastNumber
    }

    /// Returns whether the first job starts before the other. Jobs without a lane start before all other jobs, in the order in which they
    /// were enqueued.
    private func isAhead(_ entry: Entry, _ other: Entry) -> Bool {
      switch (entry.lane, other.lane) {
      case (nil, nil): entry.number < other.number
      case (nil, _): true
      case (_, nil): false
      default: position(entry.rank) > position(other.rank)
      }
    }

    private func position(_ rank: Rank) -> (UInt8, FutureImage.Priority, Int) {
      (rank.reason.rawValue, rank.priority, rank.reason == .bound ? Int(rank.order) : -Int(rank.order))
    }
  }

  /// A queue and its model, which get the same calls.
  private struct QueueAndModel {
    struct Mismatch: Error {
      let call: Int
      let what: String
    }

    var queue: LaneQueue<Job>
    var model: Model
    /// The jobs that have neither ended nor been canceled.
    var jobs: [Int: Job] = [:]
    /// Canceled runs, whose results must be ignored. Some of these runs have ended, and must not release a slot again.
    var canceled: [(key: Int, job: Job, run: UInt64)] = []
    var ends = 0
    var call = 0
    var random: SeededGenerator

    init(seed: UInt64, limit: Int, laneLimit: Int) {
      queue = LaneQueue(limit: limit, laneLimit: laneLimit)
      model = Model(limit: limit, laneLimit: laneLimit)
      random = SeededGenerator(seed: seed)
    }

    func check(_ condition: Bool, _ what: @autoclosure () -> String) throws {
      if !condition { throw Mismatch(call: call, what: what()) }
    }

    mutating func pick<Value>(_ values: [Value]) throws -> Value {
      try #require(values.randomElement(using: &random))
    }

    mutating func newRank() throws -> Rank {
      let reason = try pick([Rank.Reason.created, .created, .prefetched, .bound])
      let priority = try pick([FutureImage.Priority.low, .normal, .normal, .high])
      return Rank(reason: reason, priority: priority, order: UInt64(call))
    }

    mutating func step() throws {
      call += 1
      let key = Int.random(in: 0..<80, using: &random)
      switch Int.random(in: 0..<1000, using: &random) {
      case ..<350: try request(key)
      case ..<450: try promote(key)
      case ..<550: cancel(key)
      case ..<700: try finish()
      case ..<750: try park()
      case ..<790: try unpark()
      case ..<998: try finishCanceled()
      default: for other in stride(from: key % 9, to: 80, by: 9) { cancel(other) }
      }
      // The owner may make several changes before it starts jobs.
      if !call.isMultiple(of: 3) { try start() }
      if call.isMultiple(of: 20) { try checkJobs() }
    }

    mutating func request(_ key: Int) throws {
      if jobs[key] != nil { return try promote(key) }
      let rank = try newRank()
      let job = Job("\(key)", lane: key % 8 == 0 ? nil : "host \(key % 8)", rank.reason, rank.priority, order: rank.order)
      jobs[key] = job
      queue.add(job)
      model.add(key, lane: job.lane, rank)
    }

    mutating func promote(_ key: Int) throws {
      let rank = try newRank()
      guard let job = jobs[key] else { return }
      let (isMoreUrgent, expected) = (queue.promote(job, to: rank), model.promote(key, to: rank))
      try check(isMoreUrgent == expected, "the promotion of \(key) returned \(isMoreUrgent)")
    }

    mutating func cancel(_ key: Int) {
      guard let job = jobs.removeValue(forKey: key) else { return }
      if let run = job.run { canceled.append((key, job, run)) }
      queue.cancel(job)
      model.cancel(key)
    }

    mutating func finish() throws {
      guard let (key, run) = pickRunning(), let job = jobs.removeValue(forKey: key) else { return }
      let (isNeeded, expected) = (queue.finish(job, run: run), model.finish(key, run: run))
      try check(isNeeded && expected, "the run \(run) of \(key) was not needed")
      ends += 1
    }

    mutating func park() throws {
      guard let (key, run) = pickRunning(), let job = jobs[key] else { return }
      queue.park(job, run: run)
      model.park(key)
      let isNeeded = queue.finish(job, run: run)
      try check(!isNeeded, "\(key) still ran although it was parked")
    }

    mutating func unpark() throws {
      guard let key = model.parked.sorted().randomElement(using: &random), let job = jobs[key] else { return }
      queue.unpark(job)
      model.unpark(key)
      try check(job.run == nil, "\(key) still has a run although it was resumed")
    }

    mutating func finishCanceled() throws {
      guard let (key, job, run) = canceled.randomElement(using: &random) else { return }
      let (isNeeded, expected) = (queue.finish(job, run: run), model.finish(key, run: run))
      try check(!isNeeded && !expected, "the result of the canceled run \(run) of \(key) was not ignored")
      if canceled.count > 40 { canceled = canceled.filter { model.ending[$0.run] != nil } }
    }

    mutating func start() throws {
      while let job = queue.next() {
        let expected = model.start()
        let isExpected = expected.map { "\($0.key)" } == job.name && expected?.run == job.run
        try check(isExpected, "\(job.name) started, not \(String(describing: expected))")
      }
      let lanes = model.lanes
      try check(lanes.values.reduce(0, +) <= model.limit, "too many jobs run: \(lanes)")
      try check(lanes.values.allSatisfy { $0 <= model.laneLimit }, "too many jobs of one lane run: \(lanes)")
      try check(model.next == nil, "a slot is free while \(String(describing: model.next)) waits")
    }

    func checkJobs() throws {
      let running = model.running
      try check(queue.count == model.entries.count, "\(queue.count) jobs, not \(model.entries.count)")
      try check(queue.waitingCount == model.waitingCount, "\(queue.waitingCount) jobs wait, not \(model.waitingCount)")
      try check(queue.runCount == running.count + model.ending.count, "\(queue.runCount) jobs run")
      for (key, run) in running { try check(jobs[key]?.isCurrent(run: run) == true, "\(key) does not run") }
      try check(Set(queue.parkedJobs.map(\.name)) == Set(model.parked.map { "\($0)" }), "the parked jobs differ from those of the model")
      try check(queue.parkedCount == model.parked.count, "\(queue.parkedCount) jobs are parked, not \(model.parked.count)")
    }

    private mutating func pickRunning() -> (key: Int, run: UInt64)? {
      model.running.sorted { $0.value < $1.value }.randomElement(using: &random).map { (key: $0.key, run: $0.value) }
    }
  }

  @Test(
    arguments: [(seed: UInt64(1), limit: 5, laneLimit: 2), (2, 1, .max), (3, 24, 6), (4, 6, 6)])
  func `tens of thousands of random calls have the same results as in a simple model`(seed: UInt64, limit: Int, laneLimit: Int) throws {
    var pair = QueueAndModel(seed: seed, limit: limit, laneLimit: laneLimit)
    for _ in 0..<25_000 { try pair.step() }
    while !pair.jobs.isEmpty || !pair.model.ending.isEmpty {
      try pair.unpark()
      try pair.finish()
      try pair.finishCanceled()
      try pair.start()
      try pair.checkJobs()
    }
    #expect(pair.queue.isEmpty)
    #expect(pair.queue.runCount == 0)
    #expect(pair.ends > 1_000)
  }
}
