import Testing

@testable import FutureImage

extension JobTableTests {
  @Test func `a run that yields its slot lets another lane's run start, and counts again when it retakes it`() {
    var table = JobTable<String, Int, Void>(limit: 1, laneLimit: 1, yieldLimit: 1)
    _ = table.want("a", lane: "A", reason: .bound, waiter: 1)
    #expect(table.want("b", lane: "B", reason: .bound, waiter: 1).actions.isEmpty)
    #expect(table.want("a2", lane: "A", reason: .bound, waiter: 1).actions.isEmpty)
    #expect(table.yieldSlot(of: 1) == [.start("b", run: 2)])
    // At most one run at a time may give up its slot.
    #expect(table.want("c", lane: "C", reason: .bound, waiter: 1).actions.isEmpty)
    #expect(table.yieldSlot(of: 2).isEmpty)
    table.takeSlot(of: 1)
    #expect(table.finish("b", run: 2).actions.isEmpty)
    #expect(table.finish("a", run: 1).actions == [.start("c", run: 3)])
    #expect(table.finish("c", run: 3).actions == [.start("a2", run: 4)])
  }

  @Test func `a canceled run also yields its lane and leaves nothing behind when it ends`() {
    var table = JobTable<String, Int, Void>(limit: 1, laneLimit: 1, yieldLimit: 1)
    _ = table.want("a", lane: "A", reason: .bound, waiter: 1)
    _ = table.drop("a", waiter: 1)
    #expect(table.want("b", lane: "A", reason: .bound, waiter: 1).actions.isEmpty)
    #expect(table.yieldSlot(of: 1) == [.start("b", run: 2)])
    table.takeSlot(of: 1)
    #expect(table.finish("a", run: 1).waiters == nil)
    #expect(table.want("c", lane: "C", reason: .bound, waiter: 1).actions.isEmpty)
    #expect(table.yieldSlot(of: 2) == [.start("c", run: 3)])
  }

