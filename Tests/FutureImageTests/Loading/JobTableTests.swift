import Testing

@testable import FutureImage

@Suite("JobTable", .timeLimit(.minutes(10))) struct JobTableTests {
  typealias Table = JobTable<String, Int, Void>

  // MARK: Wanting

  @Test("The first waiter starts the job")
  func firstStarts() {
    var table = Table(limit: 2)
    let (joined, _, actions) = table.want("a", reason: .created, waiter: 1)
    #expect(!joined)
    #expect(actions == [.start("a", run: 1)])
    #expect(table.isRunning("a", run: 1))
    #expect(table.contains("a"))
    #expect(table.count == 1)
  }

  @Test("A second waiter joins the running job and starts nothing")
  func secondJoins() {
    var table = Table(limit: 2)
    _ = table.want("a", reason: .created, waiter: 1)
    let (joined, _, actions) = table.want("a", reason: .bound, waiter: 2)
    #expect(joined)
    #expect(actions.isEmpty)
    #expect(Set(table.waiters(of: "a")) == [1, 2])
    #expect(table.count == 1)
  }

  @Test("A waiter that is registered already does not join again, alone or among others", arguments: [[1], [1, 2], [1, 2, 3]])
  func sameWaiterCountsOnce(waiters: [Int]) {
    var table = Table(limit: 1)
    for waiter in waiters { _ = table.want("a", reason: .created, waiter: waiter) }
    let (joined, _, actions) = table.want("a", reason: .bound, waiter: 1)
    #expect(!joined)
    #expect(actions.isEmpty)
    #expect(table.waiters(of: "a").sorted() == waiters)
  }

  @Test("One drop removes a waiter that was registered twice")
  func droppedOnceAfterAskingTwice() {
    var table = Table(limit: 1)
    _ = table.want("a", reason: .created, waiter: 1)
    _ = table.want("a", reason: .bound, waiter: 1)
    #expect(table.drop("a", waiter: 1) == [.cancel("a", run: 1)])
    #expect(table.isEmpty)
  }

  @Test("Two keys have separate jobs")
  func keysAreApart() {
    var table = Table(limit: 2)
    _ = table.want("a", reason: .created, waiter: 1)
    let (joined, _, actions) = table.want("b", reason: .created, waiter: 1)
    #expect(!joined)
    #expect(actions == [.start("b", run: 2)])
    #expect(table.waiters(of: "c").isEmpty)
    #expect(!table.contains("c"))
  }

  @Test func `a start and a drop are counted when they leave few waiting jobs in a lane`() {
    var table = Table(limit: 1, low: 2)
    for (waiter, key) in ["a", "b", "c", "d"].enumerated() { _ = table.want(key, reason: .created, waiter: waiter) }
    #expect(table.lowCount == 1)
    _ = table.finish("a", run: 1)
    #expect(table.lowCount == 1)
    _ = table.drop("d", waiter: 3)
    #expect(table.lowCount == 2)
  }

  // MARK: Leaving

  @Test("The last waiter to leave a running job cancels it")
  func lastDropCancels() {
    var table = Table(limit: 1)
    _ = table.want("a", reason: .created, waiter: 1)
    _ = table.want("a", reason: .created, waiter: 2)
    #expect(table.drop("a", waiter: 1).isEmpty)
    #expect(table.waiters(of: "a") == [2])
    #expect(table.isRunning("a", run: 1))
    #expect(table.drop("a", waiter: 2) == [.cancel("a", run: 1)])
    #expect(table.isEmpty)
  }

  @Test("The last waiter to leave a queued job removes it without an action")
  func lastDropOfQueued() {
    var table = Table(limit: 1)
    _ = table.want("a", reason: .created, waiter: 1)
    _ = table.want("b", reason: .created, waiter: 2)
    #expect(table.drop("b", waiter: 2).isEmpty)
    #expect(!table.contains("b"))
    #expect(table.finish("a", run: 1).actions.isEmpty)
  }

  @Test("Dropping a waiter that is not registered changes nothing", arguments: [[1], [1, 2]])
  func strangerDropsNothing(waiters: [Int]) {
    var table = Table(limit: 1)
    for waiter in waiters { _ = table.want("a", reason: .created, waiter: waiter) }
    #expect(table.drop("a", waiter: 9).isEmpty)
    #expect(table.drop("b", waiter: 1).isEmpty)
    #expect(table.waiters(of: "a").sorted() == waiters)
    #expect(table.isRunning("a", run: 1))
  }

  @Test("Dropping a waiter twice does not affect other waiters")
  func secondDropIsNothing() {
    var table = Table(limit: 1)
    for waiter in 1...3 { _ = table.want("a", reason: .created, waiter: waiter) }
    _ = table.drop("a", waiter: 1)
    #expect(table.drop("a", waiter: 1).isEmpty)
    #expect(table.waiters(of: "a").sorted() == [2, 3])
  }

  @Test("A canceled run has its slot until it has ended, and releases it once")
  func cancelledKeepsSlot() {
    var table = Table(limit: 1)
    for (waiter, key) in ["a", "b", "c"].enumerated() { _ = table.want(key, reason: .created, waiter: waiter) }
    #expect(table.drop("a", waiter: 0) == [.cancel("a", run: 1)])
    #expect(table.finish("a", run: 1).actions == [.start("b", run: 2)])
    #expect(table.finish("a", run: 1).actions.isEmpty)
  }

  @Test("A canceled job that is requested again runs anew, and the end of the old run is ignored")
  func wantedAgain() {
    var table = Table(limit: 1)
    _ = table.want("a", reason: .created, waiter: 1)
    _ = table.drop("a", waiter: 1)
    let again = table.want("a", reason: .created, waiter: 2)
    #expect(!again.joined)
    #expect(again.actions.isEmpty)
    #expect(!table.isRunning("a", run: 1))

    let old = table.finish("a", run: 1)
    #expect(old.waiters == nil)
    #expect(old.actions == [.start("a", run: 2)])
    #expect(table.isRunning("a", run: 2))

    #expect(table.finish("a", run: 2).waiters == [2])
    #expect(table.isEmpty)
  }

  // MARK: Ending

  @Test("The end of a run returns its waiters once")
  func finishOnce() {
    var table = Table(limit: 1)
    for waiter in 1...3 { _ = table.want("a", reason: .created, waiter: waiter) }
    #expect(table.finish("a", run: 1).waiters?.sorted() == [1, 2, 3])
    #expect(table.finish("a", run: 1).waiters == nil)
    #expect(table.isEmpty)
  }

  @Test("A dropped waiter is not among the waiters at the end")
  func droppedIsNotTold() {
    var table = Table(limit: 1)
    for waiter in 1...3 { _ = table.want("a", reason: .created, waiter: waiter) }
    _ = table.drop("a", waiter: 2)
    #expect(table.finish("a", run: 1).waiters?.sorted() == [1, 3])
  }

  @Test("The end of a queued or unknown job is ignored")
  func finishOfNoRun() {
    var table = Table(limit: 1)
    _ = table.want("a", reason: .created, waiter: 1)
    _ = table.want("b", reason: .created, waiter: 2)
    for key in ["b", "c"] {
      let (waiters, actions) = table.finish(key, run: 2)
      #expect(waiters == nil)
      #expect(actions.isEmpty)
    }
    #expect(table.waiters(of: "b") == [2])
  }

  @Test("Removing a job ends it despite its waiters, and the next one starts when its run has ended")
  func remove() {
    var table = Table(limit: 1)
    for waiter in 1...3 { _ = table.want("a", reason: .created, waiter: waiter) }
    _ = table.want("b", reason: .created, waiter: 1)
    #expect(table.remove("c").isEmpty)
    #expect(table.remove("a") == [.cancel("a", run: 1)])
    #expect(table.waiters(of: "a").isEmpty)
    let (waiters, actions) = table.finish("a", run: 1)
    #expect(waiters == nil)
    #expect(actions == [.start("b", run: 2)])
  }

  @Test("The jobs of one image are found, queued or running, and no others")
  func ofOnePicture() {
    var table = Table(limit: 2) { SourceKey(String($0.prefix(1))) }
    for key in ["a1", "b1", "a2", "b2", "a3"] { _ = table.want(key, reason: .created, waiter: 1) }
    #expect(table.keys(of: "a") == ["a1", "a2", "a3"])
    #expect(table.keys(of: "a").flatMap { table.remove($0) } == [.cancel("a1", run: 1)])
    #expect(table.keys(of: "a").isEmpty)
    #expect(table.count == 2)
    #expect(table.finish("a1", run: 1).actions == [.start("b2", run: 3)])
    #expect(table.finish("b1", run: 2).waiters == [1])
    #expect(table.finish("b2", run: 3).waiters == [1])
    #expect(table.keys(of: "b").isEmpty)
    #expect(table.isEmpty)
  }

  @Test("Parked jobs are taken once, without those that have resumed or ended since")
  func takesParked() {
    var table = Table(limit: 4)
    for (number, key) in ["a", "b", "c"].enumerated() {
      _ = table.want(key, reason: .created, waiter: 1)
      _ = table.park(key, run: UInt64(number + 1))
    }
    _ = table.unpark("b", run: 2)
    _ = table.remove("c")
    #expect(table.takeParked() == ["a"])
    #expect(table.takeParked().isEmpty)
  }

  // MARK: Parking

  @Test("A run that waits for its next attempt releases its slot and retains its waiters")
  func parking() {
    var table = Table(limit: 1)
    _ = table.want("a", reason: .created, waiter: 1)
    _ = table.want("b", reason: .created, waiter: 2)
    #expect(table.park("a", run: 1) == [.start("b", run: 2)])
    #expect(table.waiters(of: "a") == [1])
    #expect(table.finish("a", run: 1).waiters == nil)
    #expect(table.unpark("a", run: 1).isEmpty)
    #expect(table.finish("b", run: 2).actions == [.start("a", run: 3)])
    #expect(table.finish("a", run: 1).waiters == nil)
    #expect(table.finish("a", run: 3).waiters == [1])
  }

  @Test("A parked job without waiters is canceled, and frees no second slot")
  func parkedIsDropped() {
    var table = Table(limit: 1)
    _ = table.want("a", reason: .created, waiter: 1)
    _ = table.want("b", reason: .created, waiter: 2)
    _ = table.want("c", reason: .created, waiter: 3)
    _ = table.park("a", run: 1)
    #expect(table.drop("a", waiter: 1) == [.cancel("a", run: 1)])
    #expect(table.unpark("a", run: 1).isEmpty)
    #expect(table.finish("b", run: 2).actions == [.start("c", run: 3)])
  }

  @Test("A job that is promoted while it is parked is enqueued at its new rank")
  func parkedIsPromoted() {
    var table = Table(limit: 1)
    for (waiter, key) in ["a", "b", "c"].enumerated() { _ = table.want(key, reason: .created, waiter: waiter) }
    _ = table.park("a", run: 1)
    table.promote("a", reason: .bound)
    _ = table.unpark("a", run: 1)
    #expect(table.finish("b", run: 2).actions == [.start("a", run: 3)])
  }

  @Test("A job without a lane is parked and resumed like others")
  func parkedWithoutLane() {
    var table = Table(limit: 1)
    _ = table.want("a", lane: nil, reason: .created, waiter: 1)
    #expect(table.park("a", run: 1).isEmpty)
    #expect(table.unpark("a", run: 1) == [.start("a", run: 2)])
  }

  // MARK: Input

  @Test("A job retains the input of its first request, and hands it out however the job ends", arguments: ["finish", "drop", "remove"])
  func input(end: String) throws {
    var table = JobTable<String, Int, Signal>(limit: 1)
    weak var input: Signal?
    _ = table.want("first", reason: .created, waiter: 0, input: Signal())
    do {
      let signal = Signal()
      input = signal
      _ = table.want("a", reason: .created, waiter: 1, input: signal)
    }
    _ = table.want("a", reason: .bound, waiter: 2, input: Signal())
    #expect(table["a"] === input)
    #expect(table["b"] == nil)
    switch end {
    case "finish":
      _ = table.finish("first", run: 1)
      _ = table.finish("a", run: 2)
    case "drop": for waiter in [1, 2] { _ = table.drop("a", waiter: waiter) }
    default: _ = table.remove("a")
    }
    #expect(table["a"] == nil)
    // The input is not released before the owner of the table has unlocked.
    #expect(input != nil)
    var departed = Departed()
    table.moveDeparted(to: &departed)
    departed.release()
    departed = Departed()
    #expect(input == nil)
  }

  @Test("An input is changed in place, and only while its job exists")
  func changedInput() {
    var table = JobTable<String, Int, [Int]>(limit: 1)
    _ = table.want("a", reason: .created, waiter: 1, input: [1])
    table.change("a") { $0.append(2) }
    table.change("b") { $0.append(3) }
    #expect(table["a"] == [1, 2])
    #expect(table["b"] == nil)
  }
}
