import FutureImageTesting
import Testing

@testable import FutureImage

/// Random sequences of calls, compared with a model.
extension JobTableTests {
  /// A table and a model of it that get the same calls, and the waiters that have no answer yet.
  private struct Twins {
    struct Mismatch: Error {
      let operation: Int
      let what: String
    }

    struct Waiting: Hashable {
      let key: Int
      let waiter: Int
    }

    var table: JobTable<Int, Int, Void>
    var model: JobTableModel
    var unanswered: Set<Waiting> = []
    var answers = 0
    var operation = 0
    /// Canceled runs, whose results must be ignored. Some have ended and must not release a slot again.
    var cancelled: [(key: Int, run: UInt64)] = []
    var random: SeededGenerator

    init(seed: UInt64, limit: Int, laneLimit: Int) {
      table = JobTable(limit: limit, laneLimit: laneLimit)
      model = JobTableModel(limit: limit, laneLimit: laneLimit)
      random = SeededGenerator(seed: seed)
    }

    func check(_ condition: Bool, _ what: @autoclosure () -> String) throws {
      if !condition { throw Mismatch(operation: operation, what: what()) }
    }

    mutating func pick<Value>(_ values: [Value]) throws -> Value {
      try #require(values.randomElement(using: &random))
    }

    mutating func step() throws {
      operation += 1
      let key = Int.random(in: 0..<80, using: &random)
      let waiter = Int.random(in: 0..<5, using: &random)
      switch Int.random(in: 0..<1000, using: &random) {
      case ..<430: try want(key, waiter)
      case ..<520: try promote(key)
      case ..<660: try drop(key, waiter)
      case ..<780: try finish()
      case ..<820: try park()
      case ..<850: try unpark()
      case ..<980: try finishCancelled()
      case ..<998: try remove(key)
      default: try removeAll(key)
      }
      try checkLimits()
      if operation.isMultiple(of: 20) { try checkJobs() }
    }

    mutating func want(_ key: Int, _ waiter: Int) throws {
      let reason = try pick([Rank.Reason.created, .created, .prefetched, .bound])
      let priority = try pick([FutureImage.Priority.low, .normal, .normal, .high])
      let lane = "host \(key % 7)"
      let got = table.want(key, lane: lane, reason: reason, priority: priority, waiter: waiter)
      let expected = model.want(key, lane: lane, reason: reason, priority: priority, waiter: waiter)
      try check((got.joined, got.actions) == expected, "want \(key) returned \(got), not \(expected)")
      unanswered.insert(Waiting(key: key, waiter: waiter))
    }

    mutating func promote(_ key: Int) throws {
      let reason = try pick([Rank.Reason.created, .prefetched, .bound])
      let priority = try pick([FutureImage.Priority.low, .normal, .high])
      table.promote(key, reason: reason, priority: priority)
      model.promote(key, reason: reason, priority: priority)
    }

    mutating func drop(_ key: Int, _ waiter: Int) throws {
      try compare(table.drop(key, waiter: waiter), model.drop(key, waiter: waiter), "drop \(key)")
      unanswered.remove(Waiting(key: key, waiter: waiter))
    }

    mutating func remove(_ key: Int) throws {
      try compare(table.remove(key), model.remove(key), "remove \(key)")
      unanswered = unanswered.filter { $0.key != key }
    }

    mutating func removeAll(_ key: Int) throws {
      let matches = { (other: Int) in other % 9 == key % 9 }
      let actions = (0..<90).filter(matches).flatMap { table.remove($0) }
      note(actions)
      try check(model.removeAll(where: matches, as: actions), "removeAll returned \(actions)")
      unanswered = unanswered.filter { !matches($0.key) }
    }

