import Testing

@testable import FutureImage

@Suite("JobQueue") struct JobQueueTests {
  private func rank(_ order: UInt64, _ reason: Rank.Reason = .created) -> Rank { Rank(reason: reason, order: order) }

  @Test("The greatest rank comes first, across lanes, and each job once")
  func greatestFirst() {
    var queue = JobQueue<String>(laneLimit: 9)
    queue.place("a", lane: "x", rank: rank(1))
    queue.place("b", lane: "y", rank: rank(2, .bound))
    queue.place("c", lane: "x", rank: rank(3, .prefetched))
    #expect(queue.waitingCount == 3)
    #expect((1...4).map { _ in queue.next() } == ["b", "c", "a", nil])
    #expect(queue.waitingCount == 0)
  }

  @Test("A job that is placed again counts at its new place alone")
  func placedAgain() {
    var queue = JobQueue<String>(laneLimit: 9)
    queue.place("a", lane: "x", rank: rank(1, .bound))
    queue.place("b", lane: "x", rank: rank(2, .prefetched))
    queue.place("a", lane: "x", rank: rank(3))
    #expect(queue.waitingCount == 2)
    #expect((1...3).map { _ in queue.next() } == ["b", "a", nil])
  }

  @Test("A job that is taken out does not come")
  func removed() {
    var queue = JobQueue<String>(laneLimit: 9)
    queue.place("a", lane: "x", rank: rank(1))
    queue.place("b", lane: "x", rank: rank(2))
    queue.remove("a", lane: "x")
    queue.remove("a", lane: "x")
    #expect(queue.waitingCount == 1)
    #expect((1...2).map { _ in queue.next() } == ["b", nil])
  }

  @Test("A lane gives no more than its limit until one of its jobs ends")
  func laneLimit() {
    var queue = JobQueue<String>(laneLimit: 1)
    queue.place("a", lane: "x", rank: rank(1))
    queue.place("b", lane: "x", rank: rank(2))
    queue.place("c", lane: "y", rank: rank(3))
    #expect((1...3).map { _ in queue.next() } == ["a", "c", nil])
    queue.ended(lane: "y")
    #expect(queue.next() == nil)
    queue.ended(lane: "x")
    #expect(queue.next() == "b")
  }

  @Test("A lane that was forgotten begins anew, with nothing left over")
  func forgottenLane() {
    var queue = JobQueue<String>(laneLimit: 1)
    queue.place("a", lane: "x", rank: rank(1, .bound))
    #expect(queue.next() == "a")
    queue.ended(lane: "x")
    queue.place("b", lane: "x", rank: rank(2))
    #expect((1...2).map { _ in queue.next() } == ["b", nil])
  }

  @Test("Thousands of promotions lose no job and keep the order")
  func manyPromotions() {
    var queue = JobQueue<Int>(laneLimit: .max)
    var order: UInt64 = 0
    for _ in 0..<100 {
      for job in 0..<50 {
        order += 1
        queue.place(job, lane: "x", rank: rank(order, .bound))
      }
    }
    for _ in 0..<1_000 {
      order += 1
      queue.place(7, lane: "x", rank: rank(order, .bound))
    }
    #expect(queue.waitingCount == 50)
    #expect((0..<51).map { _ in queue.next() } == [7] + (0..<50).reversed().filter { $0 != 7 } + [nil])
  }
}
