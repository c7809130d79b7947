import Testing

@testable import FutureImage

/// The counts of jobs and runs, and the changes of one run.
extension JobTableTests {
  @Test func `a run counts until it has ended, and does not while it is parked`() {
    var table = Table(limit: 3)
    for key in ["parked", "running", "canceled", "next", "queued"] { _ = table.want(key, reason: .created, waiter: 1) }
    #expect(table.runCount == 3)
    _ = table.drop("canceled", waiter: 1)
    #expect(table.park("parked", run: 1) == [.start("next", run: 4)])
    // The canceled run is still under way.
    #expect(table.runCount == 3)
    #expect(table.parkedCount == 1)
    #expect(table.waitingCount == 1)
    #expect(table.finish("canceled", run: 3).actions == [.start("queued", run: 5)])
    #expect(table.runCount == 3)
    #expect(table.remove("parked") == [.cancel("parked", run: 1)])
    #expect(table.runCount == 3)
    #expect(table.parkedCount == 0)
  }

  @Test func `a change for one run has no effect on another`() {
    var table = JobTable<String, Int, Int>(limit: 1)
    for key in ["a", "b"] { _ = table.want(key, reason: .created, waiter: 1, input: 0) }
    table.change("a", run: 1) { $0 += 1 }
    table.change("a", run: 2) { $0 += 10 }
    table.change("b", run: 1) { $0 += 10 }
    table.change("b") { $0 += 2 }
    #expect(table["a"] == 1)
    #expect(table["b"] == 2)
  }

  @Test func `a promotion returns the run that has become more urgent to the system`() {
    var table = Table(limit: 1)
    _ = table.want("a", reason: .created, waiter: 1)
    #expect(table.promote("a", reason: .prefetched) == nil)
    #expect(table.promote("a", reason: .bound) == 1)
    #expect(table.promote("a", reason: .bound) == nil)
  }

  @Test func `a job that ends leaves the others of its image`() {
    var table = Table(limit: 2) { SourceKey(String($0.prefix(1))) }
    for key in ["a1", "a2", "a3"] { _ = table.want(key, reason: .created, waiter: 1) }
    _ = table.finish("a1", run: 1)
    #expect(table.keys(of: "a") == ["a2", "a3"])
  }
}