    mutating func finish() throws {
      guard let (key, run) = model.running.sorted(by: { $0.value < $1.value }).randomElement(using: &random) else { return }
      let (waiters, actions) = table.finish(key, run: run)
      let expected = model.finish(key, run: run)
      try compare(actions, expected.actions, "finish \(key)")
      try check(waiters.map(Set.init) == expected.waiters, "finish \(key) returned the waiters \(String(describing: waiters))")
      for waiter in waiters ?? [] {
        try check(unanswered.remove(Waiting(key: key, waiter: waiter)) != nil, "waiter \(waiter) got an answer for \(key) without waiting")
        answers += 1
      }
      try check(!unanswered.contains { $0.key == key }, "not all waiters of \(key) got an answer")
    }

    mutating func park() throws {
      guard let (key, run) = model.running.sorted(by: { $0.value < $1.value }).randomElement(using: &random) else { return }
      try compare(table.park(key, run: run), model.park(key), "park \(key)")
      try check(table.park(key, run: run).isEmpty && table.finish(key, run: run).waiters == nil, "\(key) still ran although it was parked")
    }

    mutating func unpark() throws {
      guard let (key, run) = model.parked.sorted(by: { $0.value < $1.value }).randomElement(using: &random) else { return }
      try check(table.unpark(key, run: run + 1).isEmpty, "\(key) was resumed by another run")
      try compare(table.unpark(key, run: run), model.unpark(key), "unpark \(key)")
    }

    mutating func finishCancelled() throws {
      guard let (key, run) = cancelled.randomElement(using: &random) else { return }
      let (waiters, actions) = table.finish(key, run: run)
      try check(waiters == nil, "the result of the canceled run \(run) of \(key) was not ignored")
      try compare(actions, model.finish(key, run: run).actions, "the end of the canceled run \(run)")
      if cancelled.count > 40 { cancelled.removeAll { !model.isEnding($0.run) } }
    }

    mutating func compare(_ got: [JobTable<Int, Int, Void>.Action], _ expected: [JobTable<Int, Int, Void>.Action], _ what: String) throws {
      try check(got == expected, "\(what) returned \(got), not \(expected)")
      note(got)
    }

    mutating func note(_ actions: [JobTable<Int, Int, Void>.Action]) {
      for case .cancel(let key, let run) in actions { cancelled.append((key, run)) }
    }

    func checkLimits() throws {
      let lanes = model.lanes
      try check(lanes.values.reduce(0, +) <= model.limit, "too many jobs run: \(lanes)")
      try check(lanes.values.allSatisfy { $0 <= model.laneLimit }, "too many jobs of one lane run: \(lanes)")
      try check(model.next == nil, "a slot is free while \(String(describing: model.next)) waits")
    }

    func checkJobs() throws {
      try check(table.count == model.jobs.count, "\(table.count) jobs, not \(model.jobs.count)")
      try check(model.running.allSatisfy { table.isRunning($0.key, run: $0.value) }, "not all jobs run that should run")
      try check(model.parked.allSatisfy { table.parkedRun(of: $0.key) == $0.value }, "not all jobs are parked that should be parked")
      try check(Set(unanswered.map(\.key)) == Set(model.jobs.keys), "a waiter waits for a job that was lost")
    }
  }

  @Test(
    "A hundred thousand random calls have the same results as in a plain model",
    arguments: [(seed: UInt64(1), limit: 5, laneLimit: 2), (2, 1, .max), (3, 24, 6), (4, 6, 6)])
  func randomCalls(seed: UInt64, limit: Int, laneLimit: Int) throws {
    var twins = Twins(seed: seed, limit: limit, laneLimit: laneLimit)
    for _ in 0..<25_000 { try twins.step() }
    while !twins.model.jobs.isEmpty {
      try twins.unpark()
      try twins.finish()
      try twins.finishCancelled()
      try twins.checkLimits()
      try twins.checkJobs()
    }
    #expect(twins.table.isEmpty)
    #expect(twins.unanswered.isEmpty)
    #expect(twins.answers > 1_000)
  }
}
