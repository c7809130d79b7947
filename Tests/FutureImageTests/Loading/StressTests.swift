import Foundation
import Testing

/// All operations at once, from several threads, on few keys: a hundred thousand operations, or a million with `FUTUREIMAGE_DEEP` in the
/// environment. `FUTUREIMAGE_SEEDS` lists the seeds of one process, for several processes that share the work.
@MainActor @Suite(.serialized, .tags(.threads), .timeLimit(.minutes(45))) struct StressTests {
  nonisolated static let all: [UInt64] = [1, 2, 3, 4]
  nonisolated static let seeds =
    ProcessInfo.processInfo.environment["FUTUREIMAGE_SEEDS"].map { $0.split(separator: " ").compactMap { UInt64($0) } } ?? all
  /// The number of operations of each of a fair's four visitors.
  nonisolated static let operations = (isDeep ? 1_000_000 : 100_000) / all.count / 4

  @Test(arguments: seeds)
  func `no waiter is forgotten, answered twice, or shown another's image, and nothing is left behind`(seed: UInt64) async {
    #expect(await StressTest.mixed(seed: seed, each: Self.operations) == [])
  }
}