  @Test func `any number of runs may yield their lane`() {
    var table = JobTable<Int, Int, Void>(limit: 2, laneLimit: 2, yieldLimit: 0)
    for key in 0..<10 { _ = table.want(key, lane: "A", reason: .created, waiter: 1) }
    for run in 1...8 as ClosedRange<UInt64> { #expect(table.yieldSlot(of: run, inLane: true).count == 1) }
    for run in 1...8 as ClosedRange<UInt64> { table.takeSlot(of: run) }
    for run in 1...10 as ClosedRange<UInt64> { #expect(table.finish(Int(run) - 1, run: run).waiters == [1]) }
    #expect(table.isEmpty && table.runsWithSlots.isEmpty)
    #expect(table.want(20, lane: "A", reason: .created, waiter: 1).actions.count == 1)
  }

  @Test func `a run that takes its lane again fills it until it ends, even beyond the limit`() {
    var table = JobTable<String, Int, Void>(limit: 9, laneLimit: 1, yieldLimit: 0)
    for key in ["a", "b", "c"] { _ = table.want(key, lane: "A", reason: .created, waiter: 1) }
    #expect(table.yieldSlot(of: 1, inLane: true) == [.start("b", run: 2)])
    table.takeSlot(of: 1)
    #expect(table.finish("b", run: 2).actions.isEmpty)
    #expect(table.finish("a", run: 1).actions == [.start("c", run: 3)])
  }

  @Test func `a run that has yielded its lane leaves it only once`() {
    var table = JobTable<String, Int, Void>(limit: 9, laneLimit: 1, yieldLimit: 0)
    for key in ["a", "b", "c"] { _ = table.want(key, lane: "A", reason: .created, waiter: 1) }
    #expect(table.yieldSlot(of: 1, inLane: true) == [.start("b", run: 2)])
    #expect(table.finish("a", run: 1).actions.isEmpty)
    #expect(table.finish("b", run: 2).actions == [.start("c", run: 3)])
  }

  @Test func `another run may yield when one that did has taken its slot again or ended, and no other end matters`() {
    var table = JobTable<Int, Int, Void>(limit: 1, yieldLimit: 1)
    for key in 1...9 { _ = table.want(key, lane: "\(key)", reason: .created, waiter: 1) }
    #expect(table.finish(1, run: 1).actions == [.start(2, run: 2)])
    #expect(table.yieldSlot(of: 2) == [.start(3, run: 3)])
    #expect(table.yieldSlot(of: 3).isEmpty)
    table.takeSlot(of: 2)
    #expect(table.finish(2, run: 2).actions.isEmpty)
    #expect(table.yieldSlot(of: 3) == [.start(4, run: 4)])
    #expect(table.yieldSlot(of: 4).isEmpty)
    #expect(table.finish(3, run: 3).actions.isEmpty)
    #expect(table.yieldSlot(of: 4) == [.start(5, run: 5)])
    #expect(table.yieldSlot(of: 5).isEmpty)
  }

  @Test func `runs that could yield more are those with a slot, in total or in their lane`() {
    var table = JobTable<String, Int, Void>(limit: 9, laneLimit: 9, yieldLimit: 9)
    for key in ["a", "b", "c"] { _ = table.want(key, lane: "A", reason: .created, waiter: 1) }
    for run in [2, 3] as [UInt64] { _ = table.yieldSlot(of: run) }
    #expect(table.runsWithSlots.sorted() == [1, 2, 3])
    _ = table.drop("c", waiter: 1)
    _ = table.yieldSlot(of: 3)
    #expect(table.runsWithSlots.sorted() == [1, 2])
  }

  @Test func `so many runs for each slot of a lane may yield it, until they end or are heard from`() {
    var table = JobTable<Int, Int, Void>(limit: 9, laneLimit: 1, yieldLimit: 9, laneYields: 2)
    for key in 1...9 { _ = table.want(key, lane: "A", reason: .created, waiter: 1) }
    #expect(table.yieldSlot(of: 1) == [.start(2, run: 2)])
    #expect(table.yieldSlot(of: 2) == [.start(3, run: 3)])
    #expect(table.yieldSlot(of: 3).isEmpty)
    #expect(table.finish(1, run: 1).actions.isEmpty)
    #expect(table.yieldSlot(of: 3) == [.start(4, run: 4)])
    table.takeSlot(of: 2)
    #expect(table.finish(4, run: 4).actions.isEmpty)
    #expect(table.yieldSlot(of: 2) == [.start(5, run: 5)])
    for run in [2, 3] as [UInt64] { #expect(table.finish(Int(run), run: run).actions.isEmpty) }
    #expect(table.finish(5, run: 5).actions == [.start(6, run: 6)])
  }

  @Test func `a lane may have any limit, and yields none of its slots unless the table says so`() {
    var table = JobTable<Int, Int, Void>(limit: 1, laneLimit: .max, yieldLimit: 9, laneYields: 3)
    for key in 1...3 { _ = table.want(key, lane: "A", reason: .created, waiter: 1) }
    #expect(table.yieldSlot(of: 1) == [.start(2, run: 2)])
    var strict = JobTable<Int, Int, Void>(limit: 9, laneLimit: 1, yieldLimit: 9)
    for key in 1...3 { _ = strict.want(key, lane: "A", reason: .created, waiter: 1) }
    #expect(strict.yieldSlot(of: 1).isEmpty)
  }

  @Test func `jobs wait for the total limit, for that of their lanes, or for the end of a hold`() {
    var table = JobTable<Int, Int, Void>(limit: 3, laneLimit: 1)
    for key in 1...2 { _ = table.want(key, lane: "\(key)", reason: .created, waiter: 1) }
    #expect(table.reachedLimit == nil)
    _ = table.want(10, lane: "1", reason: .created, waiter: 1)
    #expect(table.reachedLimit.map { $0.isOfLane && $0.value == 1 } == true)
    table.hold(lane: "1")
    #expect(table.reachedLimit == nil)
    _ = table.want(3, lane: "3", reason: .created, waiter: 1)
    #expect(table.reachedLimit.map { !$0.isOfLane && $0.value == 3 } == true)
  }
}
