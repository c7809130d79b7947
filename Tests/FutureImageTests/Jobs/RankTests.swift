import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("Rank", .timeLimit(.minutes(5))) struct RankTests {
  /// The ranks in the order in which their jobs start.
  private static let sorted: [Rank] = [
    Rank(reason: .bound, priority: .high, order: 2), Rank(reason: .bound, priority: .high, order: 1),
    Rank(reason: .bound, priority: .normal, order: 9), Rank(reason: .bound, priority: .normal, order: 3),
    Rank(reason: .bound, priority: .low, order: 20),
    Rank(reason: .prefetched, priority: .high, order: 30), Rank(reason: .prefetched, priority: .normal, order: 4),
    Rank(reason: .prefetched, priority: .normal, order: 5), Rank(reason: .prefetched, priority: .low, order: 1),
    Rank(reason: .created, priority: .high, order: 99), Rank(reason: .created, priority: .normal, order: 6),
    Rank(reason: .created, priority: .normal, order: 7), Rank(reason: .created, priority: .low, order: 0)
  ]

  @Test func `ranks sort by reason, then by priority, then by latest binding or earliest request`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 { #expect(Self.sorted.shuffled(using: &random).sorted(by: >) == Self.sorted) }
  }

  @Test func `exactly one of two different ranks is the greater`() {
    for (left, a) in Self.sorted.enumerated() {
      for (right, b) in Self.sorted.enumerated() {
        #expect((a < b) == (left > right))
        #expect((a == b) == (left == right))
      }
    }
  }

  @Test func `priorities sort from low to high`() {
    let priorities: [FutureImage.Priority] = [.high, .low, .normal]
    #expect(priorities.sorted() == [.low, .normal, .high])
  }

  @Test func `neither a priority nor a reason is less than itself`() {
    for priority in [FutureImage.Priority.low, .normal, .high] { #expect(!(priority < priority)) }
    for reason in [Rank.Reason.created, .prefetched, .bound] { #expect(!(reason < reason)) }
  }
}
