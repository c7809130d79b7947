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
}
