import Foundation
import Testing

/// All operations at once, from several threads, on a small number of keys. The suite performs a hundred thousand operations, or a million
/// if `FUTUREIMAGE_DEEP` is in the environment. `FUTUREIMAGE_SEEDS` lists the seeds of one process, so that several processes can share the
/// work.
@MainActor @Suite(.serialized, .tags(.threads), .timeLimit(.minutes(45))) struct StressTests {
  nonisolated static let all: [UInt64] = [1, 2, 3, 4]
  nonisolated static let seeds =
    ProcessInfo.processInfo.environment["FUTUREIMAGE_SEEDS"].map { $0.split(separator: " ").compactMap { UInt64($0) } } ?? all
  /// The number of operations of each of the four actors of a test: three threads and the main actor.
  nonisolated static let operations = (isDeep ? 1_000_000 : 100_000) / all.count / 4

  @Test(arguments: seeds)
  func `while random operations run, each waiter gets one answer, with its own image, and no object is left at the end`(seed: UInt64) async
  {
    #expect(await StressTest.mixed(seed: seed, each: Self.operations) == [])
  }
}
