import Testing

@testable import FutureImage

@Suite("Waiters", .timeLimit(.minutes(5)))
struct WaitersTests {
  @Test func `each waiter is inserted once, in any order`() {
    var waiters = Waiters(1)
    let isNew = [2, 1, 2].map { waiters.insert($0) }
    #expect(isNew == [true, false, false])
    #expect(waiters.sorted() == [1, 2])
  }

  @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 1, 3]])
  func `waiters may be removed in any order`(order: [Int]) {
    var waiters: Waiters = [1, 2, 3]
    var left: Set = [1, 2, 3]
    for leaving in order {
      #expect(!waiters.isEmpty)
      waiters.remove(leaving)
      left.remove(leaving)
      #expect(Set(waiters) == left)
    }
    #expect(waiters.isEmpty)
    let isNew = waiters.insert(4)
    #expect(isNew)
    #expect(Array(waiters) == [4])
  }

  @Test func `removing an absent waiter has no effect`() {
    var waiters: Waiters = [1, 2]
    waiters.remove(3)
    #expect(waiters == [2, 1])
  }

  @Test func `iterating a few at a time visits every waiter once`() {
    var waiters = Waiters<Int>()
    for number in 0..<1_000 { _ = waiters.insert(number) }
    var rest = waiters.makeIterator()
    var taken: [Int] = []
    while case let some = rest.next(256), !some.isEmpty {
      #expect(some.count <= 256)
      taken += some
    }
    #expect(taken.sorted() == Array(0..<1_000))
  }
}
